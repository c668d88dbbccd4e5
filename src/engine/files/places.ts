import type { Config } from "../../config.ts"
import type { FileRow } from "../../store/files/files.ts"
import { FolderPlace } from "./folder-place.ts"
import type { ByteRange, FilePlace } from "./place.ts"
import { S3Place } from "./s3-place.ts"

export type PlaceSettings = Pick<Config, "dataDir" | "s3Bucket" | "env">

/** The places of files: the data folder, and a bucket where one is set. */
export class FilePlaces {
  /** The data folder's first; new files go to the last. */
  readonly all: readonly FilePlace[]

  /** @throws ConfigError */
  constructor({ dataDir, s3Bucket, env }: PlaceSettings) {
    const folder = new FolderPlace(dataDir)
    this.all = s3Bucket ? [folder, S3Place.of(s3Bucket, env)] : [folder]
  }

  get forNew(): FilePlace {
    return this.all.at(-1)!
  }

  /** The contents of a file; undefined where they are gone, or their place is not set any more. */
  async open(
    { id, place, bytes }: Pick<FileRow, "id" | "place" | "bytes">,
    range: ByteRange = { from: 0, to: bytes },
  ): Promise<Blob | ReadableStream<Uint8Array> | undefined> {
    return this.all.find(({ name }) => name === place)?.open(id, range)
  }
}
