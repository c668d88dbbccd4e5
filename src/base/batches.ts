/**
 * Gathers texts that are there already, up to so many and so large; what is there is given before the next is
 * waited for.
 */
export async function* batches(
  texts: Iterable<string> | AsyncIterable<string>,
  most: { texts?: number; characters: number },
): AsyncGenerator<string[]> {
  const source = each(texts)
  try {
    let next = source.next()
    let batch: string[] = []
    let characters = 0
    for (;;) {
      const result = await (batch.length === 0 ? next : Promise.race([next, oneTurn()]))
      const isFull = characters >= most.characters || batch.length === most.texts
      if (result === undefined || isFull) {
        yield batch
        batch = []
        characters = 0
      }
      if (result === undefined) continue
      if (result.done) {
        if (batch.length > 0) yield batch
        return
      }
      batch.push(result.value)
      characters += result.value.length
      next = source.next()
    }
  } finally {
    await source.return(undefined)
  }
}

async function* each(texts: Iterable<string> | AsyncIterable<string>) {
  yield* texts
}

const oneTurn = () => new Promise<undefined>((resolve) => setImmediate(resolve, undefined))
