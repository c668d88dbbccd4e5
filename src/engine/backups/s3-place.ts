import { rmSync } from "node:fs"
import { join } from "node:path"
import { S3Client } from "bun"
import { messageOf } from "../../base/error-message.ts"
import { type Config, ConfigError } from "../../config.ts"
import { inUpkeepThread } from "../../store/upkeep/upkeep.ts"
import { type Backup, type BackupPlace, ours } from "./place.ts"

/** A place that speaks S3: Amazon's, or one at AWS_ENDPOINT_URL. */
export class S3Place implements BackupPlace {
  private constructor(
    private readonly client: S3Client,
    private readonly prefix: string,
  ) {}

  /** By the variables that other tools read, too. @throws ConfigError */
  static of(address: string, env: Config["env"]): S3Place {
    const [, bucket, path = ""] = /^s3:\/\/([a-z\d][a-z\d.-]+)(?:\/(.*))?$/.exec(address) ?? []
    if (!bucket) {
      throw new ConfigError(
        `TRAWL_BACKUP_TO has the form s3://bucket/path, not "${address}"; the address of a storage that is not Amazon's goes in AWS_ENDPOINT_URL.`,
      )
    }
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
    if (!accessKeyId || !secretAccessKey) {
      throw new ConfigError(
        "TRAWL_BACKUP_TO leads to S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.",
      )
    }
    const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL
    const region = env.AWS_REGION || env.AWS_DEFAULT_REGION
    const client = new S3Client({
      bucket,
      accessKeyId,
      secretAccessKey,
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
      ...(endpoint && { endpoint }),
      ...(region && { region }),
    })
    return new S3Place(client, path.replace(/\/*$/, path ? "/" : ""))
  }

  async list(): Promise<Backup[]> {
    const files: { name: string; bytes: number }[] = []
    let startAfter = ""
    do {
      const { contents = [], isTruncated } = await told(
        this.client.list({
          prefix: `${this.prefix}trawl-`,
          ...(startAfter && { startAfter }),
        }),
      )
      for (const { key, size } of contents) {
        files.push({ name: key.slice(this.prefix.length), bytes: Number(size ?? 0) })
      }
      startAfter = isTruncated ? (contents.at(-1)?.key ?? "") : ""
    } while (startAfter && files.length < mostListed)
    return ours(files)
  }

  /** The copy lies beside the database until it is sent, so that it is checked before. */
  async make(dataDir: string, name: string): Promise<void> {
    const copy = join(dataDir, "backup-on-its-way.db")
    rmSync(copy, { force: true })
    try {
      await inUpkeepThread((thread) => thread.backUp(dataDir, copy))
      const file = Bun.file(copy)
      await told(this.client.write(this.prefix + name, file))
      const { size } = await told(this.client.stat(this.prefix + name))
      if (size !== file.size) {
        throw new Error(`of ${file.size} bytes that were sent, the storage has ${size}`)
      }
    } finally {
      rmSync(copy, { force: true })
    }
  }

  async fetch(name: string, folder: string): Promise<string> {
    const path = join(folder, name)
    await told(Bun.write(path, this.client.file(this.prefix + name)))
    return path
  }

  async remove(name: string): Promise<void> {
    await told(this.client.delete(this.prefix + name))
  }
}

/** A place that holds more of ours than this is not tidied any further. */
const mostListed = 20_000

/** The code says what the message often does not. */
async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { code = "failed" } = error as { code?: string }
    throw new Error(`the storage says ${code}: ${messageOf(error)}`, { cause: error })
  }
}
