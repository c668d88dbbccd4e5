import { inParts } from "../../../base/every.ts"
import type { Config } from "../../../config/config.ts"
import type { OwnStore } from "../../../store/store.ts"
import { rotatePartitions } from "../../../store/upkeep/partitions.ts"
import { FileStorages, type StorageSettings } from "../../net/files/storages.ts"
import { tidyFiles } from "../../net/files/tidy.ts"
import { removeLeftUploads } from "../../net/files/uploads.ts"

/** Deletes data in batches: deleted by its owner, expired, or older than its retention. */
export async function purge(
  store: OwnStore,
  config: StorageSettings & Pick<Config, "retentionDays" | "logRetentionDays">,
  stopped: AbortSignal,
  now = new Date(),
): Promise<void> {
  const { retentionDays: runDays, logRetentionDays: logDays } = config
  const at = now.toISOString()
  const retention = { now: at, runDays, logDays }
  if (store.isShared) await rotatePartitions(store.db, store.database, retention)
  await inParts(() => store.write("store.purge", retention), stopped)
  const places = new FileStorages(config)
  await inParts(() => tidyFiles(store, places, at), stopped)
  await removeLeftUploads(config.dataDir, now.getTime())
}
