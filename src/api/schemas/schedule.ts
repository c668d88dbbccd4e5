import { Type } from "@sinclair/typebox"
import { type Condition, conditionSchema, oneOf } from "../../catalogue/kit/index.ts"
import { nextRuns } from "../../engine/runtime/schedules/due-times.ts"
import { recentRuns, type ScheduleRow } from "../../store/automation/schedules.ts"
import type { Db } from "../../store/database.ts"
import { anyObject, maybe, pathId, responseObject, time } from "./common.ts"

const visibleTimes = 5
const visibleScheduledRuns = 10

const settings = {
  name: Type.String({ maxLength: 200 }),
  input: Type.Object({}, { additionalProperties: true, description: "The scraper's input." }),
  cron: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Five fields (minute, hour, day, month, weekday), or @hourly, @daily, @weekly …",
  }),
  timeZone: Type.String({
    maxLength: 100,
    description: "IANA name, such as Europe/Berlin.",
  }),
  misfirePolicy: oneOf(["skip", "run_once"], {
    description:
      "Ticks that found the service stopped: `skip` drops them, `run_once` makes up for all by one run.",
  }),
  enabled: Type.Boolean(),
  conditions: Type.Array(conditionSchema, {
    maxItems: 20,
    description:
      "Conditions on items between two runs that send `monitor.changed`. `null` uses the scraper's defaults.",
  }),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
    maxItems: 20,
    description: "Schedules with a tag in common are a group: see `POST /api/v1/monitors/group`.",
  }),
  mutedUntil: Type.String({
    format: "date-time",
    description: "Until then, no notifications of its changes and runs are sent.",
  }),
}

export const newScheduleBody = Type.Object(
  {
    scraper: Type.String({ minLength: 1, description: "Slug of a scraper." }),
    input: settings.input,
    cron: settings.cron,
    timeZone: Type.String({ ...settings.timeZone, default: "UTC" }),
    misfirePolicy: oneOf(["skip", "run_once"], {
      description: settings.misfirePolicy.description as string,
      default: "skip",
    }),
    enabled: Type.Boolean({ default: true }),
    name: Type.Optional(settings.name),
    conditions: Type.Optional(settings.conditions),
    tags: Type.Optional(settings.tags),
  },
  { additionalProperties: false },
)
export const scheduleChange = Type.Partial(
  Type.Object({
    ...settings,
    conditions: maybe(settings.conditions),
    mutedUntil: maybe(settings.mutedUntil),
  }),
  { additionalProperties: false },
)

export const scheduleSchema = responseObject(
  {
    id: Type.String({ description: "`sch_…`" }),
    name: maybe(Type.String()),
    scraper: Type.String(),
    input: anyObject(),
    cron: Type.String(),
    timeZone: Type.String(),
    misfirePolicy: settings.misfirePolicy,
    enabled: Type.Boolean(),
    disabledReason: maybe(Type.String({ description: "Why the service switched it off." })),
    inputError: maybe(
      Type.String({
        description: "Why its last run could not begin with the input; null once one could.",
      }),
    ),
    conditions: maybe(settings.conditions),
    tags: settings.tags,
    mutedUntil: maybe(settings.mutedUntil),
    nextFireTimes: Type.Array(time("UTC."), {
      description: `The next ${visibleTimes} times; empty while disabled.`,
    }),
    recentRuns: Type.Array(
      responseObject({
        dueAt: time("When it was due."),
        firedAt: time("When it was fired."),
        outcome: oneOf(["started", "skipped", "out_of_credit", "failed"]),
        missed: Type.Integer({ description: "Ticks missed together with this one." }),
        runId: maybe(Type.String()),
      }),
      { description: `What became of the last ${visibleScheduledRuns} ticks, the newest first.` },
    ),
    createdAt: time("When it was made."),
  },
  { $id: "Schedule" },
)

const { input, ...visibleProperties } = scheduleSchema.properties
export const listedScheduleSchema = responseObject(
  { ...visibleProperties, input: Type.Optional(input) },
  { $id: "ListedSchedule", description: "Without its input, but with `view=full`." },
)

/** Tags as they are stored: without spaces around them, in lower case, each once. */
export const storedTags = (tags: readonly string[]) =>
  JSON.stringify([...new Set(tags.map((tag) => tag.trim().toLowerCase()).filter(Boolean))])

export const scheduleParams = { scheduleId: pathId("schedule", "sch") }

export async function scheduleResponse(db: Db, row: ScheduleRow) {
  const scheduledRuns = await recentRuns(db, row.id, visibleScheduledRuns)
  return {
    id: row.id,
    name: row.name,
    scraper: row.slug,
    input: JSON.parse(row.input),
    cron: row.cron,
    timeZone: row.time_zone,
    misfirePolicy: row.misfire_policy,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    inputError: row.input_error,
    conditions: row.conditions === null ? null : (JSON.parse(row.conditions) as Condition[]),
    tags: JSON.parse(row.tags) as string[],
    mutedUntil: row.muted_until,
    nextFireTimes: nextTimes(row),
    recentRuns: scheduledRuns.map((scheduledRun) => ({
      dueAt: scheduledRun.due_at,
      firedAt: scheduledRun.fired_at,
      outcome: scheduledRun.outcome,
      missed: scheduledRun.missed,
      runId: scheduledRun.run_id,
    })),
    createdAt: row.created_at,
  }
}

function nextTimes({ next_at, cron, time_zone }: ScheduleRow): string[] {
  if (next_at === null) return []
  const later = nextRuns(cron, time_zone, new Date(next_at), visibleTimes - 1)
  return [next_at, ...later.map((scheduledRun) => scheduledRun.toISOString())]
}
