import { isAbsolute } from "node:path"
import { type Config, ConfigError } from "../../../config/config.ts"
import { FolderStorage } from "./folder-storage.ts"
import { S3Storage } from "./s3-storage.ts"
import type { BackupStorage } from "./storage.ts"

/** @throws ConfigError */
export function positionOf({
  backupTo,
  env,
}: Pick<Config, "env"> & { backupTo: string }): BackupStorage {
  if (backupTo.startsWith("s3:")) return S3Storage.of(backupTo, env)
  if (!isAbsolute(backupTo)) {
    throw new ConfigError(
      `TRAWL_BACKUP_TO must be an absolute path, for example /var/backups/trawl, or s3://bucket/path, not "${backupTo}".`,
    )
  }
  return new FolderStorage(backupTo)
}
