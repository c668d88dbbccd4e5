import { type FieldLocation, withOwn } from "../../../base/own-fields.ts"
import { type AnyScraper, type Condition, ownFieldsOf } from "../../../catalogue/kit/index.ts"
import {
  type Change,
  type MonitorPoint,
  maxPoints,
  pointsOf,
  type RunToCompare,
  runsToCompare,
} from "../../../store/automation/monitors.ts"
import { itemBodies } from "../../../store/runs/items.ts"
import { inputsOfRuns } from "../../../store/runs/run-lists.ts"
import type { OwnStore } from "../../../store/store.ts"
import { evaluate } from "./conditions.ts"
import { type Item, imageOf, type Reading, readingOf, sideOf, watchOf } from "./readings.ts"

/** Stored values of a watched entry. */
export interface StoredReading extends Pick<Reading, "sides" | "unit"> {
  /** Run in which a condition last became true; missing if an older version stored the change. */
  changeRunId?: string | undefined
}

const runsAtOnce = 20
/** Maximum values per entry, for its chart. */
const maxHistory = 60
/** Maximum bytes of an item; reading a larger one would delay other work. */
const maxItem = 4 * 1024 * 1024
/** Characters of items after which other work is run. */
const yieldAfter = 256 * 1024
const neverStopped = new AbortController().signal

export interface WatcherParts {
  store: OwnStore
  scraper(slug: string): AnyScraper | undefined
  now?(): Date
}

/** Returns the conditions of a schedule: its own, or its scraper's defaults. */
export function conditionsOf(
  schedule: { conditions: string | null },
  scraper: AnyScraper | undefined,
): readonly Condition[] {
  if (schedule.conditions !== null) return JSON.parse(schedule.conditions)
  return scraper?.watch?.conditions ?? []
}

/** Compares the items of scheduled runs with those of the previous run. */
export class MonitorWatcher {
  private readonly now: () => Date

  constructor(private readonly parts: WatcherParts) {
    this.now = parts.now ?? (() => new Date())
  }

  /** Judges finished runs; returns whether there may be more. */
  async poll(stopped = neverStopped): Promise<boolean> {
    const runs = await runsToCompare(this.parts.store.db, runsAtOnce)
    for (const run of runs) {
      if (stopped.aborted) return false
      await this.compareRun(run, stopped)
    }
    return runs.length === runsAtOnce
  }

  private async compareRun(run: RunToCompare, stopped: AbortSignal): Promise<void> {
    const { store, scraper } = this.parts
    const { schedule, runId } = run
    const known = scraper(schedule.slug)
    const conditions = conditionsOf(schedule, known)
    const at = this.now().toISOString()
    const points = new Map<string, MonitorPoint>()
    const changes: Change[] = []
    if (conditions.length > 0 && run.hasItems) {
      const before = new Map(
        (await pointsOf(store.db, schedule.id)).map((point) => [point.key, point]),
      )
      const watch = watchOf(known?.watch)
      const own = await this.ownFieldsOf(run.runN)
      for await (const stored of this.itemsOf(run.runN, stopped)) {
        const item = withOwn(stored, own)
        const now = readingOf(item, watch, conditions)
        if (!now || points.has(now.key)) continue
        const last = before.get(now.key)
        if (!last && before.size + points.size >= maxPoints) continue
        const prior = last ? (JSON.parse(last.reading) as StoredReading) : null
        const { holding, fired } = evaluate({ item, watch, now, before: prior }, conditions)
        const { key, name, url } = now
        const image = fired.length > 0 ? imageOf(item) : null
        changes.push(...fired.map((one) => ({ key, name, url, image, ...one })))
        points.set(now.key, pointOf(run, now, { last, prior, holding, fired, conditions, at }))
      }
      if (stopped.aborted) return
    }
    await store.write("monitors.note", {
      runId,
      scheduleId: schedule.id,
      points: [...points.values()],
      changes,
      at,
    })
  }

  /** Returns the fields that the run's input defines, which conditions can name. */
  private async ownFieldsOf(runN: number): Promise<FieldLocation[]> {
    const [run] = await inputsOfRuns(this.parts.store.db, [runN])
    const scraper = run && this.parts.scraper(run.slug)
    return scraper ? ownFieldsOf(scraper, JSON.parse(run.input)) : []
  }

  private async *itemsOf(runN: number, stopped: AbortSignal): AsyncGenerator<Item> {
    let read = 0
    let seen = 0
    for await (const body of itemBodies(this.parts.store.db, runN)) {
      if (stopped.aborted || seen++ >= 2 * maxPoints) return
      read += body.length
      if (body.length <= maxItem) yield JSON.parse(body)
      if (read < yieldAfter) continue
      read = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

interface ComparedRun {
  last: MonitorPoint | undefined
  prior: StoredReading | null
  holding: string[]
  fired: { sentence: string }[]
  conditions: readonly Condition[]
  at: string
}

function pointOf(
  { runId, schedule }: RunToCompare,
  { key, name, url, sides, unit }: Reading,
  { last, prior, holding, fired, conditions, at }: ComparedRun,
): MonitorPoint {
  // Values that the page lacks this time keep their last value for the next comparison.
  const retained = Object.fromEntries(Object.entries(sides).filter(([, value]) => value !== null))
  const history: [string, unknown][] = last ? JSON.parse(last.history) : []
  const visible = conditions.map((condition) => sides[sideOf(condition)]).find((one) => one != null)
  if (visible !== undefined) history.push([at, visible])
  return {
    schedule_id: schedule.id,
    key,
    name,
    url,
    reading: JSON.stringify({
      sides: { ...prior?.sides, ...retained },
      unit: unit ?? prior?.unit ?? null,
      changeRunId: fired.length > 0 ? runId : prior?.changeRunId,
    } satisfies StoredReading),
    holding: JSON.stringify(holding),
    seen_at: at,
    changed_at: fired.length > 0 ? at : (last?.changed_at ?? null),
    change:
      fired.length > 0 ? fired.map(({ sentence }) => sentence).join("\n") : (last?.change ?? null),
    history: JSON.stringify(history.slice(-maxHistory)),
  }
}
