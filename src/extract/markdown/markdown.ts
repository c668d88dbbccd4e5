import {
  firstChildOf,
  isPermalink,
  isUnseen,
  lineText,
  nextSiblingOf,
  trimLineEnds,
} from "../core/index.ts"
import { codeLanguage, codeText, fence, isCodeBlock, isGutter } from "./code.ts"
import { footnotesIn } from "./footnotes.ts"
import type { Mark } from "./inline.ts"
import { type LineContext, LineWriter } from "./line.ts"
import {
  type Block,
  definitionParts,
  indentRest,
  isItem,
  itemNumbers,
  type ListItem,
  listParts,
  writeList,
} from "./list.ts"
import { alignmentOf, isCodeTable, isLayoutTable, type TableGrid, tableGrid } from "./table.ts"

/** Quotes and lists nested deeper than this are written at this depth. */
const maxNesting = 24
/** Empty brackets at the end of a note, whose backlink was removed. */
const emptyBrackets = /\s\[\s?\]$/

/**
 * Returns an element as GFM Markdown: CommonMark with tables, strikethrough and task lists. URLs are
 * resolved against `base`; hidden content is left out. Ends with a line feed, unless it is empty.
 *
 * @example
 * ```ts
 * const html = "<h1>Title</h1><p>A <b>bold</b> word"
 * toMarkdown(parseDocument(html).body, "https://a.example/") // "# Title\n\nA **bold** word\n"
 * ```
 */
export function toMarkdown(root: Node, base: string): string {
  const writer = pageWriter(base, root)
  writer.visitChildren(root)
  const text = writtenBy(writer)
  return text === "" ? "" : `${text}\n`
}

/** One element as Markdown, in the same way. */
export function elementMarkdown(element: Element, base: string): string {
  const writer = pageWriter(base, element)
  writer.visitNode(element)
  return writtenBy(writer)
}

const pageWriter = (base: string, root: Node) =>
  new BlockWriter({ base, nesting: 0, inDefinition: false, footnotes: footnotesIn(root) })
const writtenBy = (writer: BlockWriter) => trimLineEnds(joinBlocks(writer.finish()))

const joinBlocks = (blocks: Block[]) => blocks.map((block) => block.text).join("\n\n")

class BlockWriter extends LineWriter {
  private readonly blocks: Block[] = []

  constructor(context: LineContext) {
    super(context, "\\\n")
  }

  finish(): Block[] {
    this.endParagraph()
    return this.blocks
  }

  protected override boundary(): void {
    this.endParagraph()
  }

  /** Elements with a form of their own in Markdown. */
  protected override writesBlock(element: Element): boolean {
    const name = element.localName
    const label = this.context.footnotes?.texts.get(element)
    if (label !== undefined) {
      this.footnoteText(element, label)
      return true
    }
    switch (name) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        this.heading(element, Number(name[1]))
        return true
      case "pre":
        this.codeBlock(element)
        return true
      case "code":
        if (!isCodeBlock(element)) return false
        this.codeBlock(element)
        return true
      case "hr":
        this.push("other", "---")
        return true
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        this.list(element)
        return true
      case "dl":
        this.definitions(element)
        return true
      case "table":
        this.table(element)
        return true
      case "blockquote":
        this.quote(element)
        return true
      case "figcaption":
        this.push("paragraph", this.lineOf(element, "*"))
        return true
      case "summary":
        this.summary(element)
        return true
      default:
        if (element.getAttribute("role") !== "heading") return false
        this.heading(element, Number(element.getAttribute("aria-level") ?? 2))
        return true
    }
  }

  private push(kind: Block["kind"], text: string): void {
    this.endParagraph()
    if (text !== "") this.blocks.push({ kind, text })
  }

  private endParagraph(): void {
    const text = this.line()
    if (text !== "") this.blocks.push({ kind: "paragraph", text })
  }

  private lineOf(element: Element, mark?: Mark): string {
    const writer = new LineWriter(this.context, " ")
    if (mark) writer.inline.open(mark)
    writer.visitChildren(element)
    if (mark) writer.inline.close()
    return writer.line()
  }

  private heading(element: Element, level: number): void {
    this.endParagraph()
    const writer = new LineWriter(this.context, " ")
    const href = lineText(element) === "" ? null : this.inline.readLink()
    if (href !== null) writer.inline.open("", href)
    for (let child = firstChildOf(element); child; child = nextSiblingOf(child)) {
      if (child.nodeType !== 1 || !isPermalink(child as Element)) writer.visitNode(child)
    }
    if (href !== null) writer.inline.close()
    const text = writer.line().replace(/(^|\s)(#+)$/, "$1\\$2")
    const depth = Math.min(6, Math.max(1, Math.trunc(level) || 2))
    if (text !== "") this.blocks.push({ kind: "other", text: `${"#".repeat(depth)} ${text}` })
  }

  private codeBlock(element: Element): void {
    const text = codeText(element)
    if (text !== null) this.push("other", fence(text, codeLanguage(element)))
    else this.endParagraph()
  }

  protected override startsItem(): boolean {
    return this.context.isItem === true && this.blocks.length === 0
  }

  private nested(element: Node, isItem: boolean): Block[] {
    const writer = new BlockWriter({ ...this.context, nesting: this.context.nesting + 1, isItem })
    writer.visitChildren(element)
    return writer.finish()
  }

  private quote(element: Element): void {
    if (this.context.nesting >= maxNesting) {
      this.container(element)
      return
    }
    const text = joinBlocks(this.nested(element, false))
    this.push("other", text === "" ? "" : text.replace(/^/gm, "> ").replace(/^> $/gm, ">"))
  }

  private list(element: Element): void {
    if (this.context.nesting >= maxNesting) {
      this.container(element)
      return
    }
    this.endParagraph()
    const parts = listParts(element)
    const ordered = element.localName === "ol"
    const numbers = itemNumbers(element, parts.filter(isItem) as Element[])
    const other = this.touchesAlikeList(ordered)
    const items: ListItem[] = []
    let index = 0
    const endList = () => {
      if (items.length > 0) this.blocks.push({ kind: "list", text: writeList(items) })
      items.length = 0
    }
    for (const part of parts) {
      const number = isItem(part) ? numbers[index++]! : (numbers[index] ?? 1)
      const label = isItem(part) ? this.context.footnotes?.texts.get(part) : undefined
      if (label !== undefined) {
        endList()
        this.footnoteText(part as Element, label)
        continue
      }
      const blocks = isItem(part) ? this.nested(part, true) : this.nestedParts(part)
      if (blocks[0]?.text === "---") blocks.shift()
      if (blocks.length === 0) continue
      const last = items.at(-1)
      if (!isItem(part) && last && blocks.every((block) => block.kind === "list")) {
        last.blocks.push(...blocks)
        continue
      }
      const marker = ordered ? `${number}${other ? ")" : "."}` : other ? "*" : "-"
      items.push({ marker, blocks })
    }
    endList()
  }

  /** Two lists of a kind would become one, so the second one takes the other marker. */
  private touchesAlikeList(ordered: boolean): boolean {
    const last = this.blocks.at(-1)
    return last?.kind === "list" && (ordered ? /^\d+\. / : /^- /).test(last.text)
  }

  /**
   * Readers that know no footnotes take a label before a single word for the URL of a link, and
   * show nothing; a sign after it prevents that.
   */
  private footnoteText(element: Element, label: string): void {
    const text = joinBlocks(this.nested(element, false)).replace(emptyBrackets, "")
    const end = /\s/.test(text) ? "" : " ↩"
    this.push("other", text === "" ? "" : indentRest(`[^${label}]: ${text}${end}`, "    "))
  }

  private nestedParts(nodes: Node[]): Block[] {
    const inner = { ...this.context, nesting: this.context.nesting + 1, isItem: false }
    const writer = new BlockWriter(inner)
    for (const node of nodes) writer.visitNode(node)
    return writer.finish()
  }

  private definitions(element: Element): void {
    this.endParagraph()
    for (const part of definitionParts(element)) {
      if (!isItem(part)) {
        for (const node of part) this.visitNode(node)
        this.endParagraph()
        continue
      }
      if (isUnseen(part) || this.context.footnotes?.returns.has(part)) continue
      const label = this.context.footnotes?.texts.get(part)
      if (label !== undefined) this.footnoteText(part, label)
      else if (
        part.localName === "dt" &&
        !part.querySelector("h1, h2, h3, h4, h5, h6, p, ul, pre")
      ) {
        this.push("paragraph", this.lineOf(part, "**"))
      } else if (part.localName !== "dd") this.container(part)
      else this.definition(part)
    }
  }

  private definition(element: Element): void {
    const writer = new BlockWriter({ ...this.context, inDefinition: true, isItem: false })
    writer.visitChildren(element)
    const text = joinBlocks(writer.finish())
    const indent = this.context.inDefinition ? "" : "  "
    this.push("other", text === "" ? "" : indent + indentRest(text, indent))
  }

  private summary(element: Element): void {
    if (element.querySelector("h1, h2, h3, h4, h5, h6")) this.container(element)
    else this.push("paragraph", this.lineOf(element, "**"))
  }

  private table(element: Element): void {
    if (isCodeTable(element)) {
      this.codeBlock(element)
      return
    }
    const grid = isLayoutTable(element) ? null : tableGrid(element)
    if (grid === null) {
      this.layout(element)
      return
    }
    const caption = [...element.children].find((child) => child.localName === "caption")
    const title = caption && !isUnseen(caption) ? this.lineOf(caption) : ""
    const isBelow = /^t/.test(caption?.previousElementSibling?.localName ?? "")
    if (!isBelow) this.push("paragraph", title)
    this.push("other", this.rows(grid).join("\n"))
    if (isBelow) this.push("paragraph", title)
  }

  private rows([header, ...body]: TableGrid): string[] {
    if (!header) return []
    const rows = [
      header.map((cell) => this.cell(cell)),
      header.map(alignmentOf),
      ...body.map((row) => row.map((cell) => this.cell(cell))),
    ]
    return rows.map((row) => `| ${row.join(" | ")} |`)
  }

  private cell(element: Element | null): string {
    if (element === null) return ""
    const writer = new LineWriter(this.context, "<br>")
    writer.visitChildren(element)
    return writer.line()
  }

  /** The cells of a table that only arranges the page, one after the other. */
  private layout(table: Element): void {
    this.endParagraph()
    for (let child = firstChildOf(table); child; child = nextSiblingOf(child)) {
      if (child.nodeType !== 1) {
        this.visitNode(child)
        continue
      }
      const part = child as Element
      if (isUnseen(part) || isGutter(part)) continue
      if (/^(?:thead|tbody|tfoot|tr)$/.test(part.localName)) this.layout(part)
      else this.container(part)
    }
  }
}
