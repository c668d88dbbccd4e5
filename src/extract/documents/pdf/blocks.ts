import { median, type Row } from "./order.ts"
import { readingOrder, textOfSegment } from "./segments.ts"
import { areRtl, headRow, type Part, sizeOf, tableEnd, tableRows } from "./tables.ts"

/** A part of a page: lines of one paragraph, or the rows of a table. */
export type Block =
  | { kind: "text"; lines: Part[][]; size: number; indent: number; tag?: BlockTag }
  | { kind: "table"; rows: Part[][][] }

/** The kind of a block as the document's own structure states it. */
export interface BlockTag {
  level?: number | undefined
  isItem: boolean
}

/** Returns the blocks of one region, from top to bottom. */
export function blocksOf(rows: Row[]): Block[] {
  const blocks: Block[] = []
  const leading = usualLeading(rows)
  const left = Math.min(...rows.map((row) => row.segments[0]!.x0))
  for (let at = 0; at < rows.length; ) {
    const end = tableEnd(rows, at, leading)
    const table = end > at ? tableRows(rows.slice(at, end)) : []
    if (table.length > 1) {
      const head = headRow(rows, at, end)
      const above = blocks.at(-1)
      if (head && above?.kind === "text") {
        // The lines before it belong to the paragraph above the table.
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

export const lineParts = ({ segments }: Row): Part[] =>
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

/** Returns whether a row begins a new paragraph. */
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
  // The first line of a paragraph is indented; its others are not.
  const setIn = indent > size * 0.8 && before.segments[0]!.x0 - left < size * 0.5
  return (
    setIn &&
    block.lines.length > 0 &&
    /[.!?:;)"”]\s*$/.test(before.segments.map(textOfSegment).join(" "))
  )
}
