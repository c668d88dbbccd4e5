import type { Config } from "../../../config/config.ts"
import type { FileRow } from "../../../store/files/files.ts"
import { FolderStorage } from "./folder-storage.ts"
import { S3Storage } from "./s3-storage.ts"
import type { ByteRange, FileStorage } from "./storage.ts"

export type StorageSettings = Pick<Config, "dataDir" | "s3Bucket" | "env">

/** The storage backends of files: the data folder, and a bucket if one is set. */
export class FileStorages {
  /** The data folder is first; new files go to the last backend. */
  readonly all: readonly FileStorage[]

  /** @throws ConfigError */
  constructor({ dataDir, s3Bucket, env }: StorageSettings) {
    const folder = new FolderStorage(dataDir)
    this.all = s3Bucket ? [folder, S3Storage.of(s3Bucket, env)] : [folder]
  }

  get forNew(): FileStorage {
    return this.all.at(-1)!
  }

  /** Returns the contents of a file; undefined if they or their backend were removed. */
  async open(
    { id, place: storage, bytes }: Pick<FileRow, "id" | "place" | "bytes">,
    range: ByteRange = { from: 0, to: bytes },
  ): Promise<Blob | ReadableStream<Uint8Array> | undefined> {
    return this.all.find(({ name }) => name === storage)?.open(id, range)
  }
}
