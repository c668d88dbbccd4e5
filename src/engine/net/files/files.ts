import { systemClock } from "../../../base/clock.ts"
import { messageOf } from "../../../base/error-message.ts"
import { daysFrom } from "../../../base/time.ts"
import {
  type FileToKeep,
  type StoredFile,
  TooLarge,
  Unreachable,
} from "../../../catalogue/kit/index.ts"
import type { Config } from "../../../config/config.ts"
import { newFileId } from "../../../store/db/ids.ts"
import type { Attempt } from "../../../store/db/run-counts.ts"
import type { Store } from "../../../store/store.ts"
import { s3Environment } from "./s3-client.ts"
import { type FileStorage, isTemporary } from "./storage.ts"
import { FileStorages, type StorageSettings } from "./storages.ts"

export type FileSettings = StorageSettings &
  Pick<
    Config,
    "baseUrl" | "fileMegabytes" | "runFileMegabytes" | "accountFileMegabytes" | "fileDays"
  >

/** Returns the file settings as plain data for another thread. */
export function fileSettings(config: FileSettings): FileSettings {
  const { dataDir, baseUrl, s3Bucket, fileDays, env } = config
  const { fileMegabytes, runFileMegabytes, accountFileMegabytes } = config
  const megabytes = { fileMegabytes, runFileMegabytes, accountFileMegabytes }
  return { dataDir, baseUrl, s3Bucket, fileDays, ...megabytes, env: s3Environment(env) }
}

/** The target that the file belongs to. */
export interface FileOwner extends Attempt {
  accountId: string | null
  seq: number
}

export interface PutOptions {
  /** Ends the wait for an unavailable storage. Default: the first failure is final. */
  signal?: AbortSignal
  /** Called once if the file waits for its storage. */
  onWait?(message: string): void
}

const megabyte = 1_000_000
/** Milliseconds between two attempts to store a file: the first pause, and the maximum. */
const [firstPauseMs, maxPauseMs] = [500, 30_000]
/** Days for which files of keyless runs are stored, like their results. */
const keylessDays = 1

/** Path of a file in the API. */
export const filePath = (id: string) => `/api/v1/files/${id}`

/** Stores the files of runs: metadata in the database, contents in a storage backend. */
export class Files {
  readonly storages: FileStorages

  constructor(private readonly settings: FileSettings) {
    this.storages = new FileStorages(settings)
  }

  /** Stores a file of a running target. @throws TooLarge | Unreachable */
  async put(
    store: Pick<Store, "write">,
    { accountId, ...target }: FileOwner,
    { name, contentType, bytes }: FileToKeep,
    options: PutOptions = {},
  ): Promise<StoredFile> {
    const { fileMegabytes: max, runFileMegabytes, accountFileMegabytes, baseUrl } = this.settings
    if (bytes.length > max * megabyte) {
      throw new TooLarge(
        `${name} has ${bytes.length} bytes; the maximum of a file is ${max} MB here.`,
      )
    }
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
    const storage = this.storages.forNew
    const now = Date.now()
    const at = new Date(now).toISOString()
    const added = await store.write("files.add", {
      ...target,
      id: newFileId(),
      name,
      mediaType: contentType,
      bytes: bytes.length,
      sha256,
      storage: storage.name,
      at,
      expiresAt: this.expiry(accountId, now),
      maxOfRun: runFileMegabytes * megabyte,
      maxOfAccount: accountFileMegabytes * megabyte,
    })
    if ("full" in added) throw this.full(added.full, accountId)
    try {
      await this.putContents(storage, added.id, { name, bytes }, options)
    } catch (error) {
      await store.write("files.remove", { id: added.id, at })
      throw new Unreachable(`${name} could not be stored: ${messageOf(error)}`, "connection", {
        code: "file_not_kept",
        cause: error,
      })
    }
    const root = baseUrl?.replace(/\/+$/, "") ?? ""
    return { url: root + filePath(added.id), contentType, bytes: bytes.length, sha256 }
  }

  /** Stores the contents, with retries while the storage is unavailable or full. */
  private async putContents(
    storage: FileStorage,
    id: string,
    { name, bytes }: Pick<FileToKeep, "name" | "bytes">,
    { signal, onWait }: PutOptions,
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await storage.put(id, bytes)
      } catch (error) {
        if (!signal || signal.aborted || !isTemporary(error)) throw error
        if (attempt === 0) onWait?.(`${name} is waiting for its storage: ${messageOf(error)}`)
        const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** attempt)
        await systemClock.sleep(pauseMs, signal).catch(() => {})
        if (signal.aborted) throw error
      }
    }
  }

  private expiry(accountId: string | null, now: number): string | null {
    const { fileDays } = this.settings
    const days = accountId === null ? Math.min(fileDays || keylessDays, keylessDays) : fileDays
    return days > 0 ? daysFrom(now, days) : null
  }

  private full(what: "run" | "account", accountId: string | null): TooLarge {
    const { runFileMegabytes, accountFileMegabytes } = this.settings
    const message =
      what === "run"
        ? `The files of a run may have ${runFileMegabytes} MB in total, which this file would exceed.`
        : accountId === null
          ? `The files of all anonymous callers may have ${accountFileMegabytes} MB in total, which this file would exceed. Try again later, or send an API key.`
          : `The files of the account may have ${accountFileMegabytes} MB in total, which this file would exceed. Delete runs or files first.`
    return new TooLarge(message, { code: "storage_quota_exceeded" })
  }
}
