import { type SqlBool, sql } from "kysely"
import type { Db } from "../db/database.ts"

/** A note that a running target writes. */
export interface NewNote {
  seq: number
  /** Number of responses for the note; the target is charged for them when it ends. */
  pages: number
  unlockerPages: number
  /** JSON. */
  body: string
}

export async function keepNotes(db: Db, runN: number, notes: readonly NewNote[]): Promise<void> {
  for (const { seq, pages, unlockerPages, body } of notes) {
    await db
      .insertInto("run_notes")
      .values({ run_n: runN, seq, pages, unlocker_pages: unlockerPages, body })
      .execute()
  }
}

/** Drops the notes of targets that start from the beginning when they are retried. */
export async function dropNotes(db: Db, runN: number, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  await db.deleteFrom("run_notes").where("run_n", "=", runN).where("seq", "in", seqs).execute()
}

/**
 * Returns the notes of a target and of all finished targets, in the order in which they were
 * written.
 */
export async function notesFor(db: Db, runN: number, seq: number): Promise<NewNote[]> {
  const done = sql<SqlBool>`seq IN (
    SELECT targets.seq FROM targets WHERE targets.run_n = ${runN} AND targets.state = 'done')`
  return db
    .selectFrom("run_notes")
    .select(["seq", "pages", "unlocker_pages as unlockerPages", "body"])
    .where("run_n", "=", runN)
    .where((row) => row.or([row("seq", "=", seq), done]))
    .orderBy("id")
    .execute()
}
