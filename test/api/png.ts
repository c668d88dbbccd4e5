import { inflateSync } from "node:zlib"

export function pngSize(bytes: Uint8Array) {
  const file = Buffer.from(bytes)
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
}

/** Returns the size of a PNG of eight bits a channel, and its pixels by position, as `#rrggbb`. */
export function decodePng(bytes: Uint8Array) {
  const file = Buffer.from(bytes)
  const data: Buffer[] = []
  const { width, height } = pngSize(bytes)
  let channels = 3
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString("latin1", at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + length)
    if (type === "IHDR") channels = body[9] === 6 ? 4 : 3
    else if (type === "IDAT") data.push(body)
    at += 12 + length
  }
  const packed = inflateSync(Buffer.concat(data))
  const row = width * channels
  const pixels = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (row + 1)]!
    for (let x = 0; x < row; x++) {
      const at = y * row + x
      const left = x < channels ? 0 : pixels[at - channels]!
      const up = y === 0 ? 0 : pixels[at - row]!
      const corner = x < channels || y === 0 ? 0 : pixels[at - row - channels]!
      pixels[at] = packed[y * (row + 1) + 1 + x]! + before(filter, left, up, corner)
    }
  }
  const pixel = (x: number, y: number) => {
    const at = y * row + x * channels
    return `#${pixels.subarray(at, at + 3).toString("hex")}`
  }
  return { width, height, pixel }
}

/**
 * Returns the PNG filter's prediction of a byte. Called for millions of bytes, so it allocates
 * nothing.
 */
function before(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return up
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, corner)
}

function paeth(left: number, up: number, corner: number): number {
  const a = Math.abs(up - corner)
  const b = Math.abs(left - corner)
  const c = Math.abs(left + up - 2 * corner)
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
