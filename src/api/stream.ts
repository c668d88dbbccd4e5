/**
 * An answer whose body is made while it is sent; nothing is made that the reader has not room for.
 * What fails then, no status can tell any more: `onBroken` is told, and the connection is cut.
 */
export function streamed(
  chunks: AsyncGenerator<string>,
  headers: Record<string, string>,
  status = 200,
  onBroken?: (error: unknown) => void,
): Response {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        onBroken?.(error)
        // Cuts the connection: the reader must not take a part for the whole.
        controller.error()
      }
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
  return new Response(stream, { status, headers })
}

const chunkCharacters = 64 * 1024

/** Joins short texts, so that each chunk is worth its sending. */
export async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ""
  for await (const text of texts) {
    chunk += text
    if (chunk.length >= chunkCharacters) {
      yield chunk
      chunk = ""
    }
  }
  if (chunk !== "") yield chunk
}
