import { isAbsolute } from "node:path"
import { type Config, ConfigError } from "../../config.ts"
import { FolderPlace } from "./folder-place.ts"
import type { BackupPlace } from "./place.ts"
import { S3Place } from "./s3-place.ts"

/** @throws ConfigError */
export function placeOf({
  backupTo,
  env,
}: Pick<Config, "env"> & { backupTo: string }): BackupPlace {
  if (backupTo.startsWith("s3:")) return S3Place.of(backupTo, env)
  if (!isAbsolute(backupTo)) {
    throw new ConfigError(
      `TRAWL_BACKUP_TO must be a whole path, as /var/backups/trawl, or s3://bucket/path, not "${backupTo}".`,
    )
  }
  return new FolderPlace(backupTo)
}
