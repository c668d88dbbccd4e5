import type { ClaimStanding } from "../../accounts/claims.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import type { Db } from "../../store/database.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"

/** How far a run is, for progress notifications. */
export interface Progress {
  done: number
  total: number
  message: string
}

/** What came of one call, whichever way its run went. */
export interface ToolResponse {
  status: string
  /** The run whose items are given. */
  run?: RunRow
  /** By which name later calls ask for the run. */
  name?: () => Promise<string>
  error?: unknown
  notice?: string
  /** The run of an identical call gave the items, so many seconds ago. */
  cached?: boolean
  age?: number
  /** Where the answer will be, for who can fetch it by itself. */
  resultUrl?: string
  claimUrl?: string
  claimStatusUrl?: string
  agentGuidance?: string
  agentId?: string
  free?: unknown
}

export interface Waiting {
  signal: AbortSignal
  onProgress?(progress: Progress): void
  /** The client opens addresses for its user. */
  opensAddresses?: boolean
  /** How old a run of the same input may be that answers in its place. */
  maxAgeMs?: number
  /** Answers with the run as it stands after so long. Default: what clients wait for at least. */
  waitMs?: number
}

/** A scraper that is to run by the clock. */
export interface WatchRequest {
  scraper: string
  input: Record<string, unknown>
  every: "15 minutes" | "hour" | "day" | "week"
  /** URL that is told what changed. */
  webhook?: string
}

export interface Watching {
  scheduleId: string
  nextFireTimes: string[]
  /** What the webhook's deliveries are signed with, said this once. */
  webhookSecret?: string
}

/** The runs of one caller: through the keyless surface, or right here (stdio). */
export interface ToolRuns {
  readonly db: Db
  /** An item of a run whose files have addresses that the caller can use. */
  linked(item: Record<string, unknown>, run: RunRow): Promise<Record<string, unknown>>
  /** The contents of a file of a run; undefined where it has no such file any more. */
  contents(id: string, run: RunRow): Promise<Uint8Array | undefined>
  run(scraper: AnyScraper, input: Record<string, unknown>, waiting: Waiting): Promise<ToolResponse>
  /** A run by its name, over or as it stands after a wait. */
  find(name: string, waiting: Waiting): Promise<ToolResponse>
  abort(name: string): Promise<ToolResponse>
  /** Runs a scraper by the clock, where there are accounts. @throws ApiError */
  watch?(requested: WatchRequest): Promise<Watching>
  /** What became of the claim behind a `claimStatusUrl`; none where no key is needed. */
  claim?(claimStatusUrl: string): Promise<ClaimStanding | undefined>
  /** The caller's last runs, the newest first; none where it has no account. */
  latest(limit: number): Promise<{ name: string; run: Omit<RunRow, "input"> }[]>
}

/** Clients give up after a minute, most of them also while they are told of progress. */
export const clientWaitMs = 50_000

export function unknownRun(name: string): ToolResponse {
  const message = `There is no run "${name.slice(0, 80)}": start_run and the answers of scrapers name them; those of callers without a key are kept for 24 hours.`
  return { status: "NOT_FOUND", error: { message } }
}

/** The answer that a run is by itself. */
export function responseOf(run: RunRow, name: () => Promise<string>): ToolResponse {
  if (!isOver(run.status)) return { status: "RUNNING", run, name }
  if (run.status === "succeeded") return { status: "SUCCEEDED", run, name }
  const code = run.error_code ?? run.status
  const message = run.error_message ?? `The scrape ended ${run.status.replace("_", " ")}.`
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
