import type { FileStorageName } from "../../../store/tables/schema.ts"

/** Bytes from the first to before the last. */
export interface ByteRange {
  from: number
  to: number
}

/** Where the contents of files lie, by the files' ids. */
export interface FileStorage {
  readonly name: FileStorageName
  /** Atomically replaces the contents. */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** Returns undefined if there are no contents. */
  open(id: string, range: ByteRange): Promise<Blob | ReadableStream<Uint8Array> | undefined>
  /** Also of one that is not there. */
  remove(id: string): Promise<void>
}

/** Codes of errors that do not pass on their own: of S3, and of the file system. */
const permanent =
  /^(?:AccessDenied|AllAccessDisabled|EntityTooLarge|Invalid\w+|NoSuch\w+|SignatureDoesNotMatch|EACCES|ENOENT|ENOTDIR|EPERM|EROFS)$/

/** Returns whether storing a file can succeed later without a change of settings. */
export function isTemporary(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return !permanent.test(code ?? cause?.code ?? "")
}
