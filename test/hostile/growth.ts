/** Of the shorter page: so many that growth by the square stands out, and the shorter costs little. */
const times = 4
/** What takes time by its size takes 4, less what any page costs; by the square, 16. */
const most = 5
const maxForTwice = 2.2
/** Below it, the shorter page was slow for another reason than its size. */
const least = 3
/** What a collection of garbage, or another thread in the same cache, may add. */
const noiseMs = 20
const tries = 4

/**
 * What is wrong with the time (of the processor, in ms) that a page of four times the size takes; null
 * where nothing is. Most are read in no time to speak of, and need no comparison. What was left behind
 * before is collected where a reading was slow, as that may have been why; it takes as long as many a
 * page.
 */
export async function issueOf(
  read: (times: number) => Promise<number> | number,
): Promise<string | null> {
  let longMs = await read(times)
  if (longMs <= noiseMs) return null
  let baseMs = await read(1)
  // A collection met the shorter page, and might hide that the longer took too long.
  if (longMs < baseMs * least) baseMs = Math.min(baseMs, await read(1))
  for (let turn = 0; turn < tries && longMs > baseMs * most + noiseMs; turn++) {
    Bun.gc(true)
    longMs = Math.min(longMs, await read(times))
    baseMs = Math.min(baseMs, await read(1))
  }
  if (longMs <= baseMs * most + noiseMs) return null
  // From some size on, a page may be read in another way: a step, and no growth.
  const longerMs = Math.min(await read(times * 2), await read(times * 2))
  if (longerMs <= longMs * maxForTwice + noiseMs) return null
  return `${Math.round(baseMs)} ms became ${Math.round(longMs)} ms`
}
