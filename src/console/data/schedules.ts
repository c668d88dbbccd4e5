import type { Input } from "./keyless.ts"
import type { Condition } from "./monitors.ts"
import { type Part, partPath } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"
import type { Run } from "./runs.ts"

export interface Schedule {
  id: string
  name: string | null
  scraper: string
  input?: Input
  cron: string
  timeZone: string
  misfirePolicy: MisfirePolicy
  enabled: boolean
  disabledReason: string | null
  inputError: string | null
  conditions: Condition[] | null
  mutedUntil: string | null
  nextFireTimes: string[]
  recentRuns: ScheduledRun[]
  createdAt: string
}

/** Handling of scheduled times at which the service was not running. */
export type MisfirePolicy = "skip" | "run_once"

export interface ScheduledRun {
  dueAt: string
  outcome: "started" | "skipped" | "out_of_credit" | "failed"
  missed: number
  runId: string | null
}

export interface ScheduleTerms {
  name?: string
  cron: string
  timeZone: string
  misfirePolicy: MisfirePolicy
}

export const schedulesPath = (cursor?: string) => partPath("/api/v1/schedules", 100, cursor)
export const schedules = (cursor: string | undefined, signal: AbortSignal) =>
  requestJson<Part<Schedule>>(schedulesPath(cursor), signal)
export const scheduleOf = (id: string, signal: AbortSignal) =>
  requestJson<Schedule>(`/api/v1/schedules/${id}`, signal)
export const newSchedulePath = "/api/v1/schedules"
export const makeSchedule = (
  terms: ScheduleTerms & { scraper: string; input: Input; conditions?: Condition[] },
) => sendChange<Schedule>(newSchedulePath, terms)
export const changeSchedule = (
  id: string,
  change: Partial<Omit<Schedule, "name">> & { name?: string },
) => sendChange<Schedule>(`/api/v1/schedules/${id}`, change, "PATCH")
export const runScheduleNow = (id: string) => sendChange<Run>(`/api/v1/schedules/${id}/run`)
export const deleteSchedule = (id: string) => remove(`/api/v1/schedules/${id}`)

/** Returns the next times of a cron expression. */
export const nextTimes = async (cron: string, timeZone: string, signal: AbortSignal) =>
  (
    await requestJson<{ times: string[] }>(
      `/console/times?${new URLSearchParams({ cron, timeZone })}`,
      signal,
    )
  ).times

/** Time zone of the browser. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
export const zones = (stored: string) => [
  ...new Set([stored, ownZone, "UTC", ...Intl.supportedValuesOf("timeZone")]),
]

/** The durations for which notifications can be muted, in hours. */
export const mutes = [
  ["1", "For an hour"],
  ["24", "For a day"],
  ["168", "For a week"],
  ["forever", "Until I enable them again"],
] as const

/** The end of a mute without an end. */
const never = "9999-01-01T00:00:00.000Z"
export const mutedUntil = (choice: string) =>
  choice === "forever" ? never : new Date(Date.now() + Number(choice) * 3_600_000).toISOString()
export const isMuted = ({ mutedUntil: until }: { mutedUntil: string | null }) =>
  until !== null && Date.parse(until) > Date.now()
export const isMutedForGood = ({ mutedUntil: until }: { mutedUntil: string | null }) =>
  until !== null && until >= "9999"

export const shortSlug = (slug: string) => slug.replace(/-scraper$/, "")
