import { statfsSync } from "node:fs"
import { dayMs } from "../../../base/time.ts"
import type { Happened } from "../../../store/notifications/events.ts"
import type { Store } from "../../../store/store.ts"

/** The disk is low if less than this share and less than this number of bytes are free. */
const lowShare = 0.1
const lowBytes = 10 * 1024 ** 3

interface DiskSpace {
  freeBytes: number
  totalBytes: number
}

/** Returns the disk space of the data folder. @throws Error of the system */
function diskSpaceOf(dataDir: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export function isLow({ freeBytes, totalBytes }: DiskSpace): boolean {
  return freeBytes < Math.min(lowBytes, totalBytes * lowShare)
}

/** Notifies administrators of a full disk, once a day. */
export async function watchDiskSpace(
  store: Store,
  dataDir: string,
  space = diskSpaceOf(dataDir),
  now = new Date(),
): Promise<void> {
  if (isLow(space)) await notifyAdministrators(store, "disk.low", { dataDir, ...space }, now)
}

/** Sends an event once a day per kind. */
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
