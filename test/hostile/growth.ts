/**
 * Size of the shorter page: large enough that quadratic growth shows, and small enough to be quick.
 */
const times = 4
/** Linear time grows by 4, less the constant cost of any page; quadratic time by 16. */
const most = 5
const maxForTwice = 2.2
/** Below this time, the shorter page was slow for another reason than its size. */
const least = 3
/** Time that a garbage collection, or another thread in the same cache, may add. */
const noiseMs = 20
const tries = 4

/**
 * Returns what is wrong with the processor time (in ms) of a page of four times the size; null if
 * nothing is. Nearly all pages are too quick to compare. If a reading was slow, garbage is collected
 * first, which may have been the reason; a collection takes as long as many pages.
 */
export async function issueOf(
  read: (times: number) => Promise<number> | number,
): Promise<string | null> {
  let longMs = await read(times)
  if (longMs <= noiseMs) return null
  let baseMs = await read(1)
  // A collection during the shorter page might hide that the longer one took too long.
  if (longMs < baseMs * least) baseMs = Math.min(baseMs, await read(1))
  for (let turn = 0; turn < tries && longMs > baseMs * most + noiseMs; turn++) {
    Bun.gc(true)
    longMs = Math.min(longMs, await read(times))
    baseMs = Math.min(baseMs, await read(1))
  }
  if (longMs <= baseMs * most + noiseMs) return null
  // From some size on, a page may be read in another way: a step, not growth.
  const longerMs = Math.min(await read(times * 2), await read(times * 2))
  if (longerMs <= longMs * maxForTwice + noiseMs) return null
  return `${Math.round(baseMs)} ms became ${Math.round(longMs)} ms`
}
