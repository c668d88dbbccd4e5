import { rmSync } from "node:fs"
import { join } from "node:path"
import type { S3Client } from "bun"
import { type Config, ConfigError } from "../../../config.ts"
import { inUpkeepThread } from "../../../store/upkeep/upkeep.ts"
import { reported, s3Client } from "../../net/files/s3-client.ts"
import { type Backup, type BackupStorage, ours } from "./storage.ts"

/** A place that speaks S3: Amazon's, or one at an address that is set. */
export class S3Storage implements BackupStorage {
  private constructor(
    private readonly client: S3Client,
    private readonly prefix: string,
  ) {}

  /** By the variables that other tools read, too. @throws ConfigError */
  static of(address: string, env: Config["env"]): S3Storage {
    const [, bucket, path = ""] = /^s3:\/\/([a-z\d][a-z\d.-]+)(?:\/(.*))?$/.exec(address) ?? []
    if (!bucket) {
      throw new ConfigError(
        `TRAWL_BACKUP_TO has the form s3://bucket/path, not "${address}"; the address of a storage that is not Amazon's goes in AWS_ENDPOINT_URL.`,
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

  /** Writes the copy next to the database first, so that it is checked before it is sent. */
  async make(dataDir: string, name: string): Promise<void> {
    const copy = join(dataDir, "backup-on-its-way.db")
    rmSync(copy, { force: true })
    try {
      await inUpkeepThread((thread) => thread.backUp(dataDir, copy))
      const file = Bun.file(copy)
      await reported(this.client.write(this.prefix + name, file))
      const { size } = await reported(this.client.stat(this.prefix + name))
      if (size !== file.size) {
        throw new Error(`of ${file.size} bytes that were sent, the storage has ${size}`)
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

/** A place that holds more of ours than this is not tidied any further. */
const maxListed = 20_000
