import type { S3Client } from "bun"
import { minuteMs } from "../../../base/time.ts"
import { type Config, ConfigError } from "../../../config/config.ts"
import { reported, s3Client } from "./s3-client.ts"
import type { ByteRange, FileStorage } from "./storage.ts"

/**
 * Maximum milliseconds for a response, so that a storage that does not respond does not block a run
 * or the cleanup.
 */
const gracePeriodMs = minuteMs

/** A bucket of an S3-compatible storage. */
export class S3Storage implements FileStorage {
  readonly name = "s3"

  private constructor(
    private readonly client: S3Client,
    private readonly prefix: string,
  ) {}

  /** @throws ConfigError */
  static of(address: string, env: Config["env"]): S3Storage {
    const [, bucket, path = ""] = /^([a-z\d][a-z\d.-]+)(?:\/(.*))?$/.exec(address) ?? []
    if (!bucket) {
      throw new ConfigError(
        `TRAWL_S3_BUCKET must be bucket or bucket/path, not "${address}". For a storage other than Amazon's, set its URL in TRAWL_S3_ENDPOINT.`,
      )
    }
    const client = s3Client("TRAWL_S3_BUCKET", bucket, env)
    return new S3Storage(client, path.replace(/\/*$/, path ? "/" : ""))
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    await intime(this.client.write(this.prefix + id, bytes))
  }

  async open(id: string, { from, to }: ByteRange): Promise<ReadableStream<Uint8Array> | undefined> {
    const file = this.client.file(this.prefix + id)
    if (!(await intime(file.exists()))) return undefined
    return file.slice(from, to).stream()
  }

  async remove(id: string): Promise<void> {
    await intime(this.client.delete(this.prefix + id))
  }
}

async function intime<T>(response: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const message = `the storage did not respond within ${gracePeriodMs / 1000} s`
  const timer = setTimeout(() => reject(new Error(message)), gracePeriodMs)
  try {
    return await Promise.race([reported(response), late])
  } finally {
    clearTimeout(timer)
  }
}
