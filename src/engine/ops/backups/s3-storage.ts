import { rmSync } from "node:fs"
import { join } from "node:path"
import type { S3Client } from "bun"
import { type Config, ConfigError } from "../../../config/config.ts"
import { inUpkeepThread } from "../../../store/upkeep/upkeep.ts"
import { reported, s3Client } from "../../net/files/s3-client.ts"
import { type Backup, type BackupStorage, ours } from "./storage.ts"

/** An S3-compatible storage. */
export class S3Storage implements BackupStorage {
  private constructor(
    private readonly client: S3Client,
    private readonly prefix: string,
  ) {}

  /** Creates the storage from the usual environment variables. @throws ConfigError */
  static of(address: string, env: Config["env"]): S3Storage {
    const [, bucket, path = ""] = /^s3:\/\/([a-z\d][a-z\d.-]+)(?:\/(.*))?$/.exec(address) ?? []
    if (!bucket) {
      throw new ConfigError(
        `TRAWL_BACKUP_TO must be s3://bucket/path, not "${address}". For a storage other than Amazon's, set its URL in AWS_ENDPOINT_URL.`,
      )
    }
    const client = s3Client("TRAWL_BACKUP_TO", bucket, env)
    return new S3Storage(client, path.replace(/\/*$/, path ? "/" : ""))
  }

  async list(): Promise<Backup[]> {
    const files: { name: string; bytes: number }[] = []
    let startAfter = ""
    do {
      const { contents = [], isTruncated } = await reported(
        this.client.list({
          prefix: `${this.prefix}trawl-`,
          ...(startAfter && { startAfter }),
        }),
      )
      for (const { key, size } of contents) {
        files.push({ name: key.slice(this.prefix.length), bytes: Number(size ?? 0) })
      }
      startAfter = isTruncated ? (contents.at(-1)?.key ?? "") : ""
    } while (startAfter && files.length < maxListed)
    return ours(files)
  }

  /** Writes the copy next to the database first, so that it is checked before it is uploaded. */
  async make(dataDir: string, name: string): Promise<void> {
    const copy = join(dataDir, "backup-on-its-way.db")
    rmSync(copy, { force: true })
    try {
      await inUpkeepThread((thread) => thread.backUp(dataDir, copy))
      const file = Bun.file(copy)
      await reported(this.client.write(this.prefix + name, file))
      const { size } = await reported(this.client.stat(this.prefix + name))
      if (size !== file.size) {
        throw new Error(`of ${file.size} bytes were uploaded, but the storage has ${size}`)
      }
    } finally {
      rmSync(copy, { force: true })
    }
  }

  async fetch(name: string, folder: string): Promise<string> {
    const path = join(folder, name)
    await reported(Bun.write(path, this.client.file(this.prefix + name)))
    return path
  }

  async remove(name: string): Promise<void> {
    await reported(this.client.delete(this.prefix + name))
  }
}

/** Maximum listed objects; old backups beyond them are not removed. */
const maxListed = 20_000
