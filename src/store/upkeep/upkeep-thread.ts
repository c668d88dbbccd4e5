import { serve } from "../../base/rpc.ts"
import { goSecond } from "../../base/thread-priority.ts"
import { backUp } from "./backup.ts"
import { type DiskUse, diskUse } from "./disk-use.ts"

/**
 * Operations that read the whole database; they run in a separate thread, so that no call waits for
 * them.
 */
export interface UpkeepThread {
  backUp(dataDir: string, file: string): void
  diskUse(dataDir: string): DiskUse
}

declare const self: Worker

goSecond()
serve<UpkeepThread>(self, { backUp, diskUse })
