import { type Coding, codingFor, packStream, packWhole } from "./coding/coding.ts"
import { streamed } from "./stream.ts"

/** Minimum bytes to compress; the overhead of smaller bodies is larger than the gain. */
export const minPacked = 1024
/** Larger bodies are compressed as a stream. */
const maxAtOnce = 256 * 1024

/**
 * Text types. Events are excluded, because they must arrive immediately on connections that last
 * for hours.
 */
const packable =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson|javascript)|image\/svg)/i
/** Responses with secrets: their compressed length could reveal them (BREACH). */
const unpackable = /\bno-(?:store|transform)\b/i
const withoutBody = [204, 206, 304]

/** Compresses a response as the client accepts it; `onBroken` receives failures after the headers. */
export function compressed(
  request: Request,
  response: Response,
  onBroken: (error: unknown) => void,
): Response | Promise<Response> {
  const { headers, status } = response
  if (!packable.test(headers.get("content-type") ?? "")) return response
  if (unpackable.test(headers.get("cache-control") ?? "")) return response
  headers.append("vary", "accept-encoding")
  if (headers.has("content-encoding") || withoutBody.includes(status)) return response
  const coding = codingFor(request.headers.get("accept-encoding"))
  if (!coding || request.method === "HEAD" || !response.body) return response
  return packed(response, response.body, coding, onBroken)
}

async function packed(
  { headers, status }: Response,
  body: ReadableStream<Uint8Array>,
  coding: Coding,
  onBroken: (error: unknown) => void,
): Promise<Response> {
  const started = await beginningOf(body)
  const bytes = Buffer.concat(started.pieces)
  if (!started.rest && bytes.length < minPacked) return new Response(bytes, { status, headers })
  headers.set("content-encoding", coding)
  // Each coding needs its own ETag.
  headers.delete("content-length")
  if (!started.rest) {
    const whole = await packWhole(bytes, coding)
    return new Response(whole as Uint8Array<ArrayBuffer>, { status, headers })
  }
  const chunks = packStream(wholeOf(started.pieces, started.rest), coding)
  return streamed(chunks, headers, status, (error) => {
    // A truncated body: its source has reported the reason.
    if (error !== undefined) onBroken(error)
  })
}

type Reading = ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>

interface Rest {
  reader: ReadableStreamDefaultReader<Uint8Array>
  next: Reading
}

interface Beginning {
  pieces: Uint8Array[]
  /** The remaining stream of a long or unfinished body. */
  rest?: Rest
}

/** Returns the available part of a body, which is usually all of it. */
async function beginningOf(body: ReadableStream<Uint8Array>): Promise<Beginning> {
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  for (let size = 0; ; ) {
    const next = reader.read()
    const piece = size > maxAtOnce ? undefined : await Promise.race([next, nextTick()])
    if (!piece) return { pieces, rest: { reader, next } }
    if (piece.done) return { pieces }
    pieces.push(piece.value)
    size += piece.value.length
  }
}

const nextTick = () => new Promise<undefined>((resolve) => setImmediate(resolve, undefined))

async function* wholeOf(pieces: Uint8Array[], { reader, next }: Rest): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
    for (let piece = await next; !piece.done; piece = await reader.read()) yield piece.value
  } finally {
    // No effect on a stream that was read to its end.
    await reader.cancel()
  }
}
