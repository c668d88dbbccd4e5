import { once } from "node:events"
import type { Transform } from "node:stream"
import { promisify } from "node:util"
import * as zlib from "node:zlib"

/** HTTP content codings that Trawl sends. */
export type Coding = "zstd" | "br" | "gzip"

/**
 * Compression effort: low for a body that is compressed at each request, high for one that is
 * compressed once.
 */
type Effort = "each" | "once"

interface Packer {
  whole(bytes: Uint8Array, effort: Effort): Promise<Uint8Array>
  /** Flushes after each write, because readers of a stream wait for it. */
  stream(): Transform
}

const { constants } = zlib
const chunkSize = 64 * 1024
const gzip = { each: { level: 6 }, once: { level: 9 } }
const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
const br = { each: brotli(4), once: brotli(9) }
const zstandard = (level: number) => ({ params: { [constants.ZSTD_c_compressionLevel]: level } })
const zstd = { each: zstandard(3), once: zstandard(15) }

/** All of them run in zlib's threads, not on the main thread. */
const packers: Record<Coding, Packer> = {
  zstd: {
    whole: (bytes, effort) => promisify(zlib.zstdCompress)(bytes, zstd[effort]),
    stream: () =>
      zlib.createZstdCompress({ ...zstd.each, chunkSize, flush: constants.ZSTD_e_flush }),
  },
  br: {
    whole: (bytes, effort) => promisify(zlib.brotliCompress)(bytes, br[effort]),
    stream: () =>
      zlib.createBrotliCompress({
        ...br.each,
        chunkSize,
        flush: constants.BROTLI_OPERATION_FLUSH,
      }),
  },
  gzip: {
    whole: (bytes, effort) => promisify(zlib.gzip)(bytes, gzip[effort]),
    stream: () => zlib.createGzip({ ...gzip.each, chunkSize, flush: constants.Z_SYNC_FLUSH }),
  },
}

export const packWhole = (
  bytes: Uint8Array,
  coding: Coding,
  effort: Effort = "each",
): Promise<Uint8Array> => packers[coding].whole(bytes, effort)

/** Compresses a stream with back-pressure. */
export async function* packStream(
  chunks: AsyncIterable<Uint8Array>,
  coding: Coding,
): AsyncGenerator<Uint8Array> {
  const packer = packers[coding].stream()
  try {
    for await (const chunk of chunks) {
      const written = new Promise<void>((resolve, reject) => {
        packer.write(chunk, (error) => (error ? reject(error) : resolve()))
      })
      yield* compressed(packer, written)
    }
    const ended = once(packer, "end")
    packer.end()
    yield* compressed(packer, ended)
  } finally {
    packer.destroy()
  }
}

/** The output until a promise settles. */
async function* compressed(packer: Transform, done: Promise<unknown>): AsyncGenerator<Uint8Array> {
  let isDone = false
  const end = done.finally(() => {
    isDone = true
  })
  // The promise has no handler if the stream is cancelled.
  end.catch(() => {})
  while (!isDone) {
    const readable = Promise.withResolvers<void>()
    packer.once("readable", readable.resolve)
    await Promise.race([readable.promise, end])
    packer.off("readable", readable.resolve)
    for (let piece = packer.read(); piece !== null; piece = packer.read()) yield piece
  }
  await end
}

const preferred: readonly Coding[] = ["zstd", "br", "gzip"]

/**
 * Returns the coding that an `Accept-Encoding` prefers; of equal ones, the first in `order`. Undefined
 * if it accepts none, or prefers `identity`.
 */
export function codingFor(
  acceptEncoding: string | null,
  order: readonly Coding[] = preferred,
): Coding | undefined {
  if (!acceptEncoding) return undefined
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(",", maxNamed)) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim())
    const q = parameters.find((text) => text.startsWith("q="))?.slice(2)
    const weight = q === undefined ? 1 : Number(q)
    // `x-gzip` is a deprecated alias (RFC 9110, 8.4.1.3).
    weights.set(name === "x-gzip" ? "gzip" : name, weight >= 0 && weight <= 1 ? weight : 0)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0
  const best = order.reduce((best, name) => (weightOf(name) > weightOf(best) ? name : best))
  const weight = weightOf(best)
  return weight > 0 && weight >= (weights.get("identity") ?? 0) ? best : undefined
}

/** Maximum codings read from a header; about a dozen exist. */
const maxNamed = 20
