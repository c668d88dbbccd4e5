const chunkCharacters = 64 * 1024
/** Maximum parts per chunk, however short, to limit the time for one chunk. */
const chunkParts = 1000

/** Joins short texts into chunks that are worth sending; bytes are passed on unchanged. */
export async function* inChunks<Bytes extends Uint8Array>(
  texts: AsyncIterable<string> | AsyncIterable<Bytes>,
): AsyncGenerator<string | Bytes> {
  let chunk = ""
  let parts = 0
  for await (const text of texts) {
    if (typeof text !== "string") {
      yield text
      continue
    }
    chunk += text
    parts++
    if (chunk.length >= chunkCharacters || parts >= chunkParts) {
      yield chunk
      chunk = ""
      parts = 0
    }
  }
  if (chunk !== "") yield chunk
}
