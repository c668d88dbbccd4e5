import type { XmlElement } from "../core/index.ts"
import { imageDescription } from "./drawings.ts"
import { type NumberFormat, numberIn } from "./list-labels.ts"
import { Notes } from "./notes.ts"
import { named, rowsOf } from "./odf-names.ts"
import { formulaHtml, type OdfObjects } from "./odf-objects.ts"
import { escaped, tableHtml } from "./pages/document-page.ts"

interface TextStyle {
  bold: boolean
  italic: boolean
  /** The heading level of a paragraph by its style, without its own outline level. */
  level: number
}

/** A level of a list; null for bullets. */
interface ListLevel {
  format: NumberFormat
  prefix: string
  suffix: string
  start: number
}

/** The list around a block: its style, and its depth from 0. */
interface ListPosition {
  style: string
  depth: number
}

/** Items of a list until they are written. */
interface OpenList {
  style: string
  tag: "ol" | "ul"
  items: string[]
  /** The number of the first item, and of the next one. */
  first: number
  next: number
}

const unseen = new Set([
  "tracked-changes",
  "sequence-decls",
  "forms",
  "annotation",
  "notes",
  "settings",
  "variable-decls",
])

/** Returns the texts of an OpenDocument file as HTML. */
export class OdfText {
  private readonly styles = new Map<string, TextStyle>()
  private readonly lists = new Map<string, (ListLevel | null)[]>()

  /** Footnotes and endnotes, in the order of their references. */
  readonly notes = new Notes()

  constructor(
    private readonly objects: OdfObjects,
    ...roots: (XmlElement | undefined)[]
  ) {
    for (const root of roots) {
      if (!root) continue
      for (const style of root.within("style")) this.addStyle(style)
      for (const list of root.within("list-style")) {
        this.lists.set(named(list, "name") ?? "", levelsOf(list))
      }
    }
  }

  private addStyle(style: XmlElement): void {
    const name = named(style, "name")
    if (name === null) return
    const text = style.first("text-properties")
    const parent = named(style, "parent-style-name") ?? ""
    this.styles.set(name, {
      bold: named(text ?? style, "font-weight") === "bold",
      italic: named(text ?? style, "font-style") === "italic",
      level: headingLevel(name) || headingLevel(parent),
    })
  }

  /** Returns all blocks below an element; consecutive lists are one list. */
  blocks(parent: XmlElement, around?: ListPosition): string {
    const blocks: string[] = []
    let open: OpenList | undefined
    const endList = () => {
      if (open && open.items.length > 0) blocks.push(listHtml(open))
      open = undefined
    }
    for (const child of parent.elements()) {
      if (child.name === "list") {
        const style = named(child, "style-name") ?? around?.style ?? ""
        const position = { style, depth: around ? around.depth + 1 : 0 }
        const level = this.lists.get(style)?.[position.depth] ?? null
        const tag = level?.format === "1" ? "ol" : "ul"
        if (tag !== open?.tag || (level && style !== open.style)) endList()
        const start = level?.start ?? 1
        open ??= { style, tag, items: [], first: start, next: start }
        this.addItems(child, open, position, level)
        continue
      }
      endList()
      const html = this.blockOf(child)
      if (html !== "") blocks.push(html)
    }
    endList()
    return blocks.join("\n")
  }

  /** Adds the items of a list. An item that is only a list belongs to the item before. */
  private addItems(
    list: XmlElement,
    open: OpenList,
    position: ListPosition,
    level: ListLevel | null,
  ): void {
    for (const item of list.elements()) {
      if (item.name !== "list-item" && item.name !== "list-header") continue
      const html = this.blocks(item, position)
      if (html === "") continue
      const before = open.items.at(-1)
      if (before && item.elements().every(({ name }) => name === "list")) {
        open.items[open.items.length - 1] = before.replace(/<\/li>$/, `${html}</li>`)
        continue
      }
      const stated = Number.parseInt(named(item, "start-value") ?? "", 10)
      if (stated > 0) open.next = stated
      if (open.items.length === 0) open.first = open.next
      const isLabelled = level !== null && open.tag === "ul" && item.name === "list-item"
      open.items.push(`<li>${isLabelled ? labelled(html, level, open.next) : html}</li>`)
      if (item.name === "list-item") open.next++
    }
  }

  /** Returns the HTML of a paragraph, table, frame or shape; "" for fields of a slide's number and date. */
  blockOf(element: XmlElement): string {
    const { name } = element
    if (unseen.has(name) || isField(element)) return ""
    if (name === "h") {
      const level = Math.min(6, Math.max(1, Number(named(element, "outline-level") ?? 1)))
      return wrapped(`h${level}`, this.inline(element))
    }
    if (name === "p") return this.paragraph(element)
    if (name === "table") return this.table(element)
    if (name === "frame" && named(element, "class") === "title") {
      const texts = [...element.within("p")].map((paragraph) => this.inline(paragraph))
      return wrapped("h2", texts.filter((text) => text !== "").join(" "))
    }
    if (name === "object") return this.object(element)
    return this.blocks(element) + descriptionOf(element)
  }

  private paragraph(element: XmlElement): string {
    const style = named(element, "style-name") ?? ""
    const level = this.styles.get(style)?.level ?? headingLevel(style)
    const html = wrapped(level > 0 ? `h${level}` : "p", this.inline(element))
    const framed = framesIn(element).filter((frame) => this.formula(frame) === "")
    const shapes = framed.map((frame) => this.blocks(frame) + descriptionOf(frame))
    return [html, ...shapes].filter(Boolean).join("\n")
  }

  private formula(frame: XmlElement): string {
    const object = frame.first("object")
    const root = object && this.objects.rootOf(object)
    return root ? formulaHtml(root) : ""
  }

  /** Returns a formula as a paragraph, or the titles and the data of a chart. */
  private object(element: XmlElement): string {
    const root = this.objects.rootOf(element)
    if (!root) return ""
    const formula = formulaHtml(root)
    if (formula !== "") return wrapped("p", formula)
    const titles = [...root.within("title")].map((title) => this.blocks(title))
    const tables = [...root.within("table")].map((table) => this.table(table))
    return [...titles, ...tables].filter(Boolean).join("\n")
  }

  private table(element: XmlElement): string {
    const rows = [...rowsOf(element)].map((row) =>
      row
        .elements()
        .filter(({ name }) => name === "table-cell" || name === "covered-table-cell")
        .map((cell) => this.cell(cell)),
    )
    return tableHtml(rows) ?? ""
  }

  /** Returns the lines of a cell: its paragraphs, list items, and the content of tables and frames. */
  cell(cell: XmlElement): string {
    return this.lines(cell).join("<br>")
  }

  private lines(parent: XmlElement): string[] {
    return parent.elements().flatMap((child) => {
      if (unseen.has(child.name)) return []
      if (child.name !== "p" && child.name !== "h") return this.lines(child)
      return [this.inline(child), ...framesIn(child).flatMap((frame) => this.lines(frame))]
    })
  }

  private inline(parent: XmlElement): string {
    return parent.children
      .map((child) => (typeof child === "string" ? escaped(child) : this.run(child)))
      .join("")
  }

  private run(element: XmlElement): string {
    switch (element.name) {
      case "s":
        return " ".repeat(Math.min(100, Number(named(element, "c") ?? 1)))
      case "tab":
        return " "
      case "line-break":
        return "<br>"
      case "a": {
        const url = named(element, "href") ?? ""
        const text = this.inline(element)
        return /^https?:|^mailto:/i.test(url) ? `<a href="${escaped(url)}">${text}</a>` : text
      }
      case "span": {
        const style = this.styles.get(named(element, "style-name") ?? "")
        const text = this.inline(element)
        if (text.trim() === "") return text
        const slanted = style?.italic ? `<i>${text}</i>` : text
        return style?.bold ? `<b>${slanted}</b>` : slanted
      }
      case "note": {
        const body = element.first("note-body")
        const text = body
          ? [...body.within("p")].map((paragraph) => this.inline(paragraph)).join(" ")
          : ""
        return text === "" ? "" : this.notes.add(text)
      }
      case "frame":
        return this.formula(element)
      case "page-number":
        // A placeholder, because only the program that shows the page knows its number.
        return element.text === "<number>" ? "" : this.inline(element)
      case "annotation":
      case "annotation-end":
        return ""
      default:
        return shapes.has(element.name) ? "" : this.inline(element)
    }
  }
}

/** Returns whether a slide's frame is for its number, or for the date on which it is shown. */
function isField(frame: XmlElement): boolean {
  const kind = named(frame, "class")
  if (kind !== "date-time") return kind === "page-number"
  return ["date", "time", "date-time"].some((name) => !frame.within(name).next().done)
}

/** Returns the description of a frame's image; "" for none. */
function descriptionOf(frame: XmlElement): string {
  if (frame.name !== "frame" || !frame.first("image") || frame.first("object")) return ""
  return imageDescription(frame.first("desc")?.text ?? "")
}

/** Returns the levels of a list style by their depth. */
function levelsOf(style: XmlElement): (ListLevel | null)[] {
  const levels: (ListLevel | null)[] = []
  for (const element of style.elements()) {
    const depth = Number(named(element, "level") ?? levels.length + 1) - 1
    if (!(depth >= 0 && depth < maxListDepth)) continue
    const format = /^[1aAiI]/.exec(named(element, "num-format") ?? "")?.[0]
    const isNumbered = element.name === "list-level-style-number" && format !== undefined
    levels[depth] = isNumbered
      ? {
          format: format as NumberFormat,
          prefix: named(element, "num-prefix") ?? "",
          suffix: named(element, "num-suffix") ?? "",
          start: Math.max(0, Number.parseInt(named(element, "start-value") ?? "1", 10) || 0),
        }
      : null
  }
  return levels
}

const maxListDepth = 10

const listHtml = ({ tag, items, first }: OpenList) =>
  `<${tag}${tag === "ol" && first !== 1 ? ` start="${first}"` : ""}>${items.join("")}</${tag}>`

/** Returns an item with its letter or Roman number as text, because Markdown has none of these lists. */
function labelled(html: string, { format, prefix, suffix }: ListLevel, number: number): string {
  const label = escaped(`${prefix}${numberIn(format, number)}${suffix || "."} `)
  return /^<[ph]\d?>/.test(html) ? html.replace(/^<[ph]\d?>/, `$&${label}`) : label + html
}

/** Shapes, which may have paragraphs as frames do. */
const shapes = new Set(
  `caption circle connector control custom-shape ellipse g line measure path polygon polyline rect
  regular-polygon`.split(/\s+/),
)

/** Returns frames and shapes in a paragraph, which have their own paragraphs or objects. */
const framesIn = (element: XmlElement): XmlElement[] =>
  element.elements().flatMap((child) => {
    if (child.name === "frame" || shapes.has(child.name)) return [child]
    return unseen.has(child.name) || child.name === "note" ? [] : framesIn(child)
  })

const wrapped = (tag: string, html: string) =>
  html.trim() === "" ? "" : `<${tag}>${html}</${tag}>`

/** Returns the heading level of a style; spaces in its name are written as `_20_`. */
function headingLevel(style: string): number {
  if (/^title$/i.test(style)) return 1
  return Math.min(6, Number(/^Heading_20_(\d)$/i.exec(style)?.[1] ?? 0))
}
