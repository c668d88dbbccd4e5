import { Type } from "@sinclair/typebox"
import { conditionSchema } from "../../catalogue/kit/index.ts"
import { conditionsOf, type StoredReading } from "../../engine/ops/monitors/watcher.ts"
import { type MonitorPoint, watchedBy } from "../../store/automation/monitors.ts"
import { recentRuns, type ScheduleRow } from "../../store/automation/schedules.ts"
import { maybe, responseObject, time } from "../schemas/common.ts"
import type { CoreParts, ScraperParts } from "../service-parts.ts"

const value = maybe(Type.Union([Type.Number(), Type.String(), Type.Boolean()]))

const watchedSchema = responseObject({
  key: Type.String({ description: "By which it is known again." }),
  name: Type.String(),
  url: maybe(Type.String()),
  value: { ...value, description: "What it last said of the first condition." },
  unit: maybe(Type.String()),
  holding: Type.Array(Type.String(), { description: "Which conditions held at the last check." }),
  checkedAt: time("When it was last seen."),
  changedAt: maybe(time("When a condition last came true.")),
  change: maybe(Type.String({ description: "That change, in words." })),
  changeRunId: maybe(Type.String({ description: "The run that found it, `run_…`." })),
  history: Type.Array(responseObject({ at: time("When."), value }), {
    description: "The last 60 values, the oldest first.",
  }),
})

export const monitorSchema = responseObject(
  {
    id: Type.String({ description: "Of the schedule, `sch_…`." }),
    name: maybe(Type.String()),
    scraper: Type.String(),
    enabled: Type.Boolean(),
    tags: Type.Array(Type.String()),
    mutedUntil: maybe(time("Until then no notification is sent.")),
    nextRunAt: maybe(time("When it runs next.")),
    lastRun: maybe(
      responseObject({
        at: time("When it was fired."),
        outcome: Type.String(),
        runId: maybe(Type.String()),
      }),
    ),
    conditions: Type.Array(conditionSchema, {
      description: "The schedule's own, or those that its scraper brings along.",
    }),
    watched: Type.Integer({ description: "How many things it watches." }),
    points: Type.Array(watchedSchema, {
      description: "Them, those that changed last first; a list shows ten of each monitor.",
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
    history: history.map(([at, stated]) => ({ at, value: stated })),
  }
}
