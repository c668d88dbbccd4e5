import { sql } from "kysely"
import type { Db } from "../db/database.ts"
import { type Attempt, addCounts } from "../db/run-counts.ts"
import { insertItems, itemRows, type NewItem } from "./items.ts"

/** Stores items of a running target, from position `from`. @throws AttemptGivenUp */
export async function stageItems(
  db: Db,
  stage: Attempt & { seq: number; from: number; items: NewItem[] },
): Promise<void> {
  await addCounts(db, stage, {})
  const rows = itemRows(stage.runN, stage.seq, stage.from, stage.items)
  await insertItems(db, "staged_items", rows)
}

/** Drops the staged items of a target. @throws AttemptGivenUp */
export async function discardStaged(db: Db, discard: Attempt & { seq: number }): Promise<void> {
  await addCounts(db, discard, {})
  await db
    .deleteFrom("staged_items")
    .where("run_n", "=", discard.runN)
    .where("seq", "=", discard.seq)
    .execute()
}

/** Moves a target's staged items to its items; returns their number. */
export async function moveStaged(db: Db, runN: number, seq: number) {
  await sql`
    INSERT INTO items SELECT * FROM staged_items WHERE run_n = ${runN} AND seq = ${seq}`.execute(db)
  const rows = await db
    .deleteFrom("staged_items")
    .where("run_n", "=", runN)
    .where("seq", "=", seq)
    .returning("is_error")
    .execute()
  return { items: rows.length, errors: rows.filter((row) => row.is_error === 1).length }
}
