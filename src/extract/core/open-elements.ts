import { wordSet } from "./word-table.ts"

/** Their start ends a paragraph. */
const endsParagraph = wordSet(`
  address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary
  table ul
`)
const headings = wordSet("h1 h2 h3 h4 h5 h6")
const tableParts = wordSet("table caption colgroup tbody tfoot thead tr td th")

/** No end tag from inside reaches past these, unless it is the end of a part of a table. */
const cellScope = wordSet("caption td th table template object")
const tableOnly = wordSet("table template")
/** Elements that end the search for an open list item to close. */
const itemScope = wordSet(`
  article aside blockquote body center details dir dl fieldset figure footer form header main menu
  nav ol section table td th ul template
`)
/** Blocks that a link closed by the next link does not reach past. */
const blocks = wordSet(`
  address article aside blockquote body caption center details dd div dl dt fieldset figure footer
  form h1 h2 h3 h4 h5 h6 header li main nav ol p pre section table td template th tr ul
`)

/** For a part of a table: the parts that its start ends. */
const rowParts = new Map([
  ["tr", wordSet("tr td th caption colgroup")],
  ["td", wordSet("td th")],
  ["th", wordSet("td th")],
  ["tbody", wordSet("tbody thead tfoot tr td th caption colgroup")],
  ["thead", wordSet("tbody thead tfoot tr td th caption colgroup")],
  ["tfoot", wordSet("tbody thead tfoot tr td th caption colgroup")],
])

interface Entry {
  name: string
  element: HTMLElement
}

/** The elements that are open while a page is read, and which of them a tag closes. */
export class OpenElements {
  private entries: Entry[] = []
  private readonly counts = new Map<string, number>()
  /** Elements too deep to be opened; their end tags close nothing. */
  private readonly skipped = new Map<string, number>()

  constructor(private readonly root: HTMLElement) {}

  get top(): HTMLElement {
    const { entries } = this
    return entries.length > 0 ? entries[entries.length - 1]!.element : this.root
  }

  get depth(): number {
    return this.entries.length
  }

  has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0
  }

  push(name: string, element: HTMLElement): void {
    this.entries.push({ name, element })
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  skip(name: string): void {
    this.skipped.set(name, (this.skipped.get(name) ?? 0) + 1)
  }

  clear(): void {
    this.entries = []
    this.counts.clear()
  }

  /** Closes elements nested deeper; their end tags are ignored. */
  cut(depth: number): void {
    while (this.entries.length > depth) {
      const { name } = this.entries.at(-1)!
      this.popTo(this.entries.length - 1)
      this.skip(name)
    }
  }

  /** Handles an end tag; ignored if its element is not open, or is outside of this table cell. */
  close(name: string): void {
    const skipped = this.skipped.get(name) ?? 0
    if (skipped > 0) {
      this.skipped.set(name, skipped - 1)
      return
    }
    if (headings.has(name)) {
      this.closeHeading()
      return
    }
    if (!this.has(name)) return
    if (name === "form") this.forgetForm()
    else this.closeInside(name, tableParts.has(name) ? tableOnly : cellScope)
  }

  /** Handles a start tag: closes the elements that it implicitly ends. */
  imply(name: string): void {
    if (endsParagraph.has(name) && this.has("p")) this.closeInside("p", cellScope)
    if (headings.has(name) && headings.has(this.entries.at(-1)?.name ?? "")) {
      this.popTo(this.entries.length - 1)
    }
    if (name === "li") this.closeInside("li", itemScope)
    else if (name === "dt" || name === "dd") {
      this.closeInside("dt", itemScope)
      this.closeInside("dd", itemScope)
    } else if (name === "a") this.closeInside("a", blocks)
    else if (name === "option" || name === "optgroup") this.closeTop("option")
    else if (name === "rt" || name === "rp") this.closeTop("rt", "rp")
    else this.closeRowParts(rowParts.get(name))
    if (name === "optgroup") this.closeTop("optgroup")
  }

  /** The end tag of a heading closes a heading of any level: `<h2>…</h3>`. */
  private closeHeading(): void {
    for (let index = this.entries.length - 1; index >= 0; index--) {
      const { name } = this.entries[index]!
      if (headings.has(name)) {
        this.popTo(index)
        return
      }
      if (cellScope.has(name)) return
    }
  }

  private closeTop(...names: string[]): void {
    if (names.includes(this.entries.at(-1)?.name ?? "")) this.popTo(this.entries.length - 1)
  }

  private closeInside(name: string, limits: Set<string>): void {
    if (!this.has(name)) return
    const index = this.find(name, limits)
    if (index >= 0) this.popTo(index)
  }

  private closeRowParts(parts: ReadonlySet<string> | undefined): void {
    if (!parts || !this.has("table")) return
    let outermost = -1
    for (let index = this.entries.length - 1; index >= 0; index--) {
      const { name } = this.entries[index]!
      if (name === "table" || name === "template") break
      if (parts.has(name)) outermost = index
    }
    if (outermost >= 0) this.popTo(outermost)
  }

  /** The end of a form keeps its open descendants open. */
  private forgetForm(): void {
    const index = this.find("form", cellScope)
    if (index < 0) return
    if (index === this.entries.length - 1) this.popTo(index)
    else {
      this.entries.splice(index, 1)
      this.counts.set("form", this.counts.get("form")! - 1)
    }
  }

  private find(name: string, limits: Set<string>): number {
    for (let index = this.entries.length - 1; index >= 0; index--) {
      const entry = this.entries[index]!
      if (entry.name === name) return index
      if (limits.has(entry.name)) return -1
    }
    return -1
  }

  private popTo(index: number): void {
    while (this.entries.length > index) {
      const { name } = this.entries.pop()!
      this.counts.set(name, this.counts.get(name)! - 1)
    }
  }
}
