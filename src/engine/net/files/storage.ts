import type { FileStorageName } from "../../../store/tables/schema.ts"

/** Range of bytes; the end is exclusive. */
export interface ByteRange {
  from: number
  to: number
}

/** Storage backend for the contents of files, by their IDs. */
export interface FileStorage {
  readonly name: FileStorageName
  /** Atomically replaces the contents. */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** Returns undefined if there are no contents. */
  open(id: string, range: ByteRange): Promise<Blob | ReadableStream<Uint8Array> | undefined>
  /** Deletes a file; succeeds if it does not exist. */
  remove(id: string): Promise<void>
}

/** Codes of permanent errors of S3 and the file system. */
const permanent =
  /^(?:AccessDenied|AllAccessDisabled|EntityTooLarge|Invalid\w+|NoSuch\w+|SignatureDoesNotMatch|EACCES|ENOENT|ENOTDIR|EPERM|EROFS)$/

/** Returns whether storing a file may succeed later without a change of settings. */
export function isTemporary(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return !permanent.test(code ?? cause?.code ?? "")
}
