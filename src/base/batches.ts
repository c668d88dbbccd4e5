/**
 * Groups texts that are available, up to a maximum number and size. Available texts are yielded before
 * the next is awaited.
 */
export async function* batches(
  texts: Iterable<string> | AsyncIterable<string>,
  max: { texts?: number; characters: number },
): AsyncGenerator<string[]> {
  const source = each(texts)
  try {
    let next = source.next()
    let batch: string[] = []
    let characters = 0
    for (;;) {
      const result = await (batch.length === 0 ? next : Promise.race([next, nextTick()]))
      const isFull = characters >= max.characters || batch.length === max.texts
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

const nextTick = () => new Promise<undefined>((resolve) => setImmediate(resolve, undefined))
