import type { Db } from "../db/database.ts"
import type { RunLogTable } from "../tables/schema.ts"

export interface NewLogLine {
  at: string
  level: RunLogTable["level"]
  message: string
}

export interface LogRow extends NewLogLine {
  id: number
}

export async function appendLog(
  db: Db,
  { runN, lines, waits }: { runN: number; lines: NewLogLine[]; waits?: string | undefined },
): Promise<void> {
  if (waits !== undefined) {
    await db
      .updateTable("runs")
      .set({ status_message: waits })
      .where("n", "=", runN)
      .where("status", "=", "running")
      .execute()
  }
  await db
    .insertInto("run_log")
    .values(lines.map((line) => ({ run_n: runN, ...line })))
    .execute()
}

/** Returns a run's log lines in order, after the line with the ID `after`. */
export async function logLines(
  db: Db,
  runN: number,
  { after = 0, limit = 1000 }: { after?: number; limit?: number } = {},
): Promise<LogRow[]> {
  return db
    .selectFrom("run_log")
    .select(["id", "at", "level", "message"])
    .where("run_n", "=", runN)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute()
}
