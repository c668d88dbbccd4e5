import type { Row } from "./order.ts"
import { type Segment, textOfSegment } from "./segments.ts"

export type Part = Segment["parts"][number]

export const sizeOf = ({ segments }: Row) => Math.max(...segments.map(({ size }) => size))

export const areRtl = (segments: readonly Segment[]) =>
  segments.filter(({ rtl }) => rtl).length * 2 > segments.length

/** Returns the end of the table that starts at a row, or `start` if no table starts there. */
export function tableEnd(rows: Row[], start: number, leading: number): number {
  if (rows[start]!.segments.length < 2) return start
  let end = start
  let cells = 0
  let rowsOfCells = 0
  for (; end < rows.length; end++) {
    const row = rows[end]!
    const before = rows[end - 1]
    if (end > start && row.y - before!.y > Math.max(leading * 2.5, sizeOf(row) * 3.2)) break
    if (row.segments.length < 2) {
      // This is the second line of a cell; a row as wide as the page is text again.
      const next = rows[end + 1]
      const goesOn = next !== undefined && next.segments.length > 1
      if (goesOn && isUnder(row.segments[0]!, rows.slice(start, end))) continue
      const after = endOfLabels(rows, start, end, leading)
      if (after === end) break
      end = after - 1
      continue
    }
    rowsOfCells++
    cells += row.segments.length
  }
  return rowsOfCells >= 2 && cells >= 4 && aligns(rows.slice(start, end)) ? end : start
}

/** Maximum consecutive rows that have only a label. */
const maxLabels = 5
/**
 * Minimum number of columns and rows of several cells, together, before a row that has only a
 * label.
 */
const minLabelled = 4

/**
 * Labels of several lines, and those of groups of rows, are only in the first column. Returns the row
 * at which the columns continue, or `from` if they do not.
 */
function endOfLabels(rows: Row[], start: number, from: number, leading: number): number {
  const columns = columnsOf(rows.slice(start, from))
  const [first, second] = columns
  if (!first || !second) return from
  // One line with a gap is not a table of two columns.
  const full = rows.slice(start, from).filter(({ segments }) => segments.length > 1).length
  if (columns.length + full < minLabelled) return from
  for (let at = from; at < rows.length && at <= from + maxLabels; at++) {
    const row = rows[at]!
    if (row.y - rows[at - 1]!.y > Math.max(leading * 2.5, sizeOf(row) * 3.2)) return from
    if (row.segments.length > 1) return isIn(columns, row) ? at : from
    const [label] = row.segments as [Segment]
    const isLabel = label.x0 > first.x0 - label.size * 1.5 && label.x1 < second.x0 - label.size / 2
    if (!isLabel && !(isLonely(label, columns) && at > from)) return from
  }
  return from
}

/** Returns whether each cell of a row is in one column, and the cells are in several. */
function isIn(columns: Column[], { segments }: Row): boolean {
  const columnIndexes = segments.map((segment) => columnIndexesOf(columns, segment))
  return columnIndexes.every(({ length }) => length <= 1) && new Set(columnIndexes.flat()).size > 1
}

/** Returns whether the only cell of a row is in a column after the first. */
const isLonely = (segment: Segment, columns: Column[]) => {
  const [columnIndex, ...others] = columnIndexesOf(columns, segment)
  return columnIndex !== undefined && columnIndex > 0 && others.length === 0
}

const columnIndexesOf = (columns: Column[], { x0, x1 }: Segment): number[] =>
  columns.flatMap((column, at) => (x0 < column.x1 - 1 && x1 > column.x0 + 1 ? [at] : []))

function isUnder(segment: Segment, above: Row[]): boolean {
  const width =
    Math.max(...above.flatMap((row) => row.segments.map(({ x1 }) => x1))) -
    Math.min(...above.map((row) => row.segments[0]!.x0))
  return (
    segment.x1 - segment.x0 < width * 0.6 &&
    above.some((row) => row.segments.some((cell) => Math.abs(cell.x0 - segment.x0) < segment.size))
  )
}

/** Returns a header whose words are closer than cells, above the columns to which they belong. */
export function headRow(rows: Row[], start: number, end: number): Part[][] | undefined {
  const [before, head, first, second] = [start - 2, start - 1, start, start + 1].map(
    (at) => rows[at],
  )
  if (!head || head.segments.length > 1) return undefined
  const distance = second!.y - first!.y
  if (first!.y - head.y > distance * 1.3) return undefined
  if (before && head.y - before.y < distance * 0.8) return undefined
  const [segment] = head.segments as [Segment]
  const columns = columnsOf(rows.slice(start, end))
  const text = textOfSegment(segment)
  const width = (segment.x1 - segment.x0) / text.length
  const cells: Part[][] = columns.map(() => [])
  for (const word of text.matchAll(/\S+/g)) {
    const x0 = segment.x0 + word.index * width
    const columnIndex = columnAt(columns, { ...segment, x0, x1: x0 + word[0].length * width })
    const cell = cells[columnIndex]!
    cell.push({ text: cell.length > 0 ? ` ${word[0]}` : word[0] })
  }
  return cells.every((cell) => cell.length > 0) ? cells : undefined
}

/** Returns whether cells align vertically: at their left, right or middle. */
function aligns(rows: Row[]): boolean {
  const columns = columnsOf(rows)
  return columns.length > 1 && areIn(columns, rows)
}

/** Returns whether most rows have each cell in a different column. */
function areIn(columns: Column[], rows: Row[]): boolean {
  const full = rows.filter(({ segments }) => segments.length > 1)
  const placed = full.filter(({ segments }) => {
    const columnIndexes = segments.map((segment) => columnAt(columns, segment))
    return new Set(columnIndexes).size === columnIndexes.length
  })
  return placed.length >= full.length * 0.8
}

/** In letter heights: a row that is closer is between the lines of one cell. */
const betweenLines = 0.8

interface Column {
  x0: number
  x1: number
}

/** Minimum columns, and minimum cells in a column, for finding cells that span columns. */
const minCells = 3
const minColumns = 3
/** Share of the narrowest cells by which columns are found if some cells span several columns. */
const narrowShare = 0.85

/**
 * Returns the columns: gaps between them are crossed by no cell of several rows, or by few cells.
 */
function columnsOf(rows: Row[]): Column[] {
  const full = rows.filter(({ segments }) => segments.length > 1)
  const cells = full.flatMap(({ segments }) => segments)
  const columns = columnsUnder(cells)
  if (full.length < minCells || areIn(columns, full)) return columns
  const byWidth = cells.toSorted((a, b) => a.x1 - a.x0 - (b.x1 - b.x0))
  const narrow = columnsUnder(byWidth.slice(0, Math.ceil(cells.length * narrowShare)))
  const single = cells.filter((cell) => columnIndexesOf(narrow, cell).length < 2)
  const max = columnsUnder(single)
  return max.length >= minColumns && areIn(max, full) ? max : columns
}

function columnsUnder(cells: Segment[]): Column[] {
  const columns: Column[] = []
  for (const { x0, x1 } of cells.toSorted((a, b) => a.x0 - b.x0)) {
    const last = columns.at(-1)
    if (last && x0 < last.x1 - 1) last.x1 = Math.max(last.x1, x1)
    else columns.push({ x0, x1 })
  }
  return columns
}

function columnAt(columns: Column[], { x0, x1 }: Segment): number {
  const overlap = ({ x0: from, x1: to }: Column) => Math.min(to, x1) - Math.max(from, x0)
  let best = 0
  for (const [at, column] of columns.entries()) {
    if (overlap(column) > overlap(columns[best]!)) best = at
  }
  return best
}

export function tableRows(rows: Row[]): Part[][][] {
  const columns = columnsOf(rows)
  const table: Part[][][] = []
  for (const [at, row] of rows.entries()) {
    const cells: Part[][] = columns.map(() => [])
    for (const segment of row.segments) {
      const cell = cells[columnAt(columns, segment)]!
      if (cell.length > 0) cell.push({ text: " " })
      cell.push(...segment.parts)
    }
    const above = table.at(-1)
    // Cells may be between the lines of a label of several lines.
    const isBetween = at > 0 && row.y - rows[at - 1]!.y < sizeOf(row) * betweenLines
    // A row without its first cell continues the row above.
    if (above && (isBetween || (row.segments.length === 1 && cells[0]!.length === 0))) {
      for (const [at, cell] of cells.entries()) {
        if (cell.length > 0) above[at]!.push({ text: " " }, ...cell)
      }
    } else table.push(cells)
  }
  const isRtl = areRtl(
    rows.flatMap(({ segments }) => segments.filter(({ parts }) => isWord(parts))),
  )
  return isRtl ? table.map((cells) => cells.toReversed()) : table
}

/** Returns whether parts have a word, because numbers have no direction. */
const isWord = (parts: Part[]) => parts.some(({ text }) => /\p{L}/u.test(text))
