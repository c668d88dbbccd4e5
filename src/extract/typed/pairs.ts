import { signsIn } from "./icons.ts"
import type { Cell, Span, Visible } from "./shown.ts"
import { plainName, wordsOf } from "./terms/terms.ts"
import type { Source } from "./things.ts"

/** A label and the value next to it. */
export interface Labelled {
  spans: Span[]
  source: Source
  /** As on the page. */
  label: string
}

/** A page of more labels than this is a list of something. */
const maxPairs = 5000
/** Maximum number of matches of one field: a field with more is ambiguous. */
const maxFound = 50
const maxLabel = 60
const maxLine = 500

/**
 * The labels of a page, each with the value next to it: cells, terms and their descriptions,
 * `Label: value`, a label and a value in elements of their own, headings with the text after them. Those
 * of the page's frame come last.
 */
export class Pairs {
  private readonly byLabel = new Map<string, Labelled[]>()
  private readonly late: [string, Labelled][] = []
  private count = 0

  /** `headers` are the column headings of the table whose row is read. */
  constructor(
    private readonly visible: Visible,
    headers: readonly string[] = [],
  ) {
    for (const [index, header] of headers.entries()) {
      const cell = visible.cells[index]
      if (cell) this.addText(header, [cell], "table", false)
    }
    this.readCells()
    this.readCouples()
    this.readLines()
    this.readHeadings()
    this.readIcons()
    for (const [key, labelled] of this.late) this.keep(key, labelled)
  }

  /** Returns the values of any of the labels; the first label with a value wins. */
  find(labels: readonly string[]): Labelled[] {
    const matches = labels.flatMap((label) => this.byLabel.get(plainName(label)) ?? [])
    return matches.slice(0, maxFound)
  }

  private add(label: Span, spans: Span[], source: Source, outside: boolean): void {
    if (label.to - label.from > maxLabel * 3 || spans.length === 0) return
    const text = this.visible.line(label)
    if (text !== null) this.addText(text, spans, source, outside)
  }

  private addText(text: string, spans: Span[], source: Source, outside: boolean): void {
    if (text.length > maxLabel || ++this.count > maxPairs) return
    const label = text
      .replace(/\([^()]*\)/g, " ")
      .replace(/[\s:：?*]+$/, "")
      .trim()
    const key = plainName(wordsOf(label))
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
    const { cells } = this.visible
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
    // Two labels with their values in one row.
    if (row.length === 4 && first!.kind === row[2]!.kind && first!.kind !== row[1]!.kind) {
      this.add(first!, [row[1]!], "table", first!.outside)
      this.add(row[2]!, [row[3]!], "table", first!.outside)
    }
  }

  private readCouples(): void {
    for (const { label, value, outside, leads } of this.visible.couples) {
      this.add(label, [leads ? this.firstLine(value) : value], "label", outside)
    }
  }

  /** Returns the text after a bold label, up to the end of its line. */
  private firstLine({ from, to }: Span): Span {
    const text = this.visible.text.slice(from, Math.min(to, from + maxLine))
    const start = text.search(/[^\s:：]/)
    const end = start < 0 ? -1 : text.indexOf("\n", start)
    return { from, to: from + (end < 0 ? text.length : end) }
  }

  private readLines(): void {
    let from = 0
    let open: { label: string; at: number } | null = null
    for (const line of this.visible.text.split("\n")) {
      const to = from + line.length
      const text = line.trim()
      if (open && text !== "") {
        this.addText(open.label, [{ from, to }], "label", false)
        open = null
      }
      if (text.length <= maxLine && text !== "") {
        this.readSigns(line, from)
        for (const piece of pieces(line)) {
          this.readLeading(piece, from)
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

  /** Words that lead into a value with a number in it, or into a name: `Posted 3 May 2026`, `Hosted by Ida`. */
  private readLeading({ text, at }: { text: string; at: number }, from: number): void {
    const [, label, value] = leading.exec(text) ?? []
    if (label === undefined || value === undefined) return
    const start = from + at + text.length - value.length
    const labelled: Labelled = {
      spans: [{ from: start, to: start + value.length }],
      source: "label",
      label,
    }
    if (++this.count <= maxPairs) this.late.push([plainName(label), labelled])
  }

  /** Reads the text after a sign such as 📍, up to the next sign or the end of the line. */
  private readSigns(line: string, from: number): void {
    const signs = signsIn(line)
    for (const [index, { end, labels }] of signs.entries()) {
      const to = signs[index + 1]?.at ?? line.length
      if (/[\p{L}\d]/u.test(line.slice(end, to)))
        this.addIcon({ from: from + end, to: from + to }, labels)
    }
  }

  /** Reads the text after an icon: the rest of its line, or the next line if the rest is empty. */
  private readIcons(): void {
    const { icons, text } = this.visible
    for (const [index, { at, labels, outside }] of icons.entries()) {
      if (outside) continue
      const next = icons[index + 1]?.at ?? text.length
      const visible = text.slice(at, Math.min(next, at + maxLine))
      const start = visible.search(/\S/)
      if (start < 0) continue
      const end = visible.indexOf("\n", start)
      this.addIcon({ from: at + start, to: at + (end < 0 ? visible.length : end) }, labels)
    }
  }

  private addIcon(span: Span, labels: readonly string[]): void {
    for (const label of labels) {
      if (++this.count <= maxPairs)
        this.late.push([plainName(label), { spans: [span], source: "icon", label }])
    }
  }

  /** A section, up to the next heading. */
  private readHeadings(): void {
    const { headings, frames, text } = this.visible
    let frame = 0
    for (const [index, heading] of headings.entries()) {
      while (frame < frames.length && frames[frame]! < heading.to) frame++
      const to = Math.min(headings[index + 1]?.from ?? text.length, frames[frame] ?? text.length)
      if (to > heading.to) this.add(heading, [{ from: heading.to, to }], "heading", false)
    }
    this.readBold()
  }

  /** Reads lines in bold that are headings: the content up to the next heading or bold line. */
  private readBold(): void {
    const { bold, headings, text } = this.visible
    let next = 0
    for (const [index, line] of bold.entries()) {
      while (next < headings.length && headings[next]!.from < line.to) next++
      const to = Math.min(bold[index + 1]?.from ?? text.length, headings[next]?.from ?? text.length)
      if (to > line.to) this.add(line, [{ from: line.to, to }], "heading", false)
    }
  }
}

const dated =
  "posted on|posted|published on|published|founded in|established in|established|apply by|closes on|closes|starts|ends|born"
const counted = "serves|makes|yields"
const named = "hosted by|organi[sz]ed by|presented by"
const leading = new RegExp(
  String.raw`^\s*((?:${dated}|${counted})(?=\s[^.!?]{0,60}\d)|${named})\s+(.{2,80})$`,
  "i",
)

/** A line may hold several: `Date: 1 May | Place: Berlin`. */
function pieces(line: string): { text: string; at: number }[] {
  let at = 0
  return line.split(/\s[|•·]\s/).map((text) => {
    const piece = { text, at }
    at += text.length + 3
    return piece
  })
}
