import { at } from "../embedded/index.ts"
import { inlineHtml, isWithinLine } from "./inline-html.ts"
import { escaped, type Json, kindOf, numberAt, textAt } from "./node-facts.ts"

/** Maximum number of blocks of one page, and their maximum depth. */
const maxBlocks = 100_000
const deepest = 30

/**
 * Keys of a block's parts in the data of editors: Contentful, Sanity, ProseMirror, Slate, Lexical,
 * Editor.js, Medium.
 */
const partKeys = [
  "content",
  "children",
  "blocks",
  "paragraphs",
  "bodyModel",
  "nodes",
  "root",
  "document",
  "body",
  "items",
  "data",
]
const textKeys = ["html", "rendered", "text", "value", "markdown"]
const markup = /<(?:p|br|div|h[1-6]|ul|ol|li|blockquote|figure|section)\b/i

/** Reads the bodies of one page, as many blocks as a page has at most. */
export class BlockReader {
  private left = maxBlocks

  /**
   * Returns a body as HTML. It may be HTML, plain text, or the blocks of any common editor. `objects`
   * are those that others refer to (Apollo).
   */
  html(body: unknown, objects: Json = {}, depth = 0): string {
    const value = referred(body, objects)
    if (typeof value === "string") return textHtml(value)
    if (typeof value !== "object" || value === null || depth > deepest || this.left-- <= 0) {
      return ""
    }
    if (Array.isArray(value)) return this.blocks(value, objects, depth)
    const object = value as Json
    const kind = kindOf(object)
    const text = textKeys
      .map((name) => object[name])
      .find((text) => typeof text === "string" && text)
    if (typeof text === "string" && markup.test(text)) return text
    if (typeof text === "string") {
      const line = isWithinLine(object) ? inlineHtml(object, []) : escaped(text)
      return blockOf(object, kind, line)
    }
    if (/image|picture|photo|^img$|asset/i.test(kind)) return imageOf(object)
    if (/^(?:hr|divider|delimiter|horizontal_?-?rule)$/i.test(kind)) return "<hr>"
    const reported = kind === "" ? undefined : editorJsLine(object)
    if (reported !== undefined) return blockOf(object, kind, reported)
    const parts = partKeys
      .map((name) => object[name])
      .find((part) => typeof part === "object" && part)
    if (!parts) return ""
    const inner = this.inner(object, parts, objects, depth)
    return inner === "" ? "" : blockOf(object, kind, inner)
  }

  /** Returns a line if all parts are inline; else blocks. */
  private inner(holder: Json, parts: unknown, objects: Json, depth: number): string {
    const listed = Array.isArray(parts) ? parts.map((part) => referred(part, objects)) : []
    if (listed.length === 0 || !listed.every(isWithinLine)) {
      return this.html(parts, objects, depth + 1)
    }
    this.left -= listed.length
    const links = Array.isArray(holder.markDefs) ? (holder.markDefs as Json[]) : []
    return this.left > 0 ? listed.map((part) => inlineHtml(part as Json, links)).join("") : ""
  }

  /** Items that follow each other and name their list, as Sanity's and Medium's do, are one list. */
  private blocks(values: unknown[], objects: Json, depth: number): string {
    let html = ""
    let list = ""
    for (const value of values) {
      const listed = listOfItem(referred(value, objects))
      if (listed !== list) {
        html += `${list && `</${list}>`}${listed && `<${listed}>`}`
        list = listed
      }
      html += this.html(value, objects, depth + 1)
    }
    return html + (list && `</${list}>`)
  }
}

/** Returns the content of an Editor.js block next to its kind: a line of HTML, or a list's lines. */
function editorJsLine({ data }: Json): string | undefined {
  const line = textAt(data, "text") ?? textAt(data, "code")
  if (line !== undefined) return line
  const items = at(data, "items")
  return Array.isArray(items) ? itemsHtml(items, 0) : undefined
}

function itemsHtml(items: unknown[], depth: number): string {
  return items
    .map((item) => {
      const line = typeof item === "string" ? item : (textAt(item, "content") ?? "")
      const below = at(item, "items")
      const isList = Array.isArray(below) && below.length > 0 && depth < deepest
      return `<li>${line}${isList ? `<ul>${itemsHtml(below, depth + 1)}</ul>` : ""}</li>`
    })
    .join("")
}

function referred(value: unknown, objects: Json): unknown {
  const key = (value as Json | null | undefined)?.__ref
  return typeof key === "string" ? objects[key] : value
}

/** Returns the list of an item outside of one: Sanity's `listItem`, Medium's type. */
function listOfItem(value: unknown): "ul" | "ol" | "" {
  if (typeof value !== "object" || value === null) return ""
  const kind = kindOf(value as Json)
  const named = textAt(value, "listItem") ?? (/^[uo]li$/i.test(kind) ? kind : "")
  if (named === "") return ""
  return /^(?:number|oli)/i.test(named) ? "ol" : "ul"
}

/** Returns the content of a block in the element of its kind. */
function blockOf(object: Json, kind: string, inner: string): string {
  const isBlock = /^<(?:p|h\d|ul|ol|li|blockquote|pre|hr|figure|img)\b/.test(inner)
  const name = elementOf(object, kind)
  if (name === "pre") return `<pre><code>${inner}</code></pre>`
  if (name === "li" || name === "blockquote") return `<${name}>${inner}</${name}>`
  if (name === "ul" || name === "ol") {
    return `<${name}>${inner.startsWith("<li") ? inner : `<li>${inner}</li>`}</${name}>`
  }
  return isBlock ? inner : `<${name}>${inner}</${name}>`
}

function elementOf(object: Json, kind: string): string {
  const style = textAt(object, "style") ?? textAt(object, "tag") ?? ""
  if (/^h(?:eader|eading)?[-_]?(?:[1-6]|one|two|three|four|five|six)?$/i.test(kind)) {
    return `h${levelOf(object, kind) || levelOf(object, style) || 2}`
  }
  if (/^h[1-6]$/i.test(style)) return style.toLowerCase()
  if (listOfItem(object) !== "" || /^(?:list[-_]?item|li)$/i.test(kind)) return "li"
  if (/(?:^|[-_])(?:ul|ol|list)(?:$|[-_])|list$/i.test(kind)) {
    const style = textAt(object, "listType") ?? textAt(object, "data", "style") ?? kind
    return /^ol|number|ordered/i.test(style) && !/unordered/i.test(style) ? "ol" : "ul"
  }
  if (/quote|^bq$/i.test(kind) || style === "blockquote") return "blockquote"
  return /^(?:code[-_]?block|pre|code)$/i.test(kind) ? "pre" : "p"
}

const spelled = ["one", "two", "three", "four", "five", "six"]

function levelOf(object: Json, name: string): number {
  const written = Number(/[1-6]$/.exec(name)?.[0] ?? 0)
  const spelt = spelled.findIndex((word) => name.endsWith(word)) + 1
  const stated = numberAt(object, "attrs", "level") ?? numberAt(object, "data", "level")
  return written || spelt || Math.min(6, stated ?? numberAt(object, "level") ?? 0)
}

function imageOf(object: Json): string {
  const paths = [
    ["attrs", "src"],
    ["data", "file", "url"],
    ["data", "target", "fields", "file", "url"],
    ["file", "url"],
    ["asset", "url"],
    ["image", "url"],
    ["src"],
    ["url"],
  ]
  const url = paths.map((path) => textAt(object, ...path)).find((text) => text)
  if (!url || !/^(?:https?:)?\/|^\w[^:]*$/.test(url)) return ""
  const alt = textAt(object, "attrs", "alt") ?? textAt(object, "alt") ?? ""
  const href = url.startsWith("//") ? `https:${url}` : url
  return `<img src="${escaped(href)}" alt="${escaped(alt)}">`
}

function textHtml(text: string): string {
  if (markup.test(text)) return text
  const lines = text.split(/\s*\n\s*/).filter((line) => line !== "")
  return lines.map((line) => `<p>${escaped(line)}</p>`).join("")
}
