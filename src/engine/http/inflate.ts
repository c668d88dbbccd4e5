import type { Transform } from "node:stream"
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib"
import { TooLarge, Unreachable } from "../../catalogue/outcome.ts"

function inflater(encoding: string, first: number): Transform | undefined {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip()
    case "br":
      return createBrotliDecompress()
    case "zstd":
      return createZstdDecompress()
    case "deflate":
      // Some servers send the raw form; a zlib header starts with 0x78.
      return (first & 0x0f) === 8 ? createInflate() : createInflateRaw()
  }
}

export interface BodyLimits {
  maxBytes: number
  url: string
  /** Keep the first `maxBytes` of a larger body in place of failing. */
  truncate?: boolean
}

/**
 * Reads a body to its end, unpacking it on the way, and stops as soon as it is larger than allowed:
 * the cap counts what comes out, so that a bomb of some kilobytes never unfolds.
 * @throws TooLarge, Unreachable (connection) for a broken body
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  encoding: string,
  limits: BodyLimits,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && name !== "identity")
  if (names.length > 2)
    throw new TooLarge("The answer is packed more than twice.", { url: limits.url })
  let bytes = await collect(body, limits)
  // Packed twice is rare; the last named is the outermost.
  for (const name of names.reverse()) {
    if (bytes.length === 0) break
    bytes = await unpack(bytes, name, limits)
  }
  return bytes
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

function unpack(bytes: Uint8Array, name: string, limits: BodyLimits): Promise<Uint8Array> {
  const stream = inflater(name, bytes[0]!)
  if (!stream) return Promise.resolve(bytes)
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    stream.on("data", (chunk: Uint8Array) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limits.maxBytes) return
      stream.destroy()
      if (limits.truncate) resolve(joined(chunks, size).subarray(0, limits.maxBytes))
      else reject(tooLarge(limits))
    })
    stream.on("end", () => resolve(joined(chunks, size)))
    stream.on("error", (error) => {
      // What was cut off packed cannot end well; what came out of it so far is what was wanted.
      if (limits.truncate && size > 0) return resolve(joined(chunks, size))
      reject(
        new Unreachable(`The answer's packing (${name}) is broken.`, "connection", {
          url: limits.url,
          cause: error,
        }),
      )
    })
    stream.end(bytes)
  })
}

function joined(chunks: Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function tooLarge({ maxBytes, url }: BodyLimits): TooLarge {
  const megabytes = Math.round((maxBytes / 1024 / 1024) * 10) / 10
  return new TooLarge(`The answer is larger than ${megabytes} MB.`, { url })
}
