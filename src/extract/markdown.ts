import { absoluteUrl } from "./html.ts"
import { imageAddress, imageText } from "./images.ts"
import { codeLanguage, codeSpan, codeText, fence, isGutter } from "./markdown-code.ts"
import { linkDestination } from "./markdown-escape.ts"
import { Inline, type LineBreak, type Mark } from "./markdown-inline.ts"
import { type Block, indentRest, itemNumbers, type ListItem, writeList } from "./markdown-list.ts"
import { alignmentOf, isLayoutTable, tableGrid } from "./markdown-table.ts"
import { hiddenMath, isMathCopy, texOf } from "./math.ts"
import { isPermalink } from "./permalink.ts"
import { isBlock, isHidden, isUnseen } from "./visibility.ts"

/** Quotes and lists nested deeper than this are written at this depth. */
const maxNesting = 24

const marks: Record<string, Mark> = {
  b: "**",
  strong: "**",
  em: "*",
  i: "*",
  del: "~~",
  s: "~~",
  strike: "~~",
}
const codeNames = new Set(["code", "kbd", "samp", "tt"])
const videoHosts =
  /^(?:[\w-]+\.)*(?:youtube|youtube-nocookie|youtu|vimeo|dailymotion|twitch|ted|wistia|loom|brightcove|vidyard|streamable|rutube|bilibili)\.(?:com|net|be|tv|ru)$/

interface Place {
  base: string
  nesting: number
  inDefinition: boolean
}

/**
 * An element as GFM Markdown: CommonMark with tables, strikethrough and task lists. Links and
 * pictures are made absolute against `base`; what readers do not see is left out. Ends with a line
 * feed, unless it is empty.
 */
export function toMarkdown(root: Node, base: string): string {
  const writer = new BlockWriter({ base, nesting: 0, inDefinition: false })
  writer.visitChildren(root)
  const text = joinBlocks(writer.finish()).replace(/[ \t]+$/gm, "")
  return text === "" ? "" : `${text}\n`
}

const joinBlocks = (blocks: Block[]) => blocks.map((block) => block.text).join("\n\n")

class BlockWriter {
  private readonly blocks: Block[] = []
  private inline: Inline

  /** `flat` writes everything on one line: headings, cells, captions. */
  constructor(
    private readonly place: Place,
    private readonly flat?: Exclude<LineBreak, "\\\n">,
  ) {
    this.inline = new Inline(flat)
  }

  finish(): Block[] {
    this.endParagraph()
    return this.blocks
  }

  /** The one line of a flat writer. */
  line(): string {
    return this.inline.take()
  }

  visitChildren(parent: Node): void {
    for (let child = parent.firstChild; child; child = child.nextSibling) this.visitNode(child)
  }

  private visitNode(node: Node): void {
    if (node.nodeType === 3) this.inline.text(node.nodeValue ?? "")
    else if (node.nodeType === 1) this.visit(node as Element)
  }

  private visit(element: Element): void {
    const name = element.localName
    if (name === "math") this.formula(element)
    else if (name === "iframe" || name === "video" || name === "audio") this.media(element)
    else if (name === "img") this.image(element)
    else if (name === "input") this.checkbox(element)
    else if (name === "noscript") this.withoutScript(element)
    else if (isUnseen(element)) this.hidden(element)
    else if (name === "br") this.lineBreak()
    else if (isMathCopy(element)) return
    else if (this.flat === undefined && this.writesBlock(element, name)) return
    else if (isBlock(element)) this.container(element)
    else this.inlineElement(element, name)
  }

  /** Elements with a form of their own in Markdown. */
  private writesBlock(element: Element, name: string): boolean {
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
        this.code(element)
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
    if (this.flat !== undefined) return
    const text = this.inline.take()
    if (text !== "") this.blocks.push({ kind: "paragraph", text })
  }

  private container(element: Element): void {
    this.boundary()
    this.visitChildren(element)
    this.boundary()
  }

  private boundary(): void {
    if (this.flat === undefined) this.endParagraph()
    else this.inline.break()
  }

  private lineBreak(): void {
    if (this.inline.break() === "paragraph") this.boundary()
  }

  private inlineElement(element: Element, name: string): void {
    const mark = marks[name]
    if (mark && !(mark === "**" && this.flat === " ")) {
      this.inline.open(mark)
      this.visitChildren(element)
      this.inline.close()
    } else if (codeNames.has(name)) this.codeSpan(element)
    else if (name === "a") this.link(element)
    else if (name === "sup" || name === "sub") this.shifted(element, name)
    else if (name === "q") this.quoted(element)
    else this.visitChildren(element)
  }

  private link(element: Element): void {
    const href = this.hrefOf(element)
    if (href === null) {
      this.visitChildren(element)
      return
    }
    this.inline.open("", href)
    this.visitChildren(element)
    this.inline.close()
  }

  /** Absolute; a fragment of this page as written; null for what leads nowhere. */
  private hrefOf(element: Element): string | null {
    const written = element.getAttribute("href")?.trim()
    if (!written) return null
    if (written.startsWith("#")) return written.length > 1 ? written : null
    if (/^(?:mailto|tel):./i.test(written)) return written
    return absoluteUrl(written, this.place.base)
  }

  private codeSpan(element: Element): void {
    if (element.getAttribute("class") === "math-tex") {
      this.inline.raw(`$${element.textContent}$`)
      return
    }
    const only = element.firstElementChild
    const isLinked =
      only?.localName === "a" && only.textContent!.trim() === element.textContent!.trim()
    const span = codeSpan(element.textContent ?? "")
    if (span === "") {
      this.inline.text(element.textContent ?? "")
      return
    }
    const text = element.textContent!
    if (/^\s/.test(text)) this.inline.folds()
    const href = isLinked ? this.hrefOf(only) : null
    if (href !== null) this.inline.open("", href)
    this.inline.raw(this.flat === "<br>" ? span.replaceAll("|", "\\|") : span)
    if (href !== null) this.inline.close()
    if (/\s$/.test(text)) this.inline.folds()
  }

  /** Raised and lowered text keeps its tag, which CommonMark allows; a note's mark is just a link. */
  private shifted(element: Element, name: string): void {
    const text = element.textContent!.trim()
    const note = element.querySelector("a[href]")
    if (text === "" || note?.textContent?.trim() === text || isHidden(element)) {
      this.visitChildren(element)
      return
    }
    this.inline.raw(`<${name}>`)
    this.visitChildren(element)
    this.inline.raw(`</${name}>`)
  }

  private quoted(element: Element): void {
    this.inline.text('"')
    this.visitChildren(element)
    this.inline.text('"')
  }

  private formula(math: Element): void {
    const tex = texOf(math)
    if (tex === null) this.visitChildren(math)
    else this.inline.raw(`$${tex}$`)
  }

  private hidden(element: Element): void {
    const math = hiddenMath(element)
    if (math && texOf(math) !== null) this.formula(math)
  }

  private image(image: Element): void {
    if (isHidden(image) || isMathCopy(image)) return
    const address = imageAddress(image, this.place.base)
    if (address === null) return
    const escaped = imageText(image).replace(/[\\`*_<[\]]/g, "\\$&")
    const alt = this.flat === "<br>" ? escaped.replaceAll("|", "\\|") : escaped
    this.inline.raw(`![${alt}](${linkDestination(address)})`)
  }

  /** A picture for readers without scripts, where the one before it has no address yet. */
  private withoutScript(element: Element): void {
    if (!isUnseen(element)) {
      this.container(element)
      return
    }
    const before = element.previousElementSibling
    const lazy = before?.localName === "img" ? before : before?.querySelector("img")
    if (lazy && imageAddress(lazy, this.place.base) !== null) return
    for (const image of element.querySelectorAll("img")) this.image(image)
  }

  private media(element: Element): void {
    if (isHidden(element)) return
    const source = element.querySelector("source[src]")
    const written = element.getAttribute("src") ?? element.getAttribute("data-src")
    const address = absoluteUrl(written ?? source?.getAttribute("src"), this.place.base)
    if (address === null) return
    if (element.localName === "iframe" && !videoHosts.test(new URL(address).hostname)) return
    const label = element.localName === "audio" ? "Audio" : "Video"
    this.boundary()
    this.inline.open("", address)
    this.inline.text(element.getAttribute("title") || label)
    this.inline.close()
    this.boundary()
  }

  private checkbox(element: Element): void {
    if (element.getAttribute("type")?.toLowerCase() !== "checkbox" || !this.inline.empty) return
    if (!element.closest("li")) return
    this.inline.raw(element.hasAttribute("checked") ? "[x] " : "[ ] ")
  }

  private lineOf(element: Element, mark?: Mark): string {
    const writer = new BlockWriter(this.place, " ")
    if (mark) writer.inline.open(mark)
    writer.visitChildren(element)
    if (mark) writer.inline.close()
    return writer.line()
  }

  private heading(element: Element, level: number): void {
    this.endParagraph()
    const writer = new BlockWriter(this.place, " ")
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === 3) writer.inline.text(child.nodeValue ?? "")
      else if (child.nodeType === 1 && !isPermalink(child as Element))
        writer.visit(child as Element)
    }
    const text = writer.line().replace(/(^|\s)(#+)$/, "$1\\$2")
    const depth = Math.min(6, Math.max(1, Math.trunc(level) || 2))
    if (text !== "") this.blocks.push({ kind: "other", text: `${"#".repeat(depth)} ${text}` })
  }

  private code(pre: Element): void {
    const text = codeText(pre)
    if (text !== null) this.push("other", fence(text, codeLanguage(pre)))
    else this.endParagraph()
  }

  private nested(element: Node): Block[] {
    const writer = new BlockWriter({ ...this.place, nesting: this.place.nesting + 1 })
    writer.visitChildren(element)
    return writer.finish()
  }

  private quote(element: Element): void {
    if (this.place.nesting >= maxNesting) {
      this.container(element)
      return
    }
    const text = joinBlocks(this.nested(element))
    this.push("other", text === "" ? "" : text.replace(/^/gm, "> ").replace(/^> $/gm, ">"))
  }

  private list(element: Element): void {
    if (this.place.nesting >= maxNesting) {
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
    for (const part of parts) {
      const number = isItem(part) ? numbers[index++]! : (numbers[index] ?? 1)
      const blocks = isItem(part) ? this.nested(part) : this.nestedParts(part)
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
    if (items.length > 0) this.blocks.push({ kind: "list", text: writeList(items) })
  }

  /** Two lists of a kind would become one, so the second one takes the other marker. */
  private touchesAlikeList(ordered: boolean): boolean {
    const last = this.blocks.at(-1)
    return last?.kind === "list" && (ordered ? /^\d+\. / : /^- /).test(last.text)
  }

  private nestedParts(nodes: Node[]): Block[] {
    const writer = new BlockWriter({ ...this.place, nesting: this.place.nesting + 1 })
    for (const node of nodes) writer.visitNode(node)
    return writer.finish()
  }

  private definitions(element: Element): void {
    this.endParagraph()
    for (const part of definitionParts(element)) {
      if (isUnseen(part)) continue
      if (part.localName === "dt" && !part.querySelector("h1, h2, h3, h4, h5, h6, p, ul, pre")) {
        this.push("paragraph", this.lineOf(part, "**"))
      } else if (part.localName !== "dd") this.container(part)
      else this.definition(part)
    }
  }

  private definition(element: Element): void {
    const writer = new BlockWriter({ ...this.place, inDefinition: true })
    writer.visitChildren(element)
    const text = joinBlocks(writer.finish())
    const indent = this.place.inDefinition ? "" : "  "
    this.push("other", text === "" ? "" : indent + indentRest(text, indent))
  }

  private summary(element: Element): void {
    if (element.querySelector("h1, h2, h3, h4, h5, h6")) this.container(element)
    else this.push("paragraph", this.lineOf(element, "**"))
  }

  private table(element: Element): void {
    if (isLayoutTable(element)) {
      this.layout(element)
      return
    }
    const caption = [...element.children].find((child) => child.localName === "caption")
    if (caption && !isUnseen(caption)) this.push("paragraph", this.lineOf(caption))
    const [header, ...body] = tableGrid(element)
    if (!header) return
    const rows = [
      header.map((cell) => this.cell(cell)),
      header.map(alignmentOf),
      ...body.map((row) => row.map((cell) => this.cell(cell))),
    ]
    this.push("other", rows.map((row) => `| ${row.join(" | ")} |`).join("\n"))
  }

  private cell(element: Element | null): string {
    if (element === null) return ""
    const writer = new BlockWriter(this.place, "<br>")
    writer.visitChildren(element)
    return writer.line()
  }

  /** The cells of a table that only arranges the page, one after the other. */
  private layout(table: Element): void {
    this.endParagraph()
    for (let child = table.firstChild; child; child = child.nextSibling) {
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

/** An item of a list, or what stands between items: another list, a run of text. */
type ListPart = Element | Node[]

const isItem = (part: ListPart): part is Element => !Array.isArray(part)

const isList = (element: Element) => /^(?:ul|ol|menu|dir)$/.test(element.localName)

/** The parts of a list in order; wrappers around items are opened. */
function listParts(list: Element): ListPart[] {
  const parts: ListPart[] = []
  let run: Node[] = []
  const endRun = () => {
    if (run.some((node) => node.nodeType !== 3 || node.nodeValue!.trim() !== "")) parts.push(run)
    run = []
  }
  for (let child = list.firstChild; child; child = child.nextSibling) {
    const element = child.nodeType === 1 ? (child as Element) : null
    if (element && (element.localName === "li" || isList(element) || wrapsItems(element))) {
      endRun()
      if (isUnseen(element)) continue
      if (element.localName === "li") parts.push(element)
      else if (isList(element)) parts.push([element])
      else parts.push(...listParts(element))
    } else if (element || child.nodeType === 3) run.push(child)
  }
  endRun()
  return parts
}

const wrapsItems = (element: Element) =>
  [...element.children].some((inner) => inner.localName === "li")

/** Terms and definitions; the `div` that may group them is opened. */
function definitionParts(list: Element): Element[] {
  return [...list.children].flatMap((child) =>
    child.localName === "div" && child.querySelector("dt, dd") ? definitionParts(child) : [child],
  )
}
