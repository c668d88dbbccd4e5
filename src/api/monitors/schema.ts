import { Type } from "@sinclair/typebox"
import { conditionSchema } from "../../catalogue/kit/index.ts"
import { conditionsOf, type StoredReading } from "../../engine/ops/monitors/watcher.ts"
import { type MonitorPoint, watchedBy } from "../../store/automation/monitors.ts"
import { recentRuns, type ScheduleRow } from "../../store/automation/schedules.ts"
import { maybe, responseObject, time } from "../schemas/common.ts"
import type { CoreParts, ScraperParts } from "../service-parts.ts"

const value = maybe(Type.Union([Type.Number(), Type.String(), Type.Boolean()]))

const watchedSchema = responseObject({
  key: Type.String({ description: "Key of the entry, stable between checks." }),
  name: Type.String(),
  url: maybe(Type.String()),
  value: { ...value, description: "Last value for the first condition." },
  unit: maybe(Type.String()),
  holding: Type.Array(Type.String(), {
    description: "Conditions that were met at the last check.",
  }),
  checkedAt: time("Time of the last check that found the entry."),
  changedAt: maybe(time("Time of the last change that met a condition.")),
  change: maybe(Type.String({ description: "The change as a sentence." })),
  changeRunId: maybe(
    Type.String({ description: "ID of the run that found the change (`run_…`)." }),
  ),
  history: Type.Array(responseObject({ at: time("Time of the check."), value }), {
    description: "The last 60 values, oldest first.",
  }),
})

export const monitorSchema = responseObject(
  {
    id: Type.String({ description: "ID of the schedule (`sch_…`)." }),
    name: maybe(Type.String()),
    scraper: Type.String(),
    enabled: Type.Boolean(),
    tags: Type.Array(Type.String()),
    mutedUntil: maybe(time("Time until which no notifications are sent.")),
    nextRunAt: maybe(time("Time of the next run.")),
    lastRun: maybe(
      responseObject({
        at: time("Time at which it was started."),
        outcome: Type.String(),
        runId: maybe(Type.String()),
      }),
    ),
    conditions: Type.Array(conditionSchema, {
      description: "Conditions of the schedule, or the defaults of its scraper.",
    }),
    watched: Type.Integer({ description: "Number of watched entries." }),
    points: Type.Array(watchedSchema, {
      description: "Watched entries, recently changed first; a list returns ten per monitor.",
    }),
  },
  { $id: "Monitor" },
)

export async function monitorResponse(
  service: CoreParts & ScraperParts,
  row: ScheduleRow,
  visible: number,
) {
  const { db } = service.store
  const [scheduledRun] = await recentRuns(db, row.id, 1)
  const { points, total } = await watchedBy(db, row.id, visible)
  return {
    id: row.id,
    name: row.name,
    scraper: row.slug,
    enabled: row.enabled === 1,
    tags: JSON.parse(row.tags) as string[],
    mutedUntil: row.muted_until,
    nextRunAt: row.next_at,
    lastRun: scheduledRun
      ? { at: scheduledRun.fired_at, outcome: scheduledRun.outcome, runId: scheduledRun.run_id }
      : null,
    conditions: [...conditionsOf(row, service.scraper(row.slug))],
    watched: total,
    points: points.map(pointResponse),
  }
}

type Visible = string | number | boolean | null

function pointResponse(point: MonitorPoint) {
  const history: [string, Visible][] = JSON.parse(point.history)
  const { unit, changeRunId = null } = JSON.parse(point.reading) as StoredReading
  return {
    key: point.key,
    name: point.name,
    url: point.url,
    value: history.at(-1)?.[1] ?? null,
    unit,
    holding: JSON.parse(point.holding) as string[],
    checkedAt: point.seen_at,
    changedAt: point.changed_at,
    change: point.change,
    changeRunId,
    history: history.map(([at, value]) => ({ at, value: value })),
  }
}
