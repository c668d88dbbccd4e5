/**
 * Maximum length of a compared name: longer ones are not misspellings, and take long to compare.
 */
const maxName = 64

/** Returns the known name nearest to a misspelt one, within a third of its length. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxName) return undefined
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, swap))
    }
    previous = row
  }
  return previous[b.length]!
}
