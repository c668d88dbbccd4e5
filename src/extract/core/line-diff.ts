export interface LineDiff {
  added: string[]
  removed: string[]
}

/** With more differences than this, the shortest edit is not searched for. */
const maxEdits = 1_000

/** The lines that one text has and the other has not, by the shortest edit (Myers 1986). */
export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let beforeEnd = before.length
  let afterEnd = after.length
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--
    afterEnd--
  }
  const old = before.slice(start, beforeEnd)
  const fresh = after.slice(start, afterEnd)
  if (old.length === 0 || fresh.length === 0) return { added: fresh, removed: old }
  return shortestEdit(old, fresh) ?? byCount(old, fresh)
}

function shortestEdit(old: string[], fresh: string[]): LineDiff | null {
  const most = Math.min(old.length + fresh.length, maxEdits)
  const furthest = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(new Map(furthest))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = goesDown(furthest, diagonal, edits)
      let x = down ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1
      let y = x - diagonal
      while (x < old.length && y < fresh.length && old[x] === fresh[y]) {
        x++
        y++
      }
      furthest.set(diagonal, x)
      if (x >= old.length && y >= fresh.length) return walkBack(trace, old, fresh)
    }
  }
  return null
}

const goesDown = (furthest: Map<number, number>, diagonal: number, edits: number) =>
  diagonal === -edits ||
  (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1))

function walkBack(trace: Map<number, number>[], old: string[], fresh: string[]): LineDiff {
  const added: string[] = []
  const removed: string[] = []
  let x = old.length
  let y = fresh.length
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const furthest = trace[edits]!
    const diagonal = x - y
    const down = goesDown(furthest, diagonal, edits)
    const previous = down ? diagonal + 1 : diagonal - 1
    const previousX = furthest.get(previous) ?? 0
    const previousY = previousX - previous
    if (down) added.push(fresh[previousY]!)
    else removed.push(old[previousX]!)
    x = previousX
    y = previousY
  }
  return { added: added.reverse(), removed: removed.reverse() }
}

/** For texts with little in common: counts lines and ignores their order. */
function byCount(old: string[], fresh: string[]): LineDiff {
  const counts = new Map<string, number>()
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1)
  const added = fresh.filter((line) => !take(counts, line))
  const removed: string[] = []
  for (const line of old) if (take(counts, line)) removed.push(line)
  return { added, removed }
}

function take(counts: Map<string, number>, line: string): boolean {
  const count = counts.get(line) ?? 0
  if (count > 0) counts.set(line, count - 1)
  return count > 0
}
