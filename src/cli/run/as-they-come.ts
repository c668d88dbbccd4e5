const chunkCharacters = 64 * 1024

/** Joins texts that are there already; what is there is given before the next is waited for. */
export async function* asTheyCome(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const source = texts[Symbol.asyncIterator]()
  try {
    let next = source.next()
    for (let chunk = ""; ; ) {
      const result = await (chunk === "" ? next : Promise.race([next, oneTurn()]))
      if (result === undefined || chunk.length >= chunkCharacters) {
        yield chunk
        chunk = ""
      }
      if (result === undefined) continue
      if (result.done) {
        if (chunk !== "") yield chunk
        return
      }
      chunk += result.value
      next = source.next()
    }
  } finally {
    await source.return?.()
  }
}

const oneTurn = () => new Promise<undefined>((resolve) => setImmediate(resolve, undefined))
