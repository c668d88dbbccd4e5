import { sql } from "kysely"
import type { Db } from "./database.ts"

export interface Caller {
  /** What a caller is known by: hashed address and agent id. The larger use counts. */
  subjects: readonly string[]
  day: string
}

export async function allowanceUsed(db: Db, caller: Caller): Promise<number> {
  const row = await db
    .selectFrom("allowance")
    .select((table) => table.fn.max("used").as("used"))
    .where("day", "=", caller.day)
    .where("subject", "in", caller.subjects)
    .executeTakeFirst()
  return row?.used ?? 0
}

/** Takes one call from the day's allowance in one statement; the calls used, or null when spent. */
export async function takeAllowance(
  db: Db,
  caller: Caller & { limit: number },
): Promise<number | null> {
  const { subjects, day, limit } = caller
  const candidates = sql.join(
    subjects.map((subject) => sql`(${subject})`),
    sql`, `,
  )
  const rows = await sql<{ used: number }>`
    INSERT INTO allowance (subject, day, used)
    SELECT subject.column1, ${day}, 1 FROM (VALUES ${candidates}) AS subject
    WHERE (
      SELECT coalesce(max(used), 0) FROM allowance
      WHERE day = ${day} AND subject IN (${sql.join(subjects)})
    ) < ${limit}
    ON CONFLICT (subject, day) DO UPDATE SET used = allowance.used + 1
    RETURNING used
  `.execute(db)
  if (rows.rows.length === 0) return null
  return Math.max(...rows.rows.map((row) => row.used))
}
