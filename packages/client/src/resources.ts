import type {
  Batch,
  Dataset,
  DatasetChange,
  ListedRun,
  LogLine,
  NewDatasetLink,
  Run,
  RunTarget,
} from "./api.js"
import { WaitTimeout } from "./errors.js"
import { type Http, pause, type RequestOptions, randomKey, type SignalOption } from "./http.js"
import type { ErrorItem, Input, Slug } from "./items.js"

type Query = RequestOptions["query"]

/** Names of a session and of a destination of the account. */
export interface AccountOptions {
  /** Session with which pages of its hosts are fetched. */
  session?: string
  /** Destination that receives the items. */
  destination?: string
}

export interface ListPage<T> {
  items: T[]
  total: number
  nextCursor: string | null
}

export interface WaitOptions extends SignalOption {
  /** Maximum wait in milliseconds; then `WaitTimeout` is thrown. Default: none. */
  timeoutMs?: number | undefined
}

export interface ItemOptions extends SignalOption {
  /** Only these fields. */
  fields?: readonly string[]
  /** Without these fields. */
  omit?: readonly string[]
  /** Conditions that all hold, for example `price<20`. */
  filter?: readonly string[]
  /** Fields, with `-` for descending order: `-price`. */
  sort?: string
  /** Only the first item of those with the same values in these fields. */
  unique?: string
  /** With `unique`: only items that this dataset does not have. `previous` for the last earlier run. */
  since?: string
  /** Without error items. */
  clean?: boolean
  /** JSONata expression that replaces each item. */
  transform?: string
  /** Items of one request (1-1000, default 1000). */
  pageSize?: number
}

export type ExportFormat = "json" | "jsonl" | "csv" | "xlsx" | "parquet" | "md"
export interface ExportOptions extends Omit<ItemOptions, "pageSize"> {
  /** Columns of a table, in this order. */
  columns?: readonly string[]
  limit?: number
}

/** Seconds of one wait. Reverse proxies close connections that are idle for longer. */
const waitSeconds = 50
const finalStatuses = new Set(["succeeded", "failed", "timed_out", "aborted"])
const maxPollMs = 5_000

export const isFinished = ({ status }: Pick<Run, "status">) => finalStatuses.has(status)
export const part = encodeURIComponent

/** Yields the entries of a list, and requests the next page when it is needed. */
export async function* paged<T>(
  http: Http,
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null | undefined
  let offset = 0
  for (;;) {
    const place = cursor ? { cursor } : { offset }
    const page = await http.json<ListPage<T>>("GET", path, {
      query: { ...query, ...place },
      signal,
    })
    yield* page.items
    offset += page.items.length
    cursor = page.nextCursor
    // A sorted list has no cursor.
    if (page.items.length === 0 || (!cursor && offset >= page.total)) return
  }
}

/** Calls `read` until it returns a value, with pauses that grow to five seconds. */
export async function poll<T>(
  id: string,
  read: (remainingMs: number) => Promise<T | undefined>,
  { signal, timeoutMs }: WaitOptions,
): Promise<T> {
  const end = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs
  for (let tries = 0; ; tries++) {
    const started = Date.now()
    const value = await read(end - started)
    if (value !== undefined) return value
    if (Date.now() >= end) throw new WaitTimeout(id, timeoutMs!)
    // A server that waited itself needs no pause.
    const pauseMs = Math.min(500 * 2 ** tries, maxPollMs) - (Date.now() - started)
    if (pauseMs > 0) await pause(Math.min(pauseMs, end - Date.now()), signal)
  }
}

const chosen = ({ signal: _, pageSize, ...query }: ItemOptions, defaultSize = 1000): Query => ({
  ...query,
  limit: pageSize ?? defaultSize,
})

export class Runs {
  constructor(private readonly http: Http) {}

  get(runId: string, options: SignalOption = {}): Promise<Run> {
    return this.http.json("GET", `/api/v1/runs/${part(runId)}`, options)
  }

  /** Yields the account's runs, the newest first. */
  list(
    filter: {
      status?: Run["status"]
      scraper?: string
      search?: string
      createdAfter?: string
      createdBefore?: string
    } = {},
    { signal }: SignalOption = {},
  ): AsyncGenerator<ListedRun> {
    return paged(this.http, "/api/v1/runs", { ...filter }, signal)
  }

  /** Returns the run once it has finished. @throws WaitTimeout */
  wait(runId: string, options: WaitOptions = {}): Promise<Run> {
    return poll(
      runId,
      async (remainingMs) => {
        const seconds = Math.ceil(Math.min(waitSeconds, Math.max(0, remainingMs / 1000)))
        const run = await this.http.json<Run>("GET", `/api/v1/runs/${part(runId)}`, {
          query: { waitForFinish: seconds },
          signal: options.signal,
        })
        return isFinished(run) ? run : undefined
      },
      options,
    )
  }

  abort(runId: string): Promise<Run> {
    return this.http.json("POST", `/api/v1/runs/${part(runId)}/abort`)
  }

  /** Continues a failed, aborted or timed-out run. */
  resume(runId: string): Promise<Run> {
    return this.http.json("POST", `/api/v1/runs/${part(runId)}/resume`)
  }

  /** Runs the failed targets again, into the same dataset. */
  retry(runId: string): Promise<Run> {
    return this.http.json("POST", `/api/v1/runs/${part(runId)}/retry`)
  }

  rename(runId: string, title: string): Promise<Run> {
    return this.http.json("PATCH", `/api/v1/runs/${part(runId)}`, { body: { title } })
  }

  /** Deletes a finished run with its items and log. */
  delete(runId: string): Promise<void> {
    return this.http.json("DELETE", `/api/v1/runs/${part(runId)}`)
  }

  log(runId: string, { signal }: SignalOption = {}): AsyncGenerator<LogLine> {
    return paged(this.http, `/api/v1/runs/${part(runId)}/log`, {}, signal)
  }

  targets(
    runId: string,
    filter: { state?: RunTarget["state"] } = {},
    { signal }: SignalOption = {},
  ): AsyncGenerator<RunTarget> {
    return paged(this.http, `/api/v1/runs/${part(runId)}/targets`, filter, signal)
  }
}

export class Datasets {
  constructor(private readonly http: Http) {}

  get(datasetId: string, options: SignalOption = {}): Promise<Dataset> {
    return this.http.json("GET", `/api/v1/datasets/${part(datasetId)}`, options)
  }

  /** Yields the account's datasets, the newest first. */
  list(
    filter: { name?: string; search?: string } = {},
    { signal }: SignalOption = {},
  ): AsyncGenerator<Dataset> {
    return paged(this.http, "/api/v1/datasets", filter, signal)
  }

  /** Yields the items of a dataset, including error items unless `clean` is set. */
  items<T = Record<string, unknown>>(
    datasetId: string,
    options: ItemOptions = {},
  ): AsyncGenerator<T | ErrorItem> {
    const path = `/api/v1/datasets/${part(datasetId)}/items`
    return paged(this.http, path, chosen(options), options.signal)
  }

  /** Returns the response with the whole dataset in a format. Stream its `body`, or read it at once. */
  export(
    datasetId: string,
    format: ExportFormat,
    { signal, ...query }: ExportOptions = {},
  ): Promise<Response> {
    const path = `/api/v1/datasets/${part(datasetId)}/items`
    return this.http.stream("GET", path, { query: { ...query, format }, signal })
  }

  /** Yields the differences to an earlier dataset, by default that of the last earlier run. */
  diff(
    datasetId: string,
    {
      since = "previous",
      signal,
      ...query
    }: SignalOption & { since?: string; by?: readonly string[]; fields?: readonly string[] } = {},
  ): AsyncGenerator<DatasetChange> {
    const path = `/api/v1/datasets/${part(datasetId)}/diff`
    return paged(this.http, path, { ...query, since, limit: 1000 }, signal)
  }

  /** Creates a link that opens the dataset without a key. */
  share(
    datasetId: string,
    options: { expiresAt?: string; password?: string } = {},
  ): Promise<NewDatasetLink> {
    const path = `/api/v1/datasets/${part(datasetId)}/links`
    return this.http.json("POST", path, { body: options })
  }

  delete(datasetId: string): Promise<void> {
    return this.http.json("DELETE", `/api/v1/datasets/${part(datasetId)}`)
  }
}

export interface UploadOptions extends SignalOption {
  /** Session with which pages of its hosts are fetched. */
  session?: string
  /** Column of a table that has the values. Default: the only one, or the one named like the input. */
  column?: string
  /** Field of the input that they fill. Default: its only list. */
  field?: string
  /** The other fields of the input. */
  input?: Record<string, unknown>
  name?: string
  /** Media type (default that of a `Blob`, else text/csv). */
  type?: string
  idempotencyKey?: string
}

export class Batches {
  constructor(private readonly http: Http) {}

  /** Starts a run of one scraper for each input. */
  create<S extends Slug>(
    slug: S,
    inputs: readonly Input<S>[],
    options: SignalOption & AccountOptions & { name?: string; idempotencyKey?: string } = {},
  ): Promise<Batch> {
    const { signal, idempotencyKey = randomKey(), ...others } = options
    const body = { scraper: slug, inputs, ...others }
    return this.http.json("POST", "/api/v1/batches", { body, idempotencyKey, signal })
  }

  /** Starts a batch with the values of a file: lines of text, CSV, TSV or Excel. */
  upload<S extends Slug>(
    slug: S,
    file: Blob | Uint8Array<ArrayBuffer> | string,
    options: UploadOptions = {},
  ): Promise<Batch> {
    const { column, field, input, name, session, signal, idempotencyKey = randomKey() } = options
    const ownType = file instanceof Blob && file.type !== "" ? file.type : "text/csv"
    return this.http.json("POST", "/api/v1/batches/upload", {
      query: {
        scraper: slug,
        ...{ column, field, name, session },
        ...(input && { input: JSON.stringify(input) }),
      },
      content: { type: options.type ?? ownType, data: file },
      ...{ idempotencyKey, signal },
    })
  }

  get(batchId: string, options: SignalOption = {}): Promise<Batch> {
    return this.http.json("GET", `/api/v1/batches/${part(batchId)}`, options)
  }

  list({ signal }: SignalOption = {}): AsyncGenerator<Batch> {
    return paged(this.http, "/api/v1/batches", {}, signal)
  }

  /** Returns the batch once all of its runs have finished. @throws WaitTimeout */
  wait(batchId: string, options: WaitOptions = {}): Promise<Batch> {
    return poll(
      batchId,
      async () => {
        const batch = await this.get(batchId, { signal: options.signal })
        return batch.status === "finished" ? batch : undefined
      },
      options,
    )
  }

  runs(batchId: string, { signal }: SignalOption = {}): AsyncGenerator<ListedRun> {
    return paged(this.http, `/api/v1/batches/${part(batchId)}/runs`, {}, signal)
  }

  /** Yields the items of all runs, in the order of the inputs. */
  items<T = Record<string, unknown>>(
    batchId: string,
    options: ItemOptions & { sources?: boolean } = {},
  ): AsyncGenerator<T | ErrorItem> {
    const path = `/api/v1/batches/${part(batchId)}/items`
    return paged(this.http, path, chosen(options), options.signal)
  }

  export(
    batchId: string,
    format: ExportFormat,
    { signal, ...query }: ExportOptions & { sources?: boolean } = {},
  ): Promise<Response> {
    const path = `/api/v1/batches/${part(batchId)}/items`
    return this.http.stream("GET", path, { query: { ...query, format }, signal })
  }

  abort(batchId: string): Promise<Batch> {
    return this.http.json("POST", `/api/v1/batches/${part(batchId)}/abort`)
  }

  /** Runs the failed targets again, into the same datasets. */
  retry(batchId: string): Promise<Batch> {
    return this.http.json("POST", `/api/v1/batches/${part(batchId)}/retry`)
  }
}
