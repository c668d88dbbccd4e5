import type { Cell, Shown, Span } from "./shown.ts"
import { bareName, wordsOf } from "./terms.ts"
import type { Source } from "./things.ts"

/** What stands beside a label. */
export interface Labelled {
  spans: Span[]
  source: Source
  /** As it is written. */
  label: string
}

/** A page of more labels than this is a list of something. */
const mostPairs = 5000
/** Of one field: what does not fit in so many places fits in none. */
const mostFound = 50
const longestLabel = 60
const longestLine = 500

/**
 * The labels of a page, each with what stands beside it: cells, terms and their descriptions,
 * `Label: value`, a label and a value of their own, headings with what follows them. Those in the
 * page's frame come last.
 */
export class Pairs {
  private readonly byLabel = new Map<string, Labelled[]>()
  private readonly late: [string, Labelled][] = []
  private count = 0

  /** `headers` are those of a table's columns, where a row of it is read. */
  constructor(
    private readonly shown: Shown,
    headers: readonly string[] = [],
  ) {
    for (const [index, header] of headers.entries()) {
      const cell = shown.cells[index]
      if (cell) this.addText(header, [cell], "table", false)
    }
    this.readCells()
    this.readCouples()
    this.readLines()
    this.readHeadings()
    for (const [key, labelled] of this.late) this.keep(key, labelled)
  }

  /** By any of the labels; those in front win. */
  find(labels: readonly string[]): Labelled[] {
    const found = labels.flatMap((label) => this.byLabel.get(bareName(label)) ?? [])
    return found.slice(0, mostFound)
  }

  private add(label: Span, spans: Span[], source: Source, outside: boolean): void {
    if (label.to - label.from > longestLabel * 3 || spans.length === 0) return
    const text = this.shown.line(label)
    if (text !== null) this.addText(text, spans, source, outside)
  }

  private addText(text: string, spans: Span[], source: Source, outside: boolean): void {
    if (text.length > longestLabel || ++this.count > mostPairs) return
    const label = text
      .replace(/\([^()]*\)/g, " ")
      .replace(/[\s:：?*]+$/, "")
      .trim()
    const key = bareName(wordsOf(label))
    if (key === "") return
    const labelled = { spans, source, label }
    if (outside) this.late.push([key, labelled])
    else this.keep(key, labelled)
  }

  private keep(key: string, labelled: Labelled): void {
    const known = this.byLabel.get(key)
    if (known) known.push(labelled)
    else this.byLabel.set(key, [labelled])
  }

  /** Neighbours of one row, and terms with all their descriptions. */
  private readCells(): void {
    const { cells } = this.shown
    for (let at = 0; at < cells.length; ) {
      const cell = cells[at]!
      let end = at + 1
      if (cell.kind === "dt") {
        while (cells[end]?.kind === "dd") end++
        this.add(cell, cells.slice(at + 1, end), "definition list", cell.outside)
      } else if (cell.kind === "th" || cell.kind === "td") {
        while (cells[end] && cells[end]!.row === cell.row) end++
        this.readRow(cells.slice(at, end))
      }
      at = Math.max(end, at + 1)
    }
  }

  private readRow(row: Cell[]): void {
    const [first, ...rest] = row
    const isLabel =
      first!.kind === "th" ? rest.every(({ kind }) => kind === "td") : row.length === 2
    if (isLabel && rest.length <= 20) this.add(first!, rest, "table", first!.outside)
    // Two labels with their values beside each other.
    if (row.length === 4 && first!.kind === row[2]!.kind && first!.kind !== row[1]!.kind) {
      this.add(first!, [row[1]!], "table", first!.outside)
      this.add(row[2]!, [row[3]!], "table", first!.outside)
    }
  }

  private readCouples(): void {
    for (const { label, value, outside, leads } of this.shown.couples) {
      this.add(label, [leads ? this.firstLine(value) : value], "label", outside)
    }
  }

  /** What stands behind a label in bold, up to the end of its line. */
  private firstLine({ from, to }: Span): Span {
    const text = this.shown.text.slice(from, Math.min(to, from + longestLine))
    const start = text.search(/[^\s:：]/)
    const end = start < 0 ? -1 : text.indexOf("\n", start)
    return { from, to: from + (end < 0 ? text.length : end) }
  }

  private readLines(): void {
    let from = 0
    let open: { label: string; at: number } | null = null
    for (const line of this.shown.text.split("\n")) {
      const to = from + line.length
      const text = line.trim()
      if (open && text !== "") {
        this.addText(open.label, [{ from, to }], "label", false)
        open = null
      }
      if (text.length <= longestLine && text !== "") {
        for (const piece of pieces(line)) {
          const [, label, value] = /^\s*([^:：]{2,60})[:：](?!\/\/)\s*(.*)$/.exec(piece.text) ?? []
          if (label === undefined || value === undefined) continue
          const start = from + piece.at + piece.text.length - value.length
          if (value.trim() === "") open = { label, at: from }
          else {
            const span = { from: start, to: start + value.length }
            this.addText(label, [span], "label", false)
          }
        }
      }
      from = to + 1
    }
  }

  /** A section, up to the next heading. */
  private readHeadings(): void {
    const { headings, frames, text } = this.shown
    let frame = 0
    for (const [index, heading] of headings.entries()) {
      while (frame < frames.length && frames[frame]! < heading.to) frame++
      const to = Math.min(headings[index + 1]?.from ?? text.length, frames[frame] ?? text.length)
      if (to > heading.to) this.add(heading, [{ from: heading.to, to }], "heading", false)
    }
    this.readBold()
  }

  /** Lines in bold that stand for headings: what follows, up to the next of either. */
  private readBold(): void {
    const { bold, headings, text } = this.shown
    let next = 0
    for (const [index, line] of bold.entries()) {
      while (next < headings.length && headings[next]!.from < line.to) next++
      const to = Math.min(bold[index + 1]?.from ?? text.length, headings[next]?.from ?? text.length)
      if (to > line.to) this.add(line, [{ from: line.to, to }], "heading", false)
    }
  }
}

/** A line may hold several: `Date: 1 May | Place: Berlin`. */
function pieces(line: string): { text: string; at: number }[] {
  let at = 0
  return line.split(/\s[|•·]\s/).map((text) => {
    const piece = { text, at }
    at += text.length + 3
    return piece
  })
}
