import type { Account, KeylessResult, Run, RunEstimate, SiteMap } from "./api.js"
import { Monitors, Recipes, Schedules } from "./automation.js"
import { OutOfCredit, RunFailed, refusalError } from "./errors.js"
import {
  Http,
  type RequestOptions,
  randomKey,
  type SignalOption,
  type TrawlOptions,
} from "./http.js"
import { type ErrorItem, type Input, type Item, isErrorItem, type Slug, split } from "./items.js"
import {
  type AccountOptions,
  Batches,
  Datasets,
  part,
  poll,
  Runs,
  type WaitOptions,
} from "./resources.js"
import type { Scrapers } from "./scrapers.js"

export interface StartOptions extends SignalOption, AccountOptions {
  /** Maximum items, in addition to the limits of the input. */
  maxItems?: number
  maxPages?: number
  maxCredits?: number
  /** Maximum run time; the run then ends `timed_out`. */
  timeoutSeconds?: number
  /** Maximum seconds in the queue. */
  expiresAfter?: number
  /** ID or name of a dataset to which the items are added. */
  appendTo?: string
  /** Fields that identify an item of that dataset. */
  uniqueBy?: readonly string[]
  /** JSONata expression by which the dataset is read. */
  transform?: string
  /** Starting with the same key within 24 hours starts nothing twice. Default: a random one. */
  idempotencyKey?: string
}
export interface RunOptions extends StartOptions, WaitOptions {}

export interface RunResult<T> {
  run: Run
  items: T[]
  /** The targets that failed. */
  errors: ErrorItem[]
}

export interface KeylessOptions extends WaitOptions {
  /** Maximum age in seconds of the result of an identical call (default 60). */
  maxAge?: number
}

export interface KeylessRunResult<T> {
  items: T[]
  errors: ErrorItem[]
  /** Identity of the agent, also used for later calls of this client. */
  agentId: string
  /** The daily free quota, or what the account paid. */
  free: KeylessResult["free"]
}

export interface ScrapedFields<F extends Record<string, string>> {
  url: string
  /** A list if the name starts with `[]`. */
  data: {
    [N in keyof F as N extends `[]${infer Name}` ? Name : N]: N extends `[]${string}`
      ? string[]
      : string | null
  }
  missing: string[]
  [field: string]: unknown
}

export interface SearchOptions extends KeylessOptions {
  /** Maximum results (1-50, default 10). */
  limit?: number
  offset?: number
  /** Read the pages of this many results as Markdown (0-10, default 0). */
  pages?: number
  /** Maximum tokens of all results together, about (default 20,000). */
  maxTokens?: number
  kind?: "web" | "news"
  engines?: readonly string[]
  /** Two-letter country code, for example de. */
  country?: string
  language?: string
  timeRange?: "day" | "week" | "month" | "year"
}

export interface SearchResult {
  /** Number by which a text can cite the result, from 1. */
  source: number
  url: string
  title: string
  snippet: string | null
  publishedAt: string | null
  /** The search engines that list the page. */
  engines: string[]
  score: number
  /** The page, if `pages` asked for it and it could be read. */
  markdown?: string
  /** The page has more text than `markdown`. */
  isShortened?: boolean
  /** The page could not be read. */
  pageError?: { code: string; message: string }
}

/** Tokens of one response without a key. The next page of items is requested after them. */
const maxTokens = 1_000_000
const defaultWaitMs = 300_000

/**
 * A client of one Trawl server.
 *
 * @example
 * const trawl = new Trawl({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.TRAWL_API_KEY })
 * const { items } = await trawl.run("pypi-package-scraper", { packages: ["flask"] })
 */
export class Trawl {
  readonly runs: Runs
  readonly datasets: Datasets
  readonly batches: Batches
  readonly schedules: Schedules
  readonly monitors: Monitors
  readonly recipes: Recipes
  private readonly http: Http

  constructor(options: TrawlOptions = {}) {
    this.http = new Http(options)
    this.runs = new Runs(this.http)
    this.datasets = new Datasets(this.http)
    this.batches = new Batches(this.http)
    this.schedules = new Schedules(this.http)
    this.monitors = new Monitors(this.http)
    this.recipes = new Recipes(this.http)
  }

  /** Identity of an agent without a key. Store it to keep the same identity later. */
  get agentId(): string | undefined {
    return this.http.agentId
  }

  /**
   * Reads one page as Markdown, or its fields by CSS selectors. Works without a key.
   *
   * @example const { title, markdown } = await trawl.scrape("https://example.com")
   * @example const { data } = await trawl.scrape("https://example.com", { fields: { title: "h1", "[]links": "a @href" } })
   * @throws RunFailed, OutOfCredit
   */
  scrape<F extends Record<string, string>>(
    url: string,
    options: KeylessOptions & { fields: F },
  ): Promise<ScrapedFields<F>>
  scrape(
    url: string,
    options?: KeylessOptions,
  ): Promise<Scrapers["url-to-markdown-scraper"]["item"]>
  async scrape(
    url: string,
    options: KeylessOptions & { fields?: Record<string, string> } = {},
  ): Promise<unknown> {
    const fields =
      options.fields &&
      Object.entries(options.fields)
        .map(([name, selector]) => `${name}: ${selector.replaceAll("|", "\\|")}`)
        .join("|")
    const query = { url, fields, maxTokens, maxAge: options.maxAge }
    const { items, errors } = await this.keyless("GET", "/api/scrape", { query }, options)
    if (items[0] === undefined) throw new RunFailed(null, errors)
    return items[0]
  }

  /** Runs a scraper without a key, within the daily free quota. @throws RunFailed, OutOfCredit */
  async runKeyless<S extends keyof Scrapers>(
    slug: S,
    input: Input<S>,
    options: KeylessOptions = {},
  ): Promise<KeylessRunResult<Item<S>>> {
    const body = { scraper: slug, input, maxTokens, ...agent(this.agentId), ...age(options) }
    const result = await this.keyless<Item<S>>("POST", "/api/agent/scrape", { body }, options)
    if (result.items.length === 0 && result.errors.length > 0) {
      throw new RunFailed(null, result.errors)
    }
    return result
  }

  /** Searches the web with several engines. Works without a key. @throws ApiError, OutOfCredit */
  async search(q: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    const { signal: _, timeoutMs: __, engines, ...rest } = options
    const query = { q, ...rest, engines: engines?.join(",") }
    return (await this.keyless<SearchResult>("GET", "/api/search", { query }, options)).items
  }

  /** Runs a scraper, waits for its end, and returns all items. @throws RunFailed, WaitTimeout */
  async run<S extends Slug>(
    slug: S,
    input: Input<S>,
    options: RunOptions = {},
  ): Promise<RunResult<Item<S>>> {
    const run = await this.finished(slug, input, options)
    const mixed: (Item<S> | ErrorItem)[] = []
    for await (const item of this.items<S>(run.datasetId, options)) mixed.push(item)
    const { items, errors } = split(mixed)
    if (run.status !== "succeeded" && items.length === 0) throw new RunFailed(run, errors)
    return { run, items: items as Item<S>[], errors }
  }

  /**
   * Runs a scraper, waits for its end, and yields its good items. Pages of items are requested one after
   * the other, so that a large dataset is never in memory.
   *
   * @throws RunFailed if the run ended without items
   */
  async *iterate<S extends Slug>(
    slug: S,
    input: Input<S>,
    options: RunOptions = {},
  ): AsyncGenerator<Item<S>, Run, undefined> {
    const run = await this.finished(slug, input, options)
    let count = 0
    const errors: ErrorItem[] = []
    for await (const item of this.items<S>(run.datasetId, options)) {
      if (!isErrorItem(item)) {
        count++
        yield item as Item<S>
      } else if (errors.length < 10) errors.push(item)
    }
    if (run.status !== "succeeded" && count === 0) throw new RunFailed(run, errors)
    return run
  }

  /** Starts a run. It is stored when this resolves. @throws ApiError */
  start<S extends Slug>(slug: S, input: Input<S>, options: StartOptions = {}): Promise<Run> {
    const { signal, idempotencyKey = randomKey(), uniqueBy, ...limits } = options
    const { timeoutMs: _, ...query } = limits as Omit<RunOptions, "signal" | "uniqueBy">
    return this.http.json("POST", `/api/v1/scrapers/${part(slug)}/runs`, {
      query: { ...query, uniqueBy: uniqueBy?.join(",") },
      body: input,
      ...{ idempotencyKey, signal },
    })
  }

  /** Returns the run once it has finished. @throws WaitTimeout */
  wait(runId: string, options: WaitOptions = {}): Promise<Run> {
    return this.runs.wait(runId, options)
  }

  /** Yields the items of a dataset of this scraper, including error items. */
  items<S extends Slug>(
    datasetId: string,
    { signal }: SignalOption = {},
  ): AsyncGenerator<Item<S> | ErrorItem> {
    return this.datasets.items<Item<S>>(datasetId, { signal })
  }

  abort(runId: string): Promise<Run> {
    return this.runs.abort(runId)
  }

  /** Returns the number of targets and the minimum credits of a run. */
  estimate<S extends Slug>(slug: S, input: Input<S>): Promise<RunEstimate> {
    return this.http.json("POST", `/api/v1/scrapers/${part(slug)}/estimate`, { body: input })
  }

  /** Returns the URLs and titles of a site. */
  map(
    url: string,
    {
      signal,
      ...query
    }: SignalOption & { search?: string; limit?: number; includeSubdomains?: boolean } = {},
  ): Promise<SiteMap> {
    return this.http.json("GET", "/api/v1/map", { query: { url, ...query }, signal })
  }

  /** Returns the account with its credits and usage. */
  me(): Promise<Account> {
    return this.http.json("GET", "/api/v1/me")
  }

  /**
   * Calls any route of the API that has no method here.
   *
   * @example await trawl.request("GET", "/api/v1/usage", { query: { by: "day" } })
   */
  request<T = unknown>(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: `/${string}`,
    options: RequestOptions = {},
  ): Promise<T> {
    return this.http.json<T>(method, path, options)
  }

  private async finished<S extends Slug>(
    slug: S,
    input: Input<S>,
    options: RunOptions,
  ): Promise<Run> {
    const { id } = await this.start(slug, input, options)
    return this.runs.wait(id, options)
  }

  /** Calls a route that works without a key, waits for its result, and reads all of its pages. */
  private async keyless<T>(
    method: "GET" | "POST",
    path: string,
    request: RequestOptions,
    options: KeylessOptions,
  ): Promise<KeylessRunResult<T>> {
    const { signal, timeoutMs = defaultWaitMs } = options
    const read = (where: string) => this.http.json<KeylessResult>("GET", apiPath(where), { signal })
    let page = await this.http.json<KeylessResult>(method, path, { ...request, signal })
    const { resultUrl } = page
    if (page.status === "RUNNING" && resultUrl) {
      page = await poll(
        resultUrl,
        async () => {
          const result = await read(resultUrl)
          return result.status === "RUNNING" ? undefined : result
        },
        { signal, timeoutMs },
      )
    }
    this.http.identify(page.agentId)
    const { agentId, free } = page
    const mixed: unknown[] = []
    for (;;) {
      if (page.status !== "SUCCEEDED") throw keylessError(page)
      mixed.push(...page.items)
      if (!page.next) break
      page = await read(page.next)
    }
    const { items, errors } = split(mixed as (T | ErrorItem)[])
    return { items: items as T[], errors, agentId, free }
  }
}

const agent = (agentId: string | undefined) => (agentId === undefined ? {} : { agentId })
const age = ({ maxAge }: KeylessOptions) => (maxAge === undefined ? {} : { maxAge })

/** The path of a URL that the server returned: its own name for itself can differ from `baseUrl`. */
function apiPath(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname.slice(Math.max(0, pathname.lastIndexOf("/api/"))) + search
}

const statuses: Readonly<Partial<Record<KeylessResult["status"], number>>> = {
  INVALID_INPUT: 400,
  USAGE: 400,
  PAYMENT_REQUIRED: 402,
}

/** A search whose engines all failed names the code in its details. */
function codeOf(details: unknown): { code?: string } {
  const { code } = (details ?? {}) as { code?: unknown }
  return typeof code === "string" ? { code } : {}
}

function keylessError(page: KeylessResult): Error {
  const { status, error, items, claimUrl, claimStatusUrl } = page
  const detail = typeof error === "string" ? { message: error } : error
  const failed = items.filter(isErrorItem)
  if (status === "ERROR" && failed.length > 0) return new RunFailed(null, failed)
  const details = detail && "details" in detail ? detail.details : undefined
  const refusal = {
    status: statuses[status] ?? 500,
    ...codeOf(details),
    message: detail?.message ?? `The call ended with status ${status}.`,
    details,
    ...{ claimUrl, claimStatusUrl },
  }
  return status === "PAYMENT_REQUIRED"
    ? new OutOfCredit({ ...refusal, code: "out_of_credit" })
    : refusalError(refusal)
}
