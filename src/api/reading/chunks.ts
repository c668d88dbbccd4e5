const chunkCharacters = 64 * 1024
/** Parts of one chunk, however short: making a chunk must not take long. */
const chunkParts = 1000

/** Joins short texts, so that each chunk is worth its sending; bytes go as they come. */
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
