import { statfsSync } from "node:fs"
import { dayMs } from "../../../base/time.ts"
import type { Happened } from "../../../store/notifications/events.ts"
import type { Store } from "../../../store/store.ts"

/** With less than this share free, and less than so much, the disk is low. */
const lowShare = 0.1
const lowBytes = 10 * 1024 ** 3

interface Room {
  freeBytes: number
  totalBytes: number
}

/** How much there is where the data folder is. @throws what the system says */
function roomOf(dataDir: string): Room {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export function isLow({ freeBytes, totalBytes }: Room): boolean {
  return freeBytes < Math.min(lowBytes, totalBytes * lowShare)
}

/** Notifies administrators of a full disk, once a day while it lasts. */
export async function watchRoom(
  store: Store,
  dataDir: string,
  room = roomOf(dataDir),
  now = new Date(),
): Promise<void> {
  if (isLow(room)) await notifyAdministrators(store, "disk.low", { dataDir, ...room }, now)
}

/** Once a day for each kind of trouble. */
export async function notifyAdministrators(
  store: Store,
  event: Happened["event"],
  data: Record<string, unknown>,
  now = new Date(),
): Promise<void> {
  const unlessSince = new Date(now.getTime() - dayMs).toISOString()
  await store.write("events.announce", {
    event,
    to: "owners",
    data,
    at: now.toISOString(),
    unlessSince,
  })
}
