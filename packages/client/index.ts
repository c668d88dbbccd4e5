import type { Scrapers } from "./scrapers.d.ts"

export type { Scrapers }

declare const ofRecipe: unique symbol
/** The slug of a recipe of the account. */
export type RecipeSlug = string & { [ofRecipe]: true }
export type Slug = keyof Scrapers | RecipeSlug
type Parts<S extends Slug> = S extends keyof Scrapers
  ? Scrapers[S]
  : { input: Record<string, unknown>; item: Record<string, unknown> }
export type Input<S extends Slug> = Parts<S>["input"]
export type Item<S extends Slug> = Parts<S>["item"]

/**
 * Names a recipe of the account, which no type knows.
 *
 * @example await trawl.run(recipe("shop-products"), { urls: ["https://shop.example/p/1"] })
 */
export const recipe = (slug: string): RecipeSlug => slug as RecipeSlug

/** The item of a target that failed. */
export interface ErrorItem {
  error: { code: string; message: string; statusCode?: number }
  [field: string]: unknown
}

export interface Run {
  id: string
  scraper: string
  status: "queued" | "running" | "succeeded" | "failed" | "timed_out" | "aborting" | "aborted"
  statusMessage: string | null
  datasetId: string
  itemCount: number
  errorCount: number
  pageCount: number
  creditsCharged: number
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  error: { code: string; message: string } | null
}

export interface RunOptions {
  maxItems?: number
  maxPages?: number
  timeoutSeconds?: number
  /** Repeating a start with the same key within 24 hours starts nothing twice. */
  idempotencyKey?: string
  /** Ends the wait; the run continues. */
  signal?: AbortSignal
}

/** A refusal, or a run that gave nothing because it failed. */
export class TrawlError extends Error {
  override name = "TrawlError"

  constructor(
    /** Of the answer; 0 for a run that failed. */
    readonly status: number,
    message: string,
    readonly details?: unknown,
  ) {
    super(message)
  }
}

export interface TrawlOptions {
  /** Default http://127.0.0.1:8080. */
  baseUrl?: string
  apiKey: string
  /** Default the runtime's. */
  fetch?: (request: Request) => Promise<Response>
}

const over = new Set<Run["status"]>(["succeeded", "failed", "timed_out", "aborted"])
/** Seconds of one wait. Reverse proxies close connections that are idle for longer. */
const waitSeconds = 50
const pageSize = 1000

export class Trawl {
  private readonly baseUrl: string
  private readonly apiKey: string
  private readonly fetch: (request: Request) => Promise<Response>

  constructor({ baseUrl = "http://127.0.0.1:8080", apiKey, fetch: send = fetch }: TrawlOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, "")
    this.apiKey = apiKey
    this.fetch = send
  }

  /** Runs a scraper to its end, and reads all that it gave. @throws TrawlError */
  async run<S extends Slug>(
    slug: S,
    input: Input<S>,
    options: RunOptions = {},
  ): Promise<{ run: Run; items: Item<S>[]; errors: ErrorItem[] }> {
    const started = await this.start(slug, input, options)
    const run = await this.wait(started.id, options)
    const items: Item<S>[] = []
    const errors: ErrorItem[] = []
    for await (const item of this.items<S>(run.datasetId, options)) {
      if (isErrorItem(item)) errors.push(item)
      else items.push(item)
    }
    if (run.status !== "succeeded" && items.length === 0) {
      const why = run.error?.message ?? errors[0]?.error.message ?? "It says nothing more."
      throw new TrawlError(0, `The run ${run.id} ended ${run.status}: ${why}`, { run, errors })
    }
    return { run, items, errors }
  }

  /** Starts a run: it is on disk when this resolves. @throws TrawlError */
  start<S extends Slug>(
    slug: S,
    input: Input<S>,
    { idempotencyKey, signal, ...caps }: RunOptions = {},
  ): Promise<Run> {
    return this.call<Run>("POST", `/scrapers/${slug}/runs`, {
      query: caps,
      body: input,
      headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey },
      signal,
    })
  }

  /** Returns the run once it has finished. @throws TrawlError */
  async wait(runId: string, { signal }: Pick<RunOptions, "signal"> = {}): Promise<Run> {
    for (;;) {
      const query = { waitForFinish: waitSeconds }
      const run = await this.call<Run>("GET", `/runs/${runId}`, { query, signal })
      if (over.has(run.status)) return run
    }
  }

  /** Yields the items of a dataset, including error items. @throws TrawlError */
  async *items<S extends Slug>(
    datasetId: string,
    { signal }: Pick<RunOptions, "signal"> = {},
  ): AsyncGenerator<Item<S> | ErrorItem> {
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const query = { limit: pageSize, offset }
      const page = await this.call<{ items: (Item<S> | ErrorItem)[]; total: number }>(
        "GET",
        `/datasets/${datasetId}/items`,
        { query, signal },
      )
      total = page.total
      yield* page.items
    }
  }

  abort(runId: string): Promise<Run> {
    return this.call<Run>("POST", `/runs/${runId}/abort`)
  }

  private async call<T>(
    method: string,
    path: string,
    requested: {
      query?: Record<string, number | undefined>
      body?: unknown
      headers?: Record<string, string>
      signal?: AbortSignal | undefined
    } = {},
  ): Promise<T> {
    const { query = {}, body, headers = {}, signal } = requested
    const url = new URL(`${this.baseUrl}/api/v1${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const request = new Request(url, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const response = await this.fetch(request)
    const text = await response.text()
    const reply = textAsJson(text)
    if (response.ok && reply !== undefined) return reply as T
    const { message, details } = (reply as Refusal | undefined)?.error ?? {}
    throw new TrawlError(
      response.status,
      message ?? `The service answered ${response.status}.`,
      details,
    )
  }
}

interface Refusal {
  error?: { message?: string; details?: unknown }
}

function textAsJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isErrorItem(item: unknown): item is ErrorItem {
  const { error } = item as Partial<ErrorItem>
  return typeof error === "object" && error !== null && typeof error.code === "string"
}
