import { systemClock } from "../../../base/clock.ts"
import { messageOf } from "../../../base/error-message.ts"
import { daysFrom } from "../../../base/time.ts"
import {
  type FileToKeep,
  type StoredFile,
  TooLarge,
  Unreachable,
} from "../../../catalogue/kit/index.ts"
import type { Config } from "../../../config.ts"
import { newFileId } from "../../../store/ids.ts"
import type { Attempt } from "../../../store/run-counts.ts"
import type { Store } from "../../../store/store.ts"
import { s3Environment } from "./s3-client.ts"
import { type FileStorage, isTemporary } from "./storage.ts"
import { FileStorages, type PlaceSettings } from "./storages.ts"

export type FileSettings = PlaceSettings &
  Pick<
    Config,
    "baseUrl" | "fileMegabytes" | "runFileMegabytes" | "accountFileMegabytes" | "fileDays"
  >

/** What of a config says how files are kept, for another thread. */
export function fileSettings(config: FileSettings): FileSettings {
  const { dataDir, baseUrl, s3Bucket, fileDays, env } = config
  const { fileMegabytes, runFileMegabytes, accountFileMegabytes } = config
  const megabytes = { fileMegabytes, runFileMegabytes, accountFileMegabytes }
  return { dataDir, baseUrl, s3Bucket, fileDays, ...megabytes, env: s3Environment(env) }
}

/** Whose file it is. */
export interface FileOwner extends Attempt {
  accountId: string | null
  seq: number
}

export interface PutOptions {
  /** Ends the wait for a storage that is away. Default: the first failure is final. */
  signal?: AbortSignal
  /** Called once if the file waits for its storage. */
  onWait?(message: string): void
}

const megabyte = 1_000_000
/** Milliseconds between two attempts to store a file: the first pause, and the longest. */
const [firstPauseMs, maxPauseMs] = [500, 30_000]
/** Keyless runs cannot be requested after their results have expired. */
const keylessDays = 1

/** Where the API has a file, from the service's root on. */
export const filePath = (id: string) => `/api/v1/files/${id}`

/** Keeps the files of runs: what is known of each in the store, the contents in a place of their own. */
export class Files {
  readonly places: FileStorages

  constructor(private readonly settings: FileSettings) {
    this.places = new FileStorages(settings)
  }

  /** Keeps a file of a target that is worked on. @throws TooLarge | Unreachable */
  async put(
    store: Pick<Store, "write">,
    { accountId, ...target }: FileOwner,
    { name, contentType, bytes }: FileToKeep,
    options: PutOptions = {},
  ): Promise<StoredFile> {
    const { fileMegabytes: most, runFileMegabytes, accountFileMegabytes, baseUrl } = this.settings
    if (bytes.length > most * megabyte) {
      throw new TooLarge(`${name} has ${bytes.length} bytes, and a file may have ${most} MB here.`)
    }
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
    const place = this.places.forNew
    const now = Date.now()
    const at = new Date(now).toISOString()
    const added = await store.write("files.add", {
      ...target,
      id: newFileId(),
      name,
      mediaType: contentType,
      bytes: bytes.length,
      sha256,
      place: place.name,
      at,
      expiresAt: this.expiry(accountId, now),
      maxOfRun: runFileMegabytes * megabyte,
      maxOfAccount: accountFileMegabytes * megabyte,
    })
    if ("full" in added) throw this.full(added.full, accountId)
    try {
      await this.putContents(place, added.id, { name, bytes }, options)
    } catch (error) {
      await store.write("files.remove", { id: added.id, at })
      throw new Unreachable(`${name} could not be kept: ${messageOf(error)}`, "connection", {
        code: "file_not_kept",
        cause: error,
      })
    }
    const root = baseUrl?.replace(/\/+$/, "") ?? ""
    return { url: root + filePath(added.id), contentType, bytes: bytes.length, sha256 }
  }

  /** Stores the contents, again and again while the storage is away or full. */
  private async putContents(
    place: FileStorage,
    id: string,
    { name, bytes }: Pick<FileToKeep, "name" | "bytes">,
    { signal, onWait }: PutOptions,
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await place.put(id, bytes)
      } catch (error) {
        if (!signal || signal.aborted || !isTemporary(error)) throw error
        if (attempt === 0) onWait?.(`${name} waits for its storage: ${messageOf(error)}`)
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
        ? `The files of one run may have ${runFileMegabytes} MB together, and this one would be too much.`
        : accountId === null
          ? `The files of all callers without a key may have ${accountFileMegabytes} MB together, and this one would be too much; try again later, or with a key.`
          : `The account's files may have ${accountFileMegabytes} MB together, and this one would be too much: delete runs or files that are not needed.`
    return new TooLarge(message, { code: "storage_quota_exceeded" })
  }
}
