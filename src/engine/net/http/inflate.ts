import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import { messageOf } from "../../../base/error-message.ts"
import { TooLarge, Unreachable } from "../../../catalogue/kit/index.ts"
import { isWholeZstd } from "./zstd-end.ts"

interface Packing {
  unpack(bytes: Uint8Array, limit: { maxOutputLength: number }): Uint8Array
  stream(): Transform
}

/** Maximum bytes of a compressed empty body. */
const maxOfNothing = 64

const gzip: Packing = { unpack: zlib.gunzipSync, stream: zlib.createGunzip }
const zlibWrapped: Packing = { unpack: zlib.inflateSync, stream: zlib.createInflate }
const rawDeflate: Packing = { unpack: zlib.inflateRawSync, stream: zlib.createInflateRaw }
const brotli: Packing = { unpack: zlib.brotliDecompressSync, stream: zlib.createBrotliDecompress }
const zstd: Packing = { unpack: zlib.zstdDecompressSync, stream: zlib.createZstdDecompress }

function packingOf(name: string, first: number): Packing | undefined {
  if (name === "gzip" || name === "x-gzip") return gzip
  if (name === "br") return brotli
  if (name === "zstd") return zstd
  // Some servers send raw deflate; a zlib header has 8 in its low bits.
  if (name === "deflate") return (first & 0x0f) === 8 ? zlibWrapped : rawDeflate
}

/** The cause of a body that cannot be decompressed because it is truncated or damaged. */
export class BrokenEncoding extends Error {}

export interface BodyLimits {
  maxBytes: number
  url: string
  /** Whether to keep the first `maxBytes` of a larger body instead of failing. */
  truncate?: boolean
}

/**
 * Reads and decompresses a body, and stops as soon as it exceeds its limit in decompressed bytes,
 * so that a decompression bomb never expands.
 * @throws TooLarge, Unreachable (connection) for a broken body
 */
export async function readBody(response: Response, limits: BodyLimits): Promise<Uint8Array> {
  const names = (response.headers.get("content-encoding") ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && name !== "identity")
  if (names.length > 2) {
    throw new TooLarge("The response is compressed more than twice.", { url: limits.url })
  }
  let bytes = await whole(response, limits)
  // Rarely two codings; the last one is the outermost.
  for (const name of names.reverse()) {
    if (bytes.length === 0) break
    bytes = await unpack(bytes, name, limits)
  }
  return bytes
}

/** Reads a body with a known, permitted length at once, because a stream costs more. */
async function whole(response: Response, limits: BodyLimits): Promise<Uint8Array> {
  const { headers } = response
  const length = headers.get("content-length") ?? ""
  const isFramed = /^\d{1,15}$/.test(length) && !headers.has("transfer-encoding")
  if (isFramed && Number(length) <= limits.maxBytes) return response.bytes()
  return response.body ? collect(response.body, limits) : new Uint8Array()
}

async function collect(body: ReadableStream<Uint8Array>, limits: BodyLimits): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    chunks.push(value)
    if (size <= limits.maxBytes) continue
    await reader.cancel()
    if (limits.truncate) return joined(chunks, size).subarray(0, limits.maxBytes)
    throw tooLarge(limits)
  }
  return joined(chunks, size)
}

async function unpack(bytes: Uint8Array, name: string, limits: BodyLimits): Promise<Uint8Array> {
  const packing = packingOf(name, bytes[0]!)
  if (!packing) return bytes
  if (limits.truncate) return beginning(bytes, packing.stream(), limits.maxBytes)
  try {
    if (packing === zstd && !isWholeZstd(bytes)) throw new Error("It is truncated.")
    const unpacked = packing.unpack(bytes, { maxOutputLength: limits.maxBytes })
    if (unpacked.length === 0 && bytes.length > maxOfNothing)
      throw new Error("Decompression returned nothing.")
    return unpacked
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limits)
    throw new Unreachable(`The compressed response (${name}) is broken.`, "connection", {
      url: limits.url,
      cause: new BrokenEncoding(messageOf(error)),
    })
  }
}

/**
 * Returns the decompressed start of a body; the error at the end of a truncated body is ignored.
 */
function beginning(bytes: Uint8Array, stream: Transform, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const settle = () => resolve(joined(chunks, size).subarray(0, maxBytes))
    stream.on("data", (chunk: Uint8Array) => {
      size += chunk.length
      chunks.push(chunk)
      if (size < maxBytes) return
      stream.destroy()
      settle()
    })
    stream.on("end", settle)
    stream.on("error", settle)
    stream.end(bytes)
  })
}

export function joined(chunks: Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

export function tooLarge({ maxBytes, url }: BodyLimits): TooLarge {
  const megabytes = Math.round((maxBytes / 1024 / 1024) * 10) / 10
  return new TooLarge(`The response is larger than ${megabytes} MB.`, { url })
}
