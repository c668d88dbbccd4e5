import { Type } from "@sinclair/typebox"
import { type Condition, conditionSchema, oneOf } from "../../catalogue/kit/index.ts"
import { nextRuns } from "../../engine/runtime/schedules/due-times.ts"
import { recentRuns, type ScheduleRow } from "../../store/automation/schedules.ts"
import type { Db } from "../../store/db/database.ts"
import { anyObject, maybe, pathId, responseObject, time } from "./common.ts"
import { chosenDestination } from "./destination.ts"
import { sessionOption } from "./session.ts"

const visibleTimes = 5
const visibleScheduledRuns = 10

const settings = {
  name: Type.String({ maxLength: 200 }),
  input: Type.Object({}, { additionalProperties: true, description: "Input of the scraper." }),
  cron: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      "Cron expression with five fields (minute, hour, day, month, weekday), or @hourly, @daily, @weekly …",
  }),
  timeZone: Type.String({
    maxLength: 100,
    description: "IANA time zone, for example Europe/Berlin.",
  }),
  misfirePolicy: oneOf(["skip", "run_once"], {
    description:
      "Handling of times at which the service was stopped: `skip` drops them, `run_once` starts one run for all of them.",
  }),
  enabled: Type.Boolean(),
  conditions: Type.Array(conditionSchema, {
    maxItems: 20,
    description:
      "Changes of items between two runs that send `monitor.changed`. `null` uses the scraper's defaults.",
  }),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
    maxItems: 20,
    description: "Schedules with a tag in common are a group: see `POST /api/v1/monitors/group`.",
  }),
  mutedUntil: Type.String({
    format: "date-time",
    description: "Time until which no notifications of its changes and runs are sent.",
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
    destination: Type.Optional(chosenDestination),
    session: Type.Optional(sessionOption),
  },
  { additionalProperties: false },
)
export const scheduleChange = Type.Partial(
  Type.Object({
    ...settings,
    conditions: maybe(settings.conditions),
    destination: maybe(chosenDestination),
    mutedUntil: maybe(settings.mutedUntil),
    session: maybe(sessionOption),
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
    disabledReason: maybe(Type.String({ description: "Reason why the service disabled it." })),
    inputError: maybe(
      Type.String({
        description:
          "Reason why its last run could not start with the input; null after a successful start.",
      }),
    ),
    conditions: maybe(settings.conditions),
    tags: settings.tags,
    mutedUntil: maybe(settings.mutedUntil),
    session: maybe(Type.String({ description: "Session used to fetch its pages." })),
    destination: maybe(Type.String({ description: "Destination that receives the items." })),
    keyId: maybe(Type.String({ description: "Key within whose expiry and credit limit it runs." })),
    nextFireTimes: Type.Array(time("UTC."), {
      description: `The next ${visibleTimes} start times; empty while disabled.`,
    }),
    recentRuns: Type.Array(
      responseObject({
        dueAt: time("Scheduled time."),
        firedAt: time("Time at which it was started."),
        outcome: oneOf(["started", "skipped", "out_of_credit", "failed"]),
        missed: Type.Integer({ description: "Number of missed times that this run replaces." }),
        runId: maybe(Type.String()),
      }),
      { description: `Results of the last ${visibleScheduledRuns} scheduled times, newest first.` },
    ),
    createdAt: time("Time of creation."),
  },
  { $id: "Schedule" },
)

const { input, ...visibleProperties } = scheduleSchema.properties
export const listedScheduleSchema = responseObject(
  { ...visibleProperties, input: Type.Optional(input) },
  { $id: "ListedSchedule", description: "Without its input, unless `view=full` is set." },
)

/** Tags for storage: trimmed, in lower case, without duplicates. */
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
    destination: row.destination,
    session: row.session,
    keyId: row.key_id,
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
