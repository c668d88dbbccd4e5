import { constants, crc32, deflateRawSync } from "node:zlib"

/** Larger archives need the form of 64 bits, which not all readers know. */
const maxArchive = 4_000_000_000
/** Names are UTF-8; sizes stand behind an entry, as they are not known before. */
const flags = 0x0808
const version = 20
const deflated = 8
/** The first of January 1980, as the format writes dates. */
const date = 0x21
/** An empty last block: all before it end at whole bytes. */
const lastBlock = Buffer.from([3, 0])

interface Entry {
  name: Uint8Array
  offset: number
  crc: number
  packed: number
  size: number
}

type Bytes = Uint8Array<ArrayBuffer>

/**
 * An archive that is made part by part, packed by the runtime's own zlib: a library for it would take
 * more of the executable than is left.
 */
export class ZipWriter {
  private readonly entries: Entry[] = []
  private readonly encoder = new TextEncoder()
  private entry: Entry | undefined
  private offset = 0

  begin(name: string): Bytes {
    const entry = {
      name: this.encoder.encode(name),
      offset: this.offset,
      crc: 0,
      packed: 0,
      size: 0,
    }
    this.entry = entry
    this.entries.push(entry)
    const head = fields("IHHHHHIIIHH", [
      0x04034b50,
      version,
      flags,
      deflated,
      0,
      date,
      0,
      0,
      0,
      entry.name.length,
      0,
    ])
    return this.out(head, entry.name)
  }

  /** Packed by itself, so that nothing is held back. */
  write(part: string | Uint8Array): Bytes {
    const entry = this.entry!
    const bytes = typeof part === "string" ? this.encoder.encode(part) : part
    const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    entry.packed += packed.length
    return this.out(packed)
  }

  end(): Bytes {
    const entry = this.entry!
    entry.packed += lastBlock.length
    const sizes = fields("IIII", [0x08074b50, entry.crc, entry.packed, entry.size])
    return this.out(lastBlock, sizes)
  }

  /** The archive is whole with it. */
  directory(): Bytes {
    const start = this.offset
    const listed = this.entries.flatMap(({ name, offset, crc, packed, size }) => [
      fields("IHHHHHHIIIHHHHHII", [
        0x02014b50,
        version,
        version,
        flags,
        deflated,
        0,
        date,
        crc,
        packed,
        size,
        name.length,
        0,
        0,
        0,
        0,
        0,
        offset,
      ]),
      name,
    ])
    const length = listed.reduce((total, one) => total + one.length, 0)
    const count = this.entries.length
    if (count > 0xffff) throw new Error("The archive has more than 65,535 files; take a part.")
    const end = fields("IHHHHIIH", [0x06054b50, 0, 0, count, count, length, start, 0])
    return this.out(...listed, end)
  }

  /** Together, in a buffer of its own: it may go to another thread. */
  private out(...parts: Uint8Array[]): Bytes {
    const length = parts.reduce((total, part) => total + part.length, 0)
    const bytes = new Uint8Array(length)
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    this.offset += length
    if (this.offset > maxArchive) throw new Error("The archive is larger than 4 GB; take a part.")
    return bytes
  }
}

/** Numbers of 4 bytes (I) and of 2 (H), little end first. */
function fields(form: string, values: number[]): Uint8Array {
  const bytes = Buffer.alloc(
    values.reduce((sum, _, index) => sum + (form[index] === "I" ? 4 : 2), 0),
  )
  let at = 0
  for (const [index, value] of values.entries()) {
    at = form[index] === "I" ? bytes.writeUInt32LE(value, at) : bytes.writeUInt16LE(value, at)
  }
  return bytes
}
