import type { FileStorageName } from "../../../store/tables/schema.ts"

/** Bytes from the first to before the last. */
export interface ByteRange {
  from: number
  to: number
}

/** Where the contents of files lie, by the files' ids. */
export interface FileStorage {
  readonly name: FileStorageName
  /** Whole or not at all, in place of what was there. */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** Undefined where there are none. */
  open(id: string, range: ByteRange): Promise<Blob | ReadableStream<Uint8Array> | undefined>
  /** Also of one that is not there. */
  remove(id: string): Promise<void>
}
