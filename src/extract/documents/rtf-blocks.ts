import { numberIn } from "./list-labels.ts"
import { tableHtml } from "./pages/document-page.ts"
import type { LevelMarker } from "./rtf-words.ts"

/** A letter or a Roman number, which Markdown's lists do not have, so that it is written as text. */
const lettered = /^\s*\(?(?:[a-zA-Z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9})[.)]\s*$/

const listTag = (marker: string) =>
  /[\d\p{L}]/u.test(marker.trim()) && !lettered.test(marker) ? "ol" : "ul"

/** Returns the number of a marker such as `3.` or `(3)`; undefined for others. */
function numberOf(marker: string | undefined): number | undefined {
  const digits = /^\s*\(?(\d{1,6})[.)]?\s*$/.exec(marker ?? "")?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A marker that is typed as text, by programs that do not write RTF's lists. */
const typedMarker =
  /^((?:<[bi]>)*)([•◦▪‣●○■–-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.)])\s*\t\s*/u
const maxListDepth = 8

/** Collects a part of a Rich Text document as HTML: paragraphs, headings, lists and tables. */
export class RtfBlocks {
  /** HTML of the paragraph that is being read. */
  text = ""
  /** Marker of a list item. */
  marker: string | undefined
  /** Markers of the paragraph's list by depth, for items without a marker in their text. */
  markers: readonly LevelMarker[] = []
  /** Depth of nested lists, from 0. */
  depth = 0
  /** Level of a heading; 0 for none. */
  level = 0
  inTable = false
  /** Numbers of the last items of lists without written markers, by depth. */
  private readonly counts = new Map<readonly LevelMarker[], number[]>()
  private readonly blocks: string[] = []
  private readonly lists: string[] = []
  private cells: string[] = []
  private rows: string[][] = []
  /** Text boxes of the paragraph, which are written after it. */
  private aside: string[] = []

  addAside(html: string): void {
    if (html !== "") this.aside.push(html)
  }

  endParagraph(): void {
    if (this.inTable) {
      if (this.text !== "") this.text += "<br>"
      return
    }
    this.endTable()
    const { marker } = this
    this.marker = undefined
    this.addParagraph(this.takeText(), marker)
    this.blocks.push(...this.aside)
    this.aside = []
  }

  private addParagraph(html: string, marker: string | undefined): void {
    if (html === "") return
    const typed = marker === undefined ? typedMarker.exec(html) : null
    const written = typed ? typed[2]! : (marker ?? this.counted())
    const mark = written ?? this.markers[this.depth]
    if (this.level > 0) {
      this.endLists()
      this.blocks.push(`<h${this.level}>${html.replace(/<\/?b>/g, "")}</h${this.level}>`)
    } else if (typeof mark === "string") {
      const depth = typed ? 0 : Math.min(this.depth, maxListDepth)
      this.inList(listTag(mark), depth, numberOf(written))
      const label = written !== undefined && lettered.test(written) ? `${written.trim()} ` : ""
      const text = typed ? typed[1]! + html.slice(typed[0].length) : html
      this.blocks.push(`<li>${label}${text}</li>`)
    } else {
      this.endLists()
      this.blocks.push(`<p>${html}</p>`)
    }
  }

  /** Returns the marker of an item by its list's numbers; undefined if the level has none. */
  private counted(): string | undefined {
    const level = this.markers[this.depth]
    if (typeof level !== "object" || this.level > 0) return undefined
    const counts = this.counts.get(this.markers) ?? []
    const number = (counts[this.depth] ?? level.start - 1) + 1
    // An item restarts the levels below its own.
    const next = counts.slice(0, this.depth)
    next[this.depth] = number
    this.counts.set(this.markers, next)
    return `${level.prefix}${numberIn(level.format, number)}${level.suffix || "."}`
  }

  endCell(): void {
    this.cells.push(this.takeText().replace(/(?:<br>)+$/, ""))
  }

  endRow(): void {
    if (this.cells.length > 0) this.rows.push(this.cells)
    this.cells = []
  }

  /** Ends the table. A row without an end counts, because its cells are content. */
  private endTable(): void {
    this.endRow()
    if (this.rows.length === 0) return
    this.endLists()
    this.blocks.push(tableHtml(this.rows) ?? "")
    this.rows = []
  }

  /** Opens and closes lists as needed for an item. A written 1 begins a new list. */
  private inList(tag: string, depth: number, number: number | undefined): void {
    while (this.lists.length > depth + 1) this.endList()
    const isOther = this.lists.at(-1) !== tag || number === 1
    if (this.lists.length === depth + 1 && isOther) this.endList()
    while (this.lists.length < depth + 1) {
      this.lists.push(tag)
      const isContinued = tag === "ol" && this.lists.length === depth + 1 && (number ?? 1) > 1
      this.blocks.push(isContinued ? `<ol start="${number}">` : `<${tag}>`)
    }
  }

  private endList(): void {
    this.blocks.push(`</${this.lists.pop()}>`)
  }

  private endLists(): void {
    while (this.lists.length > 0) this.endList()
  }

  private takeText(): string {
    const html = this.text.trim().replace(/<\/(b|i)>(\s*)<\1>/g, "$2")
    this.text = ""
    return html
  }

  /** Returns the HTML and closes all open blocks. */
  html(): string {
    this.inTable = false
    this.endParagraph()
    this.endLists()
    return this.blocks.join("\n")
  }
}
