import { serve } from "../../base/rpc.ts"
import { goSecond } from "../../base/thread-priority.ts"
import { backUp } from "./backup.ts"
import { type DiskUse, diskUse } from "./disk-use.ts"

/** What reads all of the database; never in a thread that others wait for. */
export interface UpkeepThread {
  backUp(dataDir: string, file: string): void
  diskUse(dataDir: string): DiskUse
}

declare const self: Worker

goSecond()
serve<UpkeepThread>(self, { backUp, diskUse })
