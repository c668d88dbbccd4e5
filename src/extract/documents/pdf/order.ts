import { type Segment, textOfSegment } from "./segments.ts"

/** Segments on one line. */
export interface Row {
  y: number
  segments: Segment[]
}

/** Columns with fewer lines are text only if these are long. */
const fewestLines = 4
const maxDepth = 12
/** In letter heights. */
const gutterWidth = 0.7

/**
 * Returns the regions of a page in reading order: the lines above the columns, each column, and the
 * lines below them. The lines of a region are read from top to bottom.
 */
export function regionsOf(segments: readonly Segment[], depth = 0): Row[][] {
  const rows = rowsOf(segments)
  const columns = depth < maxDepth ? widestColumns(rows) : undefined
  if (!columns) return rows.length > 0 ? [rows] : []
  const { from, to, gutter } = columns
  const inside = rows.slice(from, to).flatMap((row) => row.segments)
  const left = inside.filter((segment) => segment.x0 < gutter)
  const right = inside.filter((segment) => segment.x0 >= gutter)
  const rtl = inside.filter((segment) => segment.rtl).length * 2 > inside.length
  const sides = rtl ? [right, left] : [left, right]
  return [
    ...regionsOf(segmentsIn(rows.slice(0, from)), depth + 1),
    ...sides.flatMap((side) => regionsOf(side, depth + 1)),
    ...regionsOf(segmentsIn(rows.slice(to)), depth + 1),
  ]
}

const segmentsIn = (rows: Row[]) => rows.flatMap((row) => row.segments)

export function rowsOf(segments: readonly Segment[]): Row[] {
  const rows: Row[] = []
  for (const segment of segments.toSorted((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const row = rows.at(-1)
    const near = row && Math.abs(row.y - segment.y) < segment.size * 0.3
    if (near) row.segments.push(segment)
    else rows.push({ y: segment.y, segments: [segment] })
  }
  for (const row of rows) row.segments.sort((a, b) => a.x0 - b.x0)
  return rows
}

interface Columns {
  /** Rows of both columns: from `from`, up to but not including `to`. */
  from: number
  to: number
  /** The start of the right column. */
  gutter: number
}

/** Returns the longest run of rows that a gutter separates into two columns of text. */
function widestColumns(rows: Row[]): Columns | undefined {
  if (rows.length < 2) return undefined
  let best: Columns | undefined
  for (const gutter of gutters(rows)) {
    const whole = stretch(rows, gutter)
    const apart = whole && areApart(rows.slice(whole.from, whole.to), gutter)
    const columns = apart ? whole : withoutTables(rows, whole)
    if (!columns) continue
    if (!apart && !areText(rows.slice(columns.from, columns.to), gutter)) continue
    if (!best || columns.to - columns.from > best.to - best.from) best = columns
  }
  return best
}

/** Returns left edges that several lines share, except the region's own edge. */
function gutters(rows: Row[]): number[] {
  const counts = new Map<number, { x: number; count: number }>()
  let leftmost = Number.POSITIVE_INFINITY
  for (const { segments } of rows) {
    leftmost = Math.min(leftmost, segments[0]!.x0)
    for (const { x0 } of segments) {
      const key = Math.round(x0 / 4)
      const known = counts.get(key) ?? { x: x0, count: 0 }
      counts.set(key, { x: Math.min(known.x, x0), count: known.count + 1 })
    }
  }
  return [...counts.values()]
    .filter(({ x, count }) => count >= 2 && x > leftmost + 20)
    .sort((a, b) => b.count - a.count)
    .slice(0, 12)
    .map(({ x }) => x - 0.5)
}

function stretch(rows: Row[], gutter: number): Columns | undefined {
  let best: Columns | undefined
  let from = 0
  for (let to = 0; to <= rows.length; to++) {
    const row = rows[to]
    if (row && !crosses(row, gutter)) continue
    if (to > from && (!best || to - from > best.to - best.from)) best = { from, to, gutter }
    from = to + 1
  }
  return best && trimmed(rows, best)
}

const crosses = ({ segments }: Row, gutter: number) =>
  segments.some(({ x0, x1, size }) => x0 < gutter && x1 > gutter - size * gutterWidth)

/** Returns the columns without the lines above them that do not cross the gutter. */
function trimmed(rows: Row[], { from, to, gutter }: Columns): Columns {
  const isRight = (row: Row) => row.segments.some(({ x0 }) => x0 >= gutter)
  const firstRight = rows.findIndex((row, at) => at >= from && at < to && isRight(row))
  if (firstRight < 0) return { from, to, gutter }
  // Columns start at the same height: lines above both do not belong to the left one.
  const top = rows[firstRight]!
  const start = rows.findIndex((row, at) => at >= from && top.y - row.y < top.segments[0]!.size)
  return { from: start, to, gutter }
}

/** Returns the columns without tables above or below, which may have a gap at the gutter. */
function withoutTables(rows: Row[], columns: Columns | undefined): Columns | undefined {
  if (!columns) return undefined
  let { from, to } = columns
  const { gutter } = columns
  const isTable = (start: number, end: number) => {
    const part = rows.slice(start, end)
    return part.some(({ segments }) => segments.length > 1) && !areText(part, gutter)
  }
  const breaks = [from, ...breaksIn(rows, from, to), to]
  for (let at = 0; at + 2 < breaks.length && isTable(breaks[at]!, breaks[at + 1]!); at++) {
    from = breaks[at + 1]!
  }
  for (let at = breaks.length - 1; at > 1 && breaks[at - 1]! > from; at--) {
    if (!isTable(breaks[at - 1]!, breaks[at]!)) break
    to = breaks[at - 1]!
  }
  return { from, to, gutter }
}

/** Returns the rows before which the gap is larger than between lines. */
function breaksIn(rows: Row[], from: number, to: number): number[] {
  const gaps = rows.slice(from, to - 1).map((row, at) => rows[from + at + 1]!.y - row.y)
  const usual = median(gaps)
  return gaps.flatMap((gap, at) => (gap > usual * 1.8 ? [from + at + 1] : []))
}

const fewestApart = 8
/** The same for two of several columns, because tables have several, too. */
const fewestNext = 15
const maxShared = 0.4

/**
 * Returns whether the lines of both sides are at different heights, unlike the cells of a table.
 */
function areApart(rows: Row[], gutter: number): boolean {
  const all = segmentsIn(rows)
  const left = all.filter(({ x0 }) => x0 < gutter)
  const right = all.filter(({ x0 }) => x0 >= gutter)
  if (differ(left, right, fewestApart)) return true
  return rows.length >= fewestNext && differ(...nextTo(rows, gutter), fewestNext)
}

function differ(left: Segment[], right: Segment[], min: number): boolean {
  const [fewer, more] = [heights(left), heights(right)].toSorted((a, b) => a.length - b.length)
  if (fewer!.length < min || more!.length > fewer!.length * 3) return false
  const shared = fewer!.filter((y) => more!.some((other) => Math.abs(other - y) < 1)).length
  return shared < fewer!.length * maxShared
}

/**
 * Returns the segments of the columns to the left and right of a gutter, without those of columns that
 * are farther away: their lines are at the height of any other line.
 */
function nextTo(rows: Row[], gutter: number): [Segment[], Segment[]] {
  const sides = rows.map(({ segments }) => {
    const first = segments.findIndex(({ x0 }) => x0 >= gutter)
    return { left: segments[(first < 0 ? segments.length : first) - 1], right: segments[first] }
  })
  const rights = sides.flatMap(({ right = [] }) => right)
  const start = edgeOf(sides.flatMap(({ left = [] }) => left))
  const isAtGutter = ({ x0, size }: Segment) => x0 - gutter < size * 2
  const end = Math.max(gutter, ...rights.filter(isAtGutter).map(({ x1 }) => x1))
  const all = segmentsIn(rows)
  return [
    all.filter(({ x0, size }) => x0 > start - size && x0 < gutter),
    all.filter(({ x0 }) => x0 >= gutter && x0 < end),
  ]
}

/** Returns the left edge that the largest number of segments share. */
function edgeOf(segments: Segment[]): number {
  const edges = Map.groupBy(segments, ({ x0 }) => Math.round(x0 / 4))
  const [most] = [...edges.values()].toSorted((a, b) => b.length - a.length)
  return most ? Math.min(...most.map(({ x0 }) => x0)) : 0
}

const heights = (segments: Segment[]) => rowsOf(segments).map(({ y }) => y)

/** Returns whether the lines fill both sides, as text does and cells of a table do not. */
function areText(rows: Row[], gutter: number): boolean {
  const all = segmentsIn(rows)
  const sides = [all.filter(({ x0 }) => x0 < gutter), all.filter(({ x0 }) => x0 >= gutter)]
  if (sides.every((side) => isText(side, ofText))) return true
  if (rows.length < ofNext.lines) return false
  const next = nextTo(rows, gutter)
  const hasOthers = next.some((side, at) => side.length < sides[at]!.length)
  return hasOthers && next.every((side) => side.length > 0 && isText(side, ofNext))
}

/** Minimum lines of a column, and how full they are. */
interface Fullness {
  lines: number
  fill: number
  characters: number
}
const ofText: Fullness = { lines: 2, fill: 0.45, characters: 12 }
/** Of two of several columns, because tables have several, too. */
const ofNext: Fullness = { lines: 6, fill: 0.85, characters: 18 }

function isText(side: Segment[], { lines: fewest, fill, characters }: Fullness): boolean {
  const lines = rowsOf(side)
  const left = Math.min(...side.map(({ x0 }) => x0))
  const width = Math.max(...side.map(({ x1 }) => x1)) - left
  const fills = lines.map(({ segments }) => (segments.at(-1)!.x1 - segments[0]!.x0) / width)
  const lengths = lines.map(({ segments }) =>
    segments.reduce((sum, segment) => sum + textOfSegment(segment).length, 0),
  )
  const singles = lines.filter(({ segments }) => segments.length === 1).length
  const isShort = lines.length < fewestLines
  if (lines.length < fewest) return false
  if (isShort && (median(fills) < 0.7 || median(lengths) < 25)) return false
  return median(fills) >= fill && median(lengths) >= characters && singles * 2 > lines.length
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
