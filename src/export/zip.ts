import { crc32, deflateRawSync, constants as zlib } from "node:zlib"
import { Zip, type ZipInputFile } from "fflate"

/** Larger archives and more files need ZIP64, which not all readers support. */
const maxArchive = 4_000_000_000
const maxFiles = 0xffff
/** An empty last block: all blocks before it end at whole bytes. */
const lastBlock = new Uint8Array([3, 0])
/** The same for equal content: the first day that the format can express. */
const mtime = "1980-01-01T12:00:00"

type Bytes = Uint8Array<ArrayBuffer>

/** A file of an archive, compressed by the runtime's zlib, which is faster than JavaScript. */
class NativeDeflate implements ZipInputFile {
  readonly compression = 8
  readonly mtime = mtime
  size = 0
  crc = 0
  ondata: ZipInputFile["ondata"]

  constructor(readonly filename: string) {}

  /** Compresses and flushes each part, so that nothing is held back. */
  push(part: Uint8Array): void {
    this.crc = crc32(part, this.crc)
    this.size += part.length
    this.ondata?.(null, deflateRawSync(part, { finishFlush: zlib.Z_SYNC_FLUSH }), false)
  }

  end(): void {
    this.ondata?.(null, lastBlock, true)
  }
}

/**
 * Writes an archive part by part. Each method returns the next bytes.
 *
 * @example
 * ```ts
 * const zip = new ZipWriter()
 * send(zip.begin("a.txt"), zip.write("text"), zip.end(), zip.directory())
 * ```
 */
export class ZipWriter {
  private readonly encoder = new TextEncoder()
  private readonly zip = new Zip((error, bytes) => {
    if (error) throw error
    this.waiting.push(bytes)
  })
  private waiting: Uint8Array[] = []
  private file: NativeDeflate | undefined
  private files = 0
  private length = 0

  begin(name: string): Bytes {
    if (++this.files > maxFiles) {
      throw new Error("The archive has more than 65,535 files; export fewer items.")
    }
    this.file = new NativeDeflate(name)
    this.zip.add(this.file)
    return this.next()
  }

  write(part: string | Uint8Array): Bytes {
    this.file!.push(typeof part === "string" ? this.encoder.encode(part) : part)
    return this.next()
  }

  end(): Bytes {
    this.file!.end()
    return this.next()
  }

  /** Returns the directory, which completes the archive. */
  directory(): Bytes {
    this.zip.end()
    return this.next()
  }

  /** Returns the waiting bytes in a buffer of their own, which can be transferred to another thread. */
  private next(): Bytes {
    const length = this.waiting.reduce((total, part) => total + part.length, 0)
    const bytes = new Uint8Array(length)
    let at = 0
    for (const part of this.waiting) {
      bytes.set(part, at)
      at += part.length
    }
    this.waiting = []
    this.length += length
    if (this.length > maxArchive) {
      throw new Error("The archive is larger than 4 GB; export fewer items.")
    }
    return bytes
  }
}
