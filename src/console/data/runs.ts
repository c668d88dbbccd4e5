import { daysAgo } from "./account.ts"
import type { Input, Item } from "./keyless.ts"
import type { Part } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"
import { base } from "./shell.ts"

export interface Run {
  id: string
  scraper: string
  /** Slug of the account's recipe that the run executes; null for other scrapers. */
  recipe: string | null
  title: string | null
  status: "queued" | "running" | "succeeded" | "failed" | "timed_out" | "aborting" | "aborted"
  statusMessage: string | null
  input?: Input
  datasetId: string
  itemCount: number
  errorCount: number
  pageCount: number
  targetsDone: number
  targetsTotal: number
  creditsCharged: number
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  error: { code: string; message: string } | null
}

export interface Target {
  position: number
  target: string
  state: "queued" | "running" | "done" | "failed"
  reason: string | null
  fetchMethod: string | null
  code: string | null
  message: string | null
}

export interface Line {
  at: string
  level: "info" | "warning" | "error"
  message: string
}

export const isFinished = ({ status }: Run) => !["queued", "running", "aborting"].includes(status)
export const mayGoOn = ({ status }: Run) => ["failed", "timed_out", "aborted"].includes(status)

/** Ranges of the list, in days; "" for no limit. */
export const spans = [
  ["", "At any time"],
  ["1", "Since yesterday"],
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
] as const

interface Filter {
  search: string
  status: string
  scraper: string
  span: string
}

export function listPath({ search, status, scraper, span }: Filter, cursor?: string): string {
  const query = new URLSearchParams({
    limit: "50",
    ...(search && { search }),
    ...(status && { status }),
    ...(scraper && { scraper }),
    ...(Number(span) > 0 && { createdAfter: daysAgo(Number(span)) }),
    ...(cursor && { cursor }),
  })
  return `/api/v1/runs?${query}`
}

export const runs = (path: string, signal: AbortSignal) => requestJson<Part<Run>>(path, signal)

export const runOf = (id: string, signal: AbortSignal) =>
  requestJson<Run>(`/api/v1/runs/${id}`, signal)

export const itemsOf = (datasetId: string, offset: number, signal: AbortSignal) =>
  requestJson<{ items: Item[]; total: number }>(
    `/api/v1/datasets/${datasetId}/items?limit=${itemsAtOnce}&offset=${offset}`,
    signal,
  )

export function targetsPath(id: string, state: string, cursor?: string): string {
  const query = new URLSearchParams({
    ...(state && { state }),
    limit: "50",
    ...(cursor && { cursor }),
  })
  return `/api/v1/runs/${id}/targets?${query}`
}
export const targetsOf = (
  id: string,
  state: string,
  cursor: string | undefined,
  signal: AbortSignal,
) => requestJson<Part<Target>>(targetsPath(id, state, cursor), signal)

/** Items of one page. */
export const itemsAtOnce = 50

export const runsPath = (slug: string) => `/api/v1/scrapers/${slug}/runs`
/** @param options Names of the destination that receives the items, and of the session; "" for none. */
export function startRun(
  slug: string,
  input: Input,
  options: { destination?: string; session?: string } = {},
): Promise<Run> {
  const named = Object.entries(options).filter(([, name]) => name)
  const query = named.length > 0 ? `?${new URLSearchParams(named)}` : ""
  return sendChange<Run>(`${runsPath(slug)}${query}`, input)
}
export const rename = (id: string, title: string) =>
  sendChange<Run>(`/api/v1/runs/${id}`, { title }, "PATCH")
/** Returns the recipe's slug or the scraper's short name. */
export const whatRuns = ({ recipe, scraper }: Pick<Run, "recipe" | "scraper">) =>
  recipe ?? scraper.replace(/-scraper$/, "")
export const abort = (id: string) => sendChange<Run>(`/api/v1/runs/${id}/abort`)
export const resume = (id: string) => sendChange<Run>(`/api/v1/runs/${id}/resume`)

/** Deletes a finished run. */
export const deleteRun = (id: string) => remove(`/api/v1/runs/${id}`)

/** Runs the failed targets again, into the same dataset. */
export const retry = (id: string) => sendChange<Run>(`/api/v1/runs/${id}/retry`)

/** Number of finished targets at a time. */
export interface Sight {
  at: number
  done: number
}

/**
 * Milliseconds over which the rate is measured, so that waiting at the start of a run does not
 * count.
 */
const rateLimitMs = 30_000
const minMs = 2_000

/** Adds a measurement; about one per second is stored. */
export function sights(before: Sight[], now: Sight): Sight[] {
  const recent = before.filter(({ at, done }) => at > now.at - rateLimitMs && done <= now.done)
  const last = recent.at(-1)
  return last && now.at - last.at < 1_000 ? recent : [...recent, now]
}

/** Returns targets per second; 0 if there are too few measurements. */
export function rateOf(seen: Sight[]): number {
  const [first, last] = [seen[0], seen.at(-1)]
  if (!first || !last || last.at - first.at < minMs) return 0
  return ((last.done - first.done) * 1000) / (last.at - first.at)
}

/** Maximum log lines in memory. */
const maxLines = 200

/**
 * Follows a run to its end. Events between two frames of the screen are reported together.
 * @param onConnection Called when the connection is lost and when it is back.
 */
export function follow(
  id: string,
  onNews: (run: Run | undefined, lines: Line[]) => void,
  onConnection: (isThere: boolean) => void = () => {},
): () => void {
  const source = new EventSource(`${base}/api/v1/runs/${id}/events`)
  let run: Run | undefined
  let lines: Line[] = []
  let planned = 0
  const plan = () => {
    planned ||= requestAnimationFrame(() => {
      planned = 0
      onNews(run, lines)
      lines = []
    })
  }
  const onRun = ({ data }: MessageEvent<string>) => {
    run = JSON.parse(data) as Run
    plan()
  }
  // The stream of a finished run closes after its last line; without this, the browser would reconnect.
  source.addEventListener("error", () => {
    if (run && isFinished(run)) source.close()
    else onConnection(false)
  })
  source.addEventListener("open", () => onConnection(true))
  source.addEventListener("status", onRun)
  source.addEventListener("progress", onRun)
  source.addEventListener("log", ({ data }: MessageEvent<string>) => {
    lines = [...lines.slice(1 - maxLines), JSON.parse(data)]
    plan()
  })
  return () => {
    cancelAnimationFrame(planned)
    source.close()
  }
}

export const lastOf = (lines: Line[]) => lines.slice(-maxLines)

/** Returns a duration in words. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
