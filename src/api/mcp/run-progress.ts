import type { RunService } from "../../engine/runtime/workers/runs.ts"
import type { Db } from "../../store/db/database.ts"
import { runById } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"

/** Calls `notify` with a run whenever more of its targets have finished, until it is unfollowed. */
export function followRun(
  db: Db,
  runs: Pick<RunService, "subscribe">,
  id: string,
  notify: (run: RunRow) => void | Promise<void>,
): () => void {
  let done = 0
  let isFollowed = true
  const look = async () => {
    const run = await runById(db, id)
    if (!isFollowed || !run || run.targets_done <= done) return
    done = run.targets_done
    await notify(run)
  }
  // A failed read is repeated at the next change.
  const unsubscribe = runs.subscribe(id, () => void look().catch(() => {}))
  return () => {
    isFollowed = false
    unsubscribe()
  }
}
