import { existsSync, rmSync } from "node:fs"
import { open } from "node:fs/promises"
import { cannotWrite } from "../common/file-errors.ts"

type Item = Record<string, unknown>

interface Making {
  /** Converts items to the parts of a file. */
  partsOf(items: AsyncIterable<Item>): AsyncIterable<string | Uint8Array>
  /** Whether the run failed; read after the last item. */
  hasFailed(): boolean
}

/**
 * Writes items to a file, which is unchanged until the first item arrives: a run that cannot start,
 * or returns nothing, changes nothing. Reports the file that a failed run leaves. @throws BadUse
 */
export async function writeFile(
  path: string,
  items: AsyncIterable<Item>,
  { partsOf, hasFailed }: Making,
): Promise<void> {
  const isNew = !existsSync(path)
  const file = await open(path, "a").catch((error) => {
    throw cannotWrite(path, error)
  })
  const reader = items[Symbol.asyncIterator]()
  let count = 0
  async function* beginningWith(first: IteratorResult<Item>) {
    try {
      for (let next = first; !next.done; next = await reader.next()) {
        count++
        yield next.value
      }
    } finally {
      await reader.return?.()
    }
  }
  let [isStarted, isWhole] = [false, false]
  try {
    const first = await reader.next()
    if (first.done && hasFailed()) return
    isStarted = true
    if ((await file.stat()).isFile()) await file.truncate()
    for await (const chunk of partsOf(beginningWith(first))) await file.writeFile(chunk)
    isWhole = true
  } finally {
    await file.close()
    if (isWhole) {
      if (hasFailed()) console.error(`${path} contains the items so far: ${countOf(count)}.`)
    } else if (isStarted) console.error(`${path} is incomplete.`)
    else if (isNew) rmSync(path, { force: true })
    else console.error(`${path} is unchanged, because the run returned nothing.`)
  }
}

const countOf = (items: number) => `${items} item${items === 1 ? "" : "s"}`
