import { type Quota, spendFreeQuota } from "../accounts/free-quota.ts"
import type { Db } from "../db/database.ts"
import { createRun, type NewRun, type ReservedSlot } from "../runs/runs.ts"
import { isMember } from "../shared/take.ts"
import type { RunRow } from "../tables/schema.ts"

interface RunStart {
  run: NewRun
  /** The daily free quota that pays; null if an account does. */
  quota: Quota | null
  /** The slot that is reserved for the run; null if it has to wait for one. */
  slot: ReservedSlot | null
}

/**
 * Starts a run by one change: uses one call of the daily free quota, stores the run, and claims it if a
 * slot is reserved. Returns null if the quota is exhausted; nothing is stored then.
 */
export async function startRun(db: Db, { run, quota, slot }: RunStart): Promise<RunRow | null> {
  if (quota && (await spendFreeQuota(db, quota)) === null) return null
  // A process that was declared dead executes nothing until it has joined again: its run waits.
  const isValid = slot && (slot.processId === null || (await isMember(db, slot.processId)))
  return createRun(db, run, isValid ? slot : undefined)
}
