import type { Db } from "./database.ts"
import { closingSeq, insertItems, itemRows, type NewItem } from "./items.ts"
import { remember } from "./memory.ts"
import { type Attempt, addCounts, type RunCounts } from "./run-counts.ts"

/** Stores a run's closing items in place of those of an earlier attempt. @throws AttemptGivenUp */
export async function closeRun(
  db: Db,
  close: Attempt & {
    items: NewItem[]
    remembered: Record<string, string>
    accountId: string | null
    slug: string
    at: string
  },
): Promise<RunCounts> {
  const { runN, items, accountId, slug, remembered: values, at } = close
  const before = await dropClosing(db, runN)
  await insertItems(db, "items", itemRows(runN, closingSeq, 0, items))
  await remember(db, { owner: accountId ?? "", slug, values, at })
  const errors = items.filter((item) => item.isError).length
  return addCounts(db, close, {
    item_count: items.length - errors - before.items,
    error_count: errors - before.errors,
  })
}

/** Deletes closing items; how many good ones and errors there were. */
export async function dropClosing(
  db: Db,
  runN: number,
): Promise<{ items: number; errors: number }> {
  const rows = await db
    .deleteFrom("items")
    .where("run_n", "=", runN)
    .where("seq", "=", closingSeq)
    .returning("is_error")
    .execute()
  const errors = rows.filter((row) => row.is_error === 1).length
  return { items: rows.length - errors, errors }
}
