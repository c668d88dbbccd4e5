import { type Part, partPath } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"
import { isFinished, runOf } from "./runs.ts"

export interface Condition {
  when: ConditionKind
  value?: number
  percent?: number
  days?: number
  text?: string
  field?: string
}

export type ConditionKind = (typeof conditionWords)[number][0]

/** Conditions, each with its text and the number or text it needs. */
export const conditionWords = [
  ["below", "falls below", "value"],
  ["above", "rises above", "value"],
  ["dropped", "falls by at least (percent)", "percent"],
  ["rose", "rises by at least (percent)", "percent"],
  ["back_in_stock", "is back in stock", null],
  ["out_of_stock", "is out of stock", null],
  ["appears", "a text appears", "text"],
  ["vanishes", "a text disappears", "text"],
  ["changed", "changes", null],
  ["status", "changes its status", null],
  ["expires", "expires within days", "days"],
] as const

export function conditionInWords(condition: Condition): string {
  const { when, value, percent, days, text, field } = condition
  const of = field ? `${field} ` : ""
  if (when === "below" || when === "above") return `${of}${when} ${value}`
  if (when === "dropped" || when === "rose") return `${of}${when} by ${percent} %`
  if (when === "expires") return `${of}expires in less than ${days} days`
  const words = { appears: "appears", vanishes: "vanishes" }[when as "appears"]
  if (words) return `${text ? `“${text}”` : field || "the text"} ${words}`
  return `${of}${when.replaceAll("_", " ")}`
}

export interface Point {
  key: string
  name: string
  url: string | null
  value: WatchedValue
  unit: string | null
  checkedAt: string
  changedAt: string | null
  change: string | null
  changeRunId: string | null
  history: { at: string; value: WatchedValue }[]
}

export type WatchedValue = number | string | boolean | null

/** Returns whether a value is the hash of a content, which means nothing to people. */
export const isFingerprint = (value: unknown): boolean =>
  typeof value === "string" && /^[\da-f]{16,}$/i.test(value)

export interface Monitor {
  id: string
  name: string | null
  scraper: string
  enabled: boolean
  tags: string[]
  mutedUntil: string | null
  nextRunAt: string | null
  lastRun: { at: string; outcome: string; runId: string | null } | null
  conditions: Condition[]
  watched: number
  points: Point[]
}

export const monitorsPath = (tag = "", cursor?: string) =>
  partPath("/api/v1/monitors", 50, cursor) + (tag && `&${new URLSearchParams({ tag })}`)
export const monitors = (tag: string, cursor: string | undefined, signal: AbortSignal) =>
  requestJson<Part<Monitor>>(monitorsPath(tag, cursor), signal)

export type GroupAction = "check" | "pause" | "resume"
/** Does the same with all monitors of a tag. */
export const actOnGroup = (tag: string, action: GroupAction) =>
  sendChange<{ items: { id: string; error: string | null }[] }>("/api/v1/monitors/group", {
    tag,
    action,
  })
export const changeTags = (id: string, tags: string[]) =>
  sendChange<unknown>(`/api/v1/schedules/${id}`, { tags }, "PATCH")

/** One change of a watched value. */
export interface Change {
  at: string
  name: string
  url: string | null
  condition: string
  before: WatchedValue
  after: WatchedValue
  sentence: string
  runId: string
}

const changesPath = (id: string) => `/api/v1/monitors/${id}/changes`
export const changesOf = (id: string, signal: AbortSignal) =>
  requestJson<{ items: Change[] }>(`${changesPath(id)}?limit=500`, signal)
export const historyPath = (id: string) => `/api/v1/monitors/${id}/history?format=csv`

/** Links to a monitor's feed. */
export interface FeedLink {
  id: string
  createdAt: string
}
const linksPath = (id: string) => `/api/v1/monitors/${id}/links`
export const feedLinks = (id: string, signal: AbortSignal) =>
  requestJson<{ items: FeedLink[] }>(linksPath(id), signal)
export const makeFeedLink = (id: string) => sendChange<FeedLink & { url: string }>(linksPath(id))
export const revokeFeedLink = (id: string, linkId: string) => remove(`${linksPath(id)}/${linkId}`)
export const monitorOf = (id: string, signal: AbortSignal) =>
  requestJson<Monitor>(`/api/v1/monitors/${id}`, signal)
export const changeConditions = (id: string, conditions: Condition[] | null) =>
  sendChange<unknown>(`/api/v1/schedules/${id}`, { conditions }, "PATCH")

/** Returns the progress of a check: whether its run has finished and its items are compared. */
export async function checkOf(id: string, runId: string, signal: AbortSignal) {
  const [run, monitor] = await Promise.all([runOf(runId, signal), monitorOf(id, signal)])
  const over = isFinished(run)
  const seen = monitor.points.some(
    ({ checkedAt }) => run.startedAt !== null && checkedAt >= run.startedAt,
  )
  // Runs without items are never compared.
  return { over, compared: over && (seen || run.itemCount === 0) }
}
