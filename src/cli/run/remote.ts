import { Aborted } from "../../catalogue/kit/index.ts"
import { type OtherService, Unanswered } from "../../engine/net/network/other-service.ts"
import { BadUse } from "../common/bad-use.ts"
import type { RunDisplay } from "./display.ts"
import { FilesFolder, filesFolder } from "./files.ts"
import type { Inputs } from "./input.ts"
import type { ScrapeError } from "./local.ts"
import type { PagePdf } from "./output.ts"
import type { Runnable } from "./remote-scraper.ts"
import { remoteService } from "./remote-service.ts"

export interface RemoteOptions {
  key?: string
  maxItems?: number
  /** Name of the session in the server's account. */
  session?: string
  /** Folder for files of pages. */
  files?: string
  output?: string
}

/** The used part of a run in the API. */
interface RemoteRun {
  id: string
  status: string
  datasetId: string
  itemCount: number
  errorCount: number
  targetsDone: number
  targetsTotal: number
  error: { message: string } | null
}

/** Seconds that a call waits for the end of the run. */
const waitSeconds = 5
const itemsAtOnce = 1000
const overStatuses = ["succeeded", "failed", "aborted", "timed_out"]

/** Executes a run on a server; passes its items to `print` as they arrive. @throws BadUse */
export async function runThere(
  url: string,
  scraper: Pick<Runnable, "slug">,
  inputs: Inputs,
  { key, maxItems, session, files, output }: RemoteOptions,
  display: RunDisplay,
  print: PagePdf,
): Promise<ScrapeError> {
  const server = remoteService(url, key)
  const folder = new FilesFolder(files ?? filesFolder(scraper.slug, output))
  let position = 0
  const control = new AbortController()
  const stop = () => control.abort(new Aborted())
  for (const signal of signals) process.once(signal, stop)
  let last: ScrapeError = { status: "succeeded", errors: 0 }
  async function* items() {
    let left = maxItems
    for (const input of inputs) {
      const query = new URLSearchParams({
        ...(left === undefined ? {} : { maxItems: String(left) }),
        ...(session === undefined ? {} : { session }),
      })
      const path = `/api/v1/scrapers/${scraper.slug}/runs${query.size > 0 ? `?${query}` : ""}`
      const run = await server.json<RemoteRun>("POST", path, input)
      const followed = new FollowedRun(server, run, control.signal)
      display.watch(() => followed.run)
      for await (const item of followed.items()) {
        yield await folder.fetched(position++, item, (path) => server.bytes(path))
      }
      const { status, errorCount, itemCount, error } = followed.run
      last = {
        status,
        errors: last.errors + errorCount,
        ...(error ? { message: error.message } : {}),
      }
      if (left !== undefined) left -= itemCount
      if (status !== "succeeded" || (left !== undefined && left <= 0)) return
    }
  }
  try {
    await print(items(), () => last.status !== "succeeded")
    return last
  } catch (error) {
    throw error instanceof Unanswered ? new BadUse(error.message) : error
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

const signals = ["SIGINT", "SIGTERM"] as const

/** A run on a server. Its items are read after it has finished, because their order is final only then. */
class FollowedRun {
  constructor(
    private readonly server: OtherService,
    public run: RemoteRun,
    private readonly signal: AbortSignal,
  ) {}

  async *items(): AsyncGenerator<Record<string, unknown>> {
    await this.end()
    const path = `/api/v1/datasets/${this.run.datasetId}/items`
    for (let offset = 0; ; offset += itemsAtOnce) {
      const query = `format=jsonl&offset=${offset}&limit=${itemsAtOnce}`
      const text = await this.server.text("GET", `${path}?${query}`)
      const lines = text.split("\n").filter((line) => line !== "")
      for (const line of lines) yield JSON.parse(line)
      if (lines.length < itemsAtOnce) return
    }
  }

  private async end(): Promise<void> {
    let isAborting = false
    while (!overStatuses.includes(this.run.status)) {
      const path = `/api/v1/runs/${this.run.id}`
      if (this.signal.aborted && !isAborting) {
        isAborting = true
        this.run = await this.server.json("POST", `${path}/abort`)
      } else this.run = await this.server.json("GET", `${path}?waitForFinish=${waitSeconds}`)
    }
  }
}
