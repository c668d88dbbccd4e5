import { type AnyScraper, checkInput } from "../../../src/catalogue/kit/index.ts"
import type { Exchange } from "../../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../../src/engine/fetch/replay/environment.ts"
import type { TargetResult } from "../../../src/engine/runtime/run/checkpoints.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"

/** An account's memory from run to run. */
export type Account = Map<string, unknown>

class AccountCheckpoint extends MemoryCheckpoints {
  constructor(
    targets: ConstructorParameters<typeof MemoryCheckpoints>[0],
    private readonly account: Account,
    private readonly seriesId: string,
  ) {
    super(targets)
  }
  async series() {
    return this.seriesId
  }
  override async memoryGet(key: string) {
    return structuredClone(this.account.get(key))
  }
  override async finish(seq: number, result: TargetResult) {
    for (const [key, value] of Object.entries(result.remembered)) this.account.set(key, value)
    return super.finish(seq, result)
  }
}

type Page = string | Partial<Exchange>

/**
 * Pages by URL: a string is HTML with status 200; several entries, if fetch methods get different
 * responses.
 */
export type Site = Record<string, Page | Page[]>

const bytes = (text: string) => new TextEncoder().encode(text)

function exchange(url: string, page: Page): Exchange {
  const response = typeof page === "string" ? { bytes: bytes(page) } : page
  return { method: "GET", url, status: 200, headers: { "content-type": "text/html" }, ...response }
}

/** Runs a scraper once over a fake site. Returns its items and the URLs that it requested. */
export async function runOnce(
  scraper: AnyScraper,
  rawInput: Record<string, unknown>,
  site: Site,
  {
    account = new Map() as Account,
    clock = "2026-03-01T00:00:00.000Z",
    hasChrome = true,
    series = "",
  } = {},
) {
  const checked = checkInput(scraper.input, rawInput)
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  const requested: string[] = []
  const sent: Headers[] = []
  const checkpoint = new AccountCheckpoint(scraper.targets(checked.input), account, series)
  const exchanges = Object.entries(site).flatMap(([url, pages]) =>
    [pages].flat().map((page) => exchange(url, page)),
  )
  const environment = replayEnvironment({
    folder: "",
    slug: scraper.slug,
    case: "",
    input: {},
    clock,
    env: {},
    expect: [],
    exchanges,
  })
  const { http } = environment
  const recorded: typeof http = {
    send: (request) => {
      requested.push(request.url)
      sent.push(request.headers)
      return http.send(request)
    },
  }
  const end = await executeRun({
    scraper,
    input: checked.input,
    checkpoint,
    environment: { ...environment, http: recorded, ...(hasChrome ? {} : { browser: undefined }) },
    signal: AbortSignal.timeout(20_000),
    checkItems: true,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return { items, requested, sent, end }
}
