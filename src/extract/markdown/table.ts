import { isHidden, wordSet } from "../core/index.ts"
import { isCodeCell, isGutter } from "./code.ts"

const maxColumns = 200

/** The cells of a data table in rows; null for a position that a span covers. */
export type TableGrid = (Element | null)[][]

/** The rows of a table, those of tables inside its cells left out. */
function tableRows(table: Element): Element[] {
  const rows: Element[] = []
  for (const child of table.children) {
    if (child.localName === "tr") rows.push(child)
    else if (/^(?:thead|tbody|tfoot)$/.test(child.localName)) {
      for (const row of child.children) if (row.localName === "tr") rows.push(row)
    }
  }
  return rows.filter((row) => !isHidden(row))
}

function cellsOf(row: Element): Element[] {
  return [...row.children].filter(
    (cell) => (cell.localName === "td" || cell.localName === "th") && !isHidden(cell),
  )
}

const blockContent = "table, blockquote, article, section, form"
/** Content that data cells sometimes have, and cells of a layout table consist of. */
const cellContent = "pre, h1, h2, h3, h4, h5, h6, figure, hr"
const maxCellChars = 1_000
const maxCodeLines = 8

/** Returns whether a table is only used for layout. */
export function isLayoutTable(table: Element): boolean {
  const role = table.getAttribute("role")?.toLowerCase()
  if (role === "presentation" || role === "none" || table.getAttribute("datatable") === "0")
    return true
  if (table.querySelector(blockContent) || hasStrays(table)) return true
  const rows = tableRows(table).map(cellsOf)
  const cells = rows.flat()
  const widest = Math.max(0, ...rows.map((row) => row.length))
  if (cells.length < 2 || widest < 2) return true
  if (cells.some(isGutter)) return true
  const isLong = cells.some((cell) => (cell.textContent?.length ?? 0) > maxCellChars)
  if (table.querySelector(cellContent))
    return isLong || !hasHeads(rows[0]!) || !cells.every(isSmall)
  return isLong && !cells.some((cell) => cell.localName === "th")
}

const hasHeads = (row: Element[]) =>
  row.length > 1 && row.every(({ localName }) => localName === "th")

/** Returns whether code has few lines, and a heading is the whole cell. */
function isSmall(cell: Element): boolean {
  const [pre, more] = cell.querySelectorAll("pre")
  if (more || (pre && pre.textContent!.trim().split("\n").length > maxCodeLines)) return false
  const heading = cell.querySelector("h1, h2, h3, h4, h5, h6")
  return heading === null || heading.textContent!.trim() === cell.textContent!.trim()
}

/** Returns whether a table holds lines of code next to their numbers, without a `pre`. */
export function isCodeTable(table: Element): boolean {
  const cells = tableRows(table).flatMap(cellsOf)
  const isCode = cells.some(isCodeCell) && cells.every((cell) => isCodeCell(cell) || isGutter(cell))
  return isCode && table.querySelector("pre") === null
}

/** Returns whether a table has text or blocks outside its rows. */
function hasStrays(table: Element): boolean {
  for (let child = table.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3 && child.nodeValue!.trim() !== "") return true
    if (child.nodeType === 1 && !tableParts.has((child as Element).localName)) return true
  }
  return false
}

const tableParts = wordSet("caption colgroup col thead tbody tfoot tr script style template")

/**
 * The grid of a table with its spans laid out; every row has the same width. Null if spans push
 * cells out of all bounds.
 */
export function tableGrid(table: Element): TableGrid | null {
  const rows = tableRows(table)
  const grid: TableGrid = rows.map(() => [])
  for (const [top, row] of rows.entries()) {
    let left = 0
    for (const cell of cellsOf(row)) {
      while (grid[top]![left] !== undefined) left++
      if (left >= maxColumns) return null
      placeCell(grid, cell, top, left)
    }
  }
  const width = Math.min(maxColumns, Math.max(0, ...grid.map((row) => row.length)))
  for (const row of grid) {
    row.length = width
    for (let column = 0; column < width; column++) row[column] ??= null
  }
  return grid.filter((row) => row.some((cell) => cell !== null))
}

function placeCell(grid: TableGrid, cell: Element, top: number, left: number): void {
  const width = span(cell, "colspan", maxColumns - left)
  const height = span(cell, "rowspan", grid.length - top)
  for (let row = top; row < top + height; row++) {
    for (let column = left; column < left + width; column++) {
      if (row === top && column === left) grid[row]![column] = cell
      else grid[row]![column] ??= null
    }
  }
}

function span(cell: Element, attribute: string, max: number): number {
  const value = Number.parseInt(cell.getAttribute(attribute) ?? "1", 10)
  return Math.max(1, Math.min(Number.isNaN(value) ? 1 : value, max))
}

const alignments: Record<string, string> = { left: ":---", center: ":---:", right: "---:" }

/** The alignment that a column's header asks for, as GFM writes it. */
export function alignmentOf(cell: Element | null): string {
  const style = /text-align\s*:\s*(left|center|right)/i.exec(cell?.getAttribute("style") ?? "")?.[1]
  return alignments[(style ?? cell?.getAttribute("align") ?? "").toLowerCase()] ?? "---"
}
