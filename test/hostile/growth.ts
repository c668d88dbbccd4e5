/** Of the shorter page: near enough that what any page costs at all hides no growth. */
const times = 2
/** What takes time by the square takes 4. */
const most = 2.2
/** What takes time by its size takes 2, less what any page costs. */
const least = 1.8
/** What a collection of garbage, or another thread in the same cache, may add. */
const noiseMs = 25
const tries = 4

/**
 * What is wrong with the time (of the processor, in ms) that a page of twice the size takes; null
 * where nothing is. Most are read in no time to speak of, and need no comparison. What was left behind
 * before is collected where a reading was slow, as that may have been why; it takes as long as many a
 * page.
 */
export async function faultOf(
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
  const longerMs = Math.min(await read(times * times), await read(times * times))
  if (longerMs <= longMs * most + noiseMs) return null
  return `${Math.round(baseMs)} ms became ${Math.round(longMs)} ms`
}
