export interface LineDiff {
  added: string[]
  removed: string[]
}

/** Maximum number of differences for which the shortest edit is searched. */
const maxEdits = 1_000

/** A line that is added or taken away at a position of the old text. */
interface LineEdit {
  type: "add" | "del"
  line: string
  /** Lines of the old text before it. */
  x: number
}

/** The lines that one text has and the other has not, by the shortest edit (Myers 1986). */
export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  const { start, old, fresh } = middleOf(before, after)
  if (old.length === 0 || fresh.length === 0) return { added: fresh, removed: old }
  const edits = shortestEdit(old, fresh, start)
  if (edits === null) return byCount(old, fresh)
  const linesOf = (wanted: LineEdit["type"]) =>
    edits.filter(({ type }) => type === wanted).map(({ line }) => line)
  return { added: linesOf("add"), removed: linesOf("del") }
}

/** The same as edits in their order; of texts with little in common, all of one for all of the other. */
function lineEdits(before: readonly string[], after: readonly string[]): LineEdit[] {
  const { start, old, fresh } = middleOf(before, after)
  const edits = old.length > 0 && fresh.length > 0 ? shortestEdit(old, fresh, start) : null
  if (edits !== null) return edits
  const end = start + old.length
  return [
    ...old.map((line, index) => ({ type: "del" as const, line, x: start + index })),
    ...fresh.map((line) => ({ type: "add" as const, line, x: end })),
  ]
}

/** Returns two texts without their common first and last lines. */
function middleOf(before: readonly string[], after: readonly string[]) {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let beforeEnd = before.length
  let afterEnd = after.length
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--
    afterEnd--
  }
  return { start, old: before.slice(start, beforeEnd), fresh: after.slice(start, afterEnd) }
}

function shortestEdit(old: string[], fresh: string[], start: number): LineEdit[] | null {
  const max = Math.min(old.length + fresh.length, maxEdits)
  const furthest = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let edits = 0; edits <= max; edits++) {
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
      if (x >= old.length && y >= fresh.length) return walkBack(trace, old, fresh, start)
    }
  }
  return null
}

const goesDown = (furthest: Map<number, number>, diagonal: number, edits: number) =>
  diagonal === -edits ||
  (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1))

function walkBack(
  trace: Map<number, number>[],
  old: string[],
  fresh: string[],
  start: number,
): LineEdit[] {
  const collected: LineEdit[] = []
  let x = old.length
  let y = fresh.length
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const furthest = trace[edits]!
    const diagonal = x - y
    const down = goesDown(furthest, diagonal, edits)
    const previous = down ? diagonal + 1 : diagonal - 1
    const previousX = furthest.get(previous) ?? 0
    const previousY = previousX - previous
    const line = down ? fresh[previousY]! : old[previousX]!
    collected.push({ type: down ? "add" : "del", line, x: start + previousX })
    x = previousX
    y = previousY
  }
  return collected.reverse()
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

interface DiffChange {
  type: "add" | "del" | "normal"
  /** Includes the mark of the line. */
  content: string
  /** Lines of the old and of the new text, from 1. */
  before: number | null
  after: number | null
}

interface DiffHunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  changes: DiffChange[]
}

const around = 3

/** The changes from one text to another as `diff -u` groups them; none if the texts are the same. */
export function diffHunks(before: readonly string[], after: readonly string[]): DiffHunk[] {
  const changes = allChanges(before, after)
  const hunks: DiffHunk[] = []
  let end = -1
  for (const [index, { type }] of changes.entries()) {
    if (type === "normal" || index < end) continue
    const start = Math.max(end, 0, index - around)
    end = endOfHunk(changes, index)
    hunks.push(hunkOf(changes.slice(start, end)))
  }
  return hunks
}

/** Returns the end of a hunk: changes with few lines between them share one. */
function endOfHunk(changes: readonly DiffChange[], from: number): number {
  let last = from
  for (let at = from; at < changes.length && at - last <= 2 * around; at++) {
    if (changes[at]!.type !== "normal") last = at
  }
  return Math.min(changes.length, last + around + 1)
}

function hunkOf(changes: DiffChange[]): DiffHunk {
  const old = changes.filter(({ type }) => type !== "add")
  const fresh = changes.filter(({ type }) => type !== "del")
  return {
    oldStart: old[0]?.before ?? 0,
    oldLines: old.length,
    newStart: fresh[0]?.after ?? 0,
    newLines: fresh.length,
    changes,
  }
}

function allChanges(before: readonly string[], after: readonly string[]): DiffChange[] {
  const changes: DiffChange[] = []
  let x = 0
  let y = 0
  const same = (untilX: number) => {
    for (; x < untilX; x++, y++) {
      changes.push({ type: "normal", content: ` ${before[x]}`, before: x + 1, after: y + 1 })
    }
  }
  for (const { type, x: at } of lineEdits(before, after)) {
    same(at)
    if (type === "del") {
      changes.push({ type, content: `-${before[x]}`, before: x + 1, after: null })
      x++
    } else {
      changes.push({ type, content: `+${after[y]}`, before: null, after: y + 1 })
      y++
    }
  }
  same(before.length)
  return changes
}

export const hunkHeading = ({ oldStart, oldLines, newStart, newLines }: DiffHunk) =>
  `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`

/** Hunks as the text that `patch` reads. */
export const diffText = (hunks: readonly DiffHunk[]) =>
  hunks
    .flatMap((hunk) => [hunkHeading(hunk), ...hunk.changes.map(({ content }) => content)])
    .join("\n")
