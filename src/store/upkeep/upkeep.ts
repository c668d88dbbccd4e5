import { messageOf } from "../../base/error-message.ts"
import { startThread } from "../../base/thread.ts"
import { threadUrl } from "../../base/thread-url.ts"
import { DataRefused } from "../db/refused.ts"
import type { UpkeepThread } from "./upkeep-thread.ts"

/**
 * Runs an operation that reads the whole database in a separate thread, which ends with it.
 * Otherwise it would block the thread that responds to calls. @throws DataRefused
 */
export async function inUpkeepThread<T>(
  work: (thread: ReturnType<typeof start>["calls"]) => Promise<T>,
): Promise<T> {
  const thread = start()
  try {
    return await work(thread.calls)
  } catch (error) {
    throw new DataRefused(messageOf(error), { cause: error })
  } finally {
    thread.end()
  }
}

function start() {
  return startThread<UpkeepThread>(threadUrl("store/upkeep/upkeep-thread.ts"), {
    onFailure() {},
  })
}
