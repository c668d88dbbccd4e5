import { BoundedMap } from "../../../base/bounded-map.ts"
import {
  recentRuns,
  type ScheduleRow,
  type StoredScheduledRun,
} from "../../../store/automation/schedules.ts"
import type { Db } from "../../../store/db/database.ts"
import { itemBodies } from "../../../store/runs/items.ts"
import { accountRun } from "../../../store/runs/run-lists.ts"
import { isOver } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { errorOf, type Item } from "../common/run-now.ts"

const pageStatuses = ["same", "new", "changed", "removed", "error"] as const
export type PageStatus = (typeof pageStatuses)[number]

export const isPageStatus = (name: unknown): name is PageStatus =>
  (pageStatuses as readonly unknown[]).includes(name)

export type Summary = Record<PageStatus | "totalPages", number>

/** A scheduled run of a monitor, with its run if it started. */
export interface Check {
  scheduledRun: StoredScheduledRun
  run: RunRow | undefined
}

export async function checksOf(db: Db, row: ScheduleRow, limit: number): Promise<Check[]> {
  const scheduledRuns = await recentRuns(db, row.id, limit)
  const { account_id: accountId } = row
  return Promise.all(
    scheduledRuns.map(async (scheduledRun) => ({
      scheduledRun,
      run:
        scheduledRun.run_id === null
          ? undefined
          : await accountRun(db, { id: scheduledRun.run_id, accountId }),
    })),
  )
}

export async function lastCheck(db: Db, row: ScheduleRow): Promise<Check | undefined> {
  const [last] = await checksOf(db, row, 1)
  return last
}

/** The pages of a check. Yields between items, which may be large. */
export async function* checkedPages(db: Db, n: number): AsyncGenerator<Item> {
  for await (const body of itemBodies(db, n)) {
    yield JSON.parse(body) as Item
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export function pageStatusOf(item: Item): PageStatus {
  if (errorOf(item)) return "error"
  const { status } = (item.changes ?? {}) as { status?: unknown }
  return isPageStatus(status) ? status : "new"
}

/** Summaries of finished runs, which do not change. */
const summaries = new BoundedMap<string, Summary>(1000)

export async function summaryOf(db: Db, run: RunRow): Promise<Summary> {
  const known = summaries.get(run.id)
  if (known) return known
  const summary: Summary = { totalPages: 0, same: 0, new: 0, changed: 0, removed: 0, error: 0 }
  for await (const item of checkedPages(db, run.n)) {
    summary.totalPages++
    summary[pageStatusOf(item)]++
  }
  if (isOver(run.status)) summaries.set(run.id, summary)
  return summary
}
