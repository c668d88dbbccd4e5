import type { ClaimStatus } from "../../accounts/claims.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import type { Db } from "../../store/db/database.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { CompleteSearch, SearchItem } from "../search/search.ts"
import type { EngineReport } from "../search/web-search.ts"
import type { Managed } from "./manage.ts"
import type { ManageTool } from "./manage-inputs.ts"
import type { StoredPages } from "./stored-pages.ts"

/** The progress of a run, for notifications. */
export interface Progress {
  done: number
  total: number
  message: string
}

/** The result of a call, whether its run succeeded or failed. */
export interface ToolResponse {
  status: string
  /** The run of the items. */
  run?: RunRow
  /** Returns the name by which later calls find the run. */
  name?: () => Promise<string>
  error?: unknown
  notice?: string
  /** The items come from the run of an identical call, `age` seconds old. */
  cached?: boolean
  age?: number
  /** URL of the later response, for clients that can fetch it. */
  resultUrl?: string
  claimUrl?: string
  claimStatusUrl?: string
  agentGuidance?: string
  agentId?: string
  free?: unknown
}

/** The response to a search, with the items of several runs. */
export interface SearchToolResponse extends ToolResponse {
  items?: SearchItem[]
  engines?: EngineReport[]
}

export type ToolSearch = Omit<CompleteSearch, "waitMs">

export interface Waiting {
  signal: AbortSignal
  onProgress?(progress: Progress): void
  /** Whether the client can open URLs for its user. */
  opensUrls?: boolean
  /** Maximum age of a cached run with the same input. */
  maxAgeMs?: number
  /**
   * Milliseconds after which the run is returned in its current state. Default: the minimum timeout
   * of clients.
   */
  waitMs?: number
  /** Name of the session of the account. */
  session?: string
}

/** A scraper to run on a schedule. */
export interface WatchRequest {
  scraper: string
  input: Record<string, unknown>
  every: "15 minutes" | "hour" | "day" | "week"
  /** URL that receives the changes. */
  webhook?: string
}

export interface Watching {
  scheduleId: string
  nextFireTimes: string[]
  /** Secret that signs the webhook's deliveries, returned only once. */
  webhookSecret?: string
}

/** A destination of items, as a model chooses it. */
export interface ToolDestination {
  name: string
  kind: string
  target: string
  enabled: boolean
  deliveries: { waiting: number; delivered: number; failed: number }
  /** Of the last failed attempt. */
  error: string | null
}

/** The runs of one caller: by the keyless API, or by the local engine (stdio). */
export interface ToolRuns {
  readonly db: Db
  /** Pages of items in memory; missing if none are stored. */
  readonly pages?: StoredPages
  /** An item of a run with file URLs that the caller can open. */
  linked(item: Record<string, unknown>, run: RunRow): Promise<Record<string, unknown>>
  /** The contents of a file of a run; undefined if the file is deleted. */
  contents(id: string, run: RunRow): Promise<Uint8Array | undefined>
  run(scraper: AnyScraper, input: Record<string, unknown>, waiting: Waiting): Promise<ToolResponse>
  /** Searches the web with several engines. */
  search(request: ToolSearch, waiting: Waiting): Promise<SearchToolResponse>
  /** A run by its name: finished, or in its current state after a wait. */
  find(name: string, waiting: Waiting): Promise<ToolResponse>
  abort(name: string): Promise<ToolResponse>
  /** The sessions of the caller's account. @throws ApiError */
  sessions?(): Promise<{ name: string; hosts: string[]; status: string }[]>
  /** The account's destinations; missing if there are no accounts. @throws ApiError */
  destinations?(): Promise<ToolDestination[]>
  /** Checks a destination, and returns the function that delivers a run to it. @throws ApiError */
  deliveryTo?(name: string): Promise<(runId: string) => Promise<void>>
  /** Creates, checks or deletes what belongs to the caller's account, if there are accounts. @throws ApiError */
  manage?(name: ManageTool, input: Record<string, unknown>, signal: AbortSignal): Promise<Managed>
  /** Runs a scraper on a schedule, if there are accounts. @throws ApiError */
  watch?(requested: WatchRequest): Promise<Watching>
  /** The state of the claim of a `claimStatusUrl`; missing if no key is needed. */
  claim?(claimStatusUrl: string): Promise<ClaimStatus | undefined>
  /** The caller's latest runs, newest first; missing if it has no account. */
  latest(limit: number): Promise<{ name: string; run: Omit<RunRow, "input"> }[]>
}

/** Clients time out after a minute, most of them even while they receive progress. */
export const clientWaitMs = 50_000

export function unknownRun(name: string): ToolResponse {
  const message = `There is no run "${name.slice(0, 80)}". Use the run ID from start_run or from a scraper's response. Runs of anonymous callers are deleted after 24 hours.`
  return { status: "NOT_FOUND", error: { message } }
}

/** Returns the response for a run without its items. */
export function responseOf(run: RunRow, name: () => Promise<string>): ToolResponse {
  if (!isOver(run.status)) return { status: "RUNNING", run, name }
  if (run.status === "succeeded") return { status: "SUCCEEDED", run, name }
  const code = run.error_code ?? run.status
  const message = run.error_message ?? `The scrape ended with ${run.status.replace("_", " ")}.`
  return { status: "ERROR", run, name, error: { message, details: { code } } }
}

export function progressOf(run: RunRow, name: string): Progress {
  const { targets_done: done, targets_total: total, item_count: items, slug } = run
  return {
    done,
    total,
    message: `${slug}: ${done} of ${total} targets, ${items} items, run ${name}`,
  }
}
