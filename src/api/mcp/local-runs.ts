import { pathToFileURL } from "node:url"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import type { FolderStorage } from "../../engine/net/files/folder-storage.ts"
import type { RunService } from "../../engine/runtime/workers/runs.ts"
import { isOver, runById } from "../../store/runs/runs.ts"
import type { Store } from "../../store/store.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { filesOf } from "../http/item-files.ts"
import { localParts } from "../search/local-parts.ts"
import { search } from "../search/search.ts"
import { SearchFailed } from "../search/web-search.ts"
import { followRun } from "./run-progress.ts"
import {
  clientWaitMs,
  progressOf,
  responseOf,
  type SearchToolResponse,
  type ToolResponse,
  type ToolRuns,
  type ToolSearch,
  unknownRun,
  type Waiting,
} from "./tool-runs.ts"

/** Runs of the local engine for the user who started it, without quota or credits. */
export class LocalRuns implements ToolRuns {
  /** IDs of the runs, newest last. */
  private readonly started: string[] = []

  constructor(
    private readonly store: Store,
    private readonly runs: RunService,
    /** The storage of the files of its runs. */
    private readonly files: FolderStorage,
    private readonly scraper: (slug: string) => AnyScraper | undefined,
  ) {}

  get db() {
    return this.store.db
  }

  /** No server serves files here, so items contain their paths. */
  async linked(item: Record<string, unknown>): Promise<Record<string, unknown>> {
    const linked = { ...item }
    for (const { field, id, ...file } of filesOf(item)) {
      linked[field] = { ...file, url: pathToFileURL(this.files.pathOf(id)).href }
    }
    return linked
  }

  async contents(id: string): Promise<Uint8Array | undefined> {
    const file = Bun.file(this.files.pathOf(id))
    return (await file.exists()) ? file.bytes() : undefined
  }

  async run(
    scraper: AnyScraper,
    input: Record<string, unknown>,
    { signal, onProgress, waitMs = clientWaitMs }: Waiting,
  ): Promise<ToolResponse> {
    const run = await this.runs.start({
      scraper,
      input,
      accountId: null,
      origin: "mcp",
      priority: "interactive",
    })
    this.started.push(run.id)
    if (this.started.length > maxKnown) this.started.shift()
    const cancel = () => void this.runs.abort(run.id)
    signal.addEventListener("abort", cancel, { once: true })
    if (signal.aborted) cancel()
    const unfollow = followRun(this.db, this.runs, run.id, (now) => {
      if (!isOver(now.status)) onProgress?.(progressOf(now, run.id))
    })
    try {
      return this.response((await this.runs.wait(run.id, waitMs)) ?? run)
    } finally {
      unfollow()
      signal.removeEventListener("abort", cancel)
    }
  }

  async search(request: ToolSearch, { signal }: Waiting): Promise<SearchToolResponse> {
    const { store, runs, scraper } = this
    const parts = localParts({ store, runs, scraper, origin: "mcp", signal })
    try {
      return { status: "SUCCEEDED", ...(await search(parts, { ...request, waitMs: clientWaitMs })) }
    } catch (error) {
      if (!(error instanceof SearchFailed)) throw error
      const { code, message, engines } = error
      return { status: "ERROR", error: { message, details: { code } }, engines }
    }
  }

  async find(name: string, { waitMs = 0, signal }: Waiting): Promise<ToolResponse> {
    const run = await this.runs.wait(name, waitMs, signal)
    return run ? this.response(run) : unknownRun(name)
  }

  async abort(name: string): Promise<ToolResponse> {
    const run = await this.runs.abort(name)
    return run ? this.response(run) : unknownRun(name)
  }

  async latest(limit: number) {
    const names = this.started.slice(-limit).reverse()
    const runs = await Promise.all(names.map((id) => runById(this.db, id)))
    return runs.filter((run) => run !== undefined).map((run) => ({ name: run.id, run }))
  }

  private response(run: RunRow): ToolResponse {
    return responseOf(run, () => Promise.resolve(run.id))
  }
}

/** Maximum runs of a session in lists. */
const maxKnown = 1000
