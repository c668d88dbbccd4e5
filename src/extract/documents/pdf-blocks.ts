import { median, type Row } from "./pdf-order.ts"
import { readingOrder, type Segment, textOfSegment } from "./pdf-segments.ts"

export type Part = Segment["parts"][number]

/** A stretch of a page: lines of one paragraph, or the rows of a table. */
export type Block =
  | { kind: "text"; lines: Part[][]; size: number; indent: number }
  | { kind: "table"; rows: Part[][][] }

/** What stands in one region, from top to bottom. */
export function blocksOf(rows: Row[]): Block[] {
  const blocks: Block[] = []
  const leading = usualLeading(rows)
  const left = Math.min(...rows.map((row) => row.segments[0]!.x0))
  for (let at = 0; at < rows.length; ) {
    const end = tableEnd(rows, at, leading)
    if (end > at) {
      const table = tableRows(rows.slice(at, end))
      const head = headRow(rows, at, end)
      const above = blocks.at(-1)
      if (head && above?.kind === "text") {
        // The lines before it are the paragraph's above the table.
        above.lines.pop()
        if (above.lines.length === 0) blocks.pop()
        table.unshift(head)
      }
      blocks.push({ kind: "table", rows: table })
      at = end
      continue
    }
    const before = rows[at - 1]
    const row = rows[at]!
    const line = lineParts(row)
    const last = blocks.at(-1)
    if (last?.kind === "text" && before && !begins(row, before, last, leading, left)) {
      last.lines.push(line)
    } else {
      const indent = Math.round(row.segments[0]!.x0 - left)
      blocks.push({ kind: "text", lines: [line], size: sizeOf(row), indent })
    }
    at++
  }
  return blocks
}

const sizeOf = ({ segments }: Row) => Math.max(...segments.map(({ size }) => size))

const areRtl = (segments: readonly Segment[]) =>
  segments.filter(({ rtl }) => rtl).length * 2 > segments.length

const lineParts = ({ segments }: Row): Part[] =>
  readingOrder(segments, areRtl(segments)).flatMap(({ parts }, index) =>
    index === 0 ? parts : [{ text: " " }, ...parts],
  )

function usualLeading(rows: Row[]): number {
  const gaps: number[] = []
  for (let at = 1; at < rows.length; at++) {
    const gap = rows[at]!.y - rows[at - 1]!.y
    if (gap < sizeOf(rows[at]!) * 2.5) gaps.push(gap)
  }
  return gaps.length > 0 ? median(gaps) : 0
}

export const bullet = /^\s*[•◦▪▫‣∙●○■□–—*·➢✓→-]\s+|^\s*[•◦▪▫‣●○■➢]/u
export const numbering = /^\s*(?:\(?\d{1,3}[.)]|\(?[a-z][.)])\s+/

/** Whether a row begins a paragraph of its own. */
function begins(
  row: Row,
  before: Row,
  block: { size: number; lines: Part[][] },
  leading: number,
  left: number,
): boolean {
  const size = sizeOf(row)
  if (Math.abs(size - block.size) > block.size * 0.12) return true
  const gap = row.y - before.y
  if (gap > Math.max(leading * 1.3, size * 1.25) || gap > size * 2.5) return true
  const text = row.segments.map(textOfSegment).join(" ")
  if (bullet.test(text) || numbering.test(text)) return true
  const indent = row.segments[0]!.x0 - before.segments[0]!.x0
  const isList = bullet.test(block.lines[0]!.map((part) => part.text).join(""))
  if (isList) return indent < -size * 0.8
  // The first line of a paragraph is set in; its others are not.
  const setIn = indent > size * 0.8 && before.segments[0]!.x0 - left < size * 0.5
  return (
    setIn &&
    block.lines.length > 0 &&
    /[.!?:;)"”]\s*$/.test(before.segments.map(textOfSegment).join(" "))
  )
}

/** Where the table that begins at a row ends; the row itself where none begins there. */
function tableEnd(rows: Row[], start: number, leading: number): number {
  if (rows[start]!.segments.length < 2) return start
  let end = start
  let cells = 0
  let rowsOfCells = 0
  for (; end < rows.length; end++) {
    const row = rows[end]!
    const before = rows[end - 1]
    if (end > start && row.y - before!.y > Math.max(leading * 2.5, sizeOf(row) * 3.2)) break
    if (row.segments.length < 2) {
      // The second line of a cell; what fills the width is text again.
      const next = rows[end + 1]
      const goesOn = next !== undefined && next.segments.length > 1
      if (!goesOn || !standsUnder(row.segments[0]!, rows.slice(start, end))) break
      continue
    }
    rowsOfCells++
    cells += row.segments.length
  }
  return rowsOfCells >= 2 && cells >= 4 && aligns(rows.slice(start, end)) ? end : start
}

function standsUnder(segment: Segment, above: Row[]): boolean {
  const width =
    Math.max(...above.flatMap((row) => row.segments.map(({ x1 }) => x1))) -
    Math.min(...above.map((row) => row.segments[0]!.x0))
  return (
    segment.x1 - segment.x0 < width * 0.6 &&
    above.some((row) => row.segments.some((cell) => Math.abs(cell.x0 - segment.x0) < segment.size))
  )
}

/** A head whose words stand closer than cells do, above the columns to which they belong. */
function headRow(rows: Row[], start: number, end: number): Part[][] | undefined {
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
    const place = columnAt(columns, { ...segment, x0, x1: x0 + word[0].length * width })
    const cell = cells[place]!
    cell.push({ text: cell.length > 0 ? ` ${word[0]}` : word[0] })
  }
  return cells.every((cell) => cell.length > 0) ? cells : undefined
}

/** Cells stand under each other: by their left, their right or their middle. */
function aligns(rows: Row[]): boolean {
  const columns = columnsOf(rows)
  if (columns.length < 2) return false
  const full = rows.filter(({ segments }) => segments.length > 1)
  const placed = full.filter(({ segments }) => {
    const places = segments.map((segment) => columnAt(columns, segment))
    return new Set(places).size === places.length
  })
  return placed.length >= full.length * 0.8
}

interface Column {
  x0: number
  x1: number
}

/** Columns are what no cell of several rows reaches across. */
function columnsOf(rows: Row[]): Column[] {
  const cells = rows
    .filter(({ segments }) => segments.length > 1)
    .flatMap(({ segments }) => segments)
    .toSorted((a, b) => a.x0 - b.x0)
  const columns: Column[] = []
  for (const { x0, x1 } of cells) {
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

function tableRows(rows: Row[]): Part[][][] {
  const columns = columnsOf(rows)
  const table: Part[][][] = []
  for (const row of rows) {
    const cells: Part[][] = columns.map(() => [])
    for (const segment of row.segments) {
      const cell = cells[columnAt(columns, segment)]!
      if (cell.length > 0) cell.push({ text: " " })
      cell.push(...segment.parts)
    }
    const above = table.at(-1)
    // A row without its first cell goes on with the row above.
    if (above && row.segments.length === 1 && cells[0]!.length === 0) {
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

/** Numbers have no direction of their own. */
const isWord = (parts: Part[]) => parts.some(({ text }) => /\p{L}/u.test(text))
