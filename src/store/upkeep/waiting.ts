import { sql } from "kysely"
import type { Db } from "../db/database.ts"

/** Returns whether there is work without a call: runs, schedules, webhooks or destinations. */
export async function workWaits(db: Db): Promise<boolean> {
  const { rows } = await sql<{ waits: number | boolean }>`
    SELECT EXISTS (SELECT 1 FROM runs WHERE status IN ('queued', 'running', 'aborting'))
      OR EXISTS (SELECT 1 FROM schedules WHERE next_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM job_hooks)
      OR EXISTS (SELECT 1 FROM run_deliveries WHERE state = 'waiting')
      OR EXISTS (SELECT 1 FROM deliveries WHERE next_at IS NOT NULL) AS waits`.execute(db)
  return Boolean(rows[0]?.waits)
}
