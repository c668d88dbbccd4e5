type Json = Record<string, unknown>

/** Blocks of one page in all, and how deep they stand in each other. */
const mostBlocks = 100_000
const deepest = 30

/** Where editors keep the parts of a block: Contentful, Sanity, ProseMirror, Slate, Editor.js, Medium. */
const partKeys = [
  "content",
  "children",
  "blocks",
  "paragraphs",
  "bodyModel",
  "nodes",
  "body",
  "data",
]
const textKeys = ["html", "rendered", "text", "value", "markdown"]
const inline = /^(?:text|span|#text|link|hyperlink|a|strong|em|b|i|mark|code_inline)$/i
const markup = /<(?:p|br|div|h[1-6]|ul|ol|li|blockquote|figure|section)\b/i

/** Reads the bodies of one page, as many blocks as a page has at most. */
export class BlockReader {
  private left = mostBlocks

  /**
   * A body as HTML: HTML or plain text as it is written, and the blocks in which editors keep texts,
   * whoever made them. `objects` are those that others refer to (Apollo).
   */
  html(body: unknown, objects: Json = {}, depth = 0, isInline = false): string {
    const key = (body as Json | null | undefined)?.__ref
    const value = typeof key === "string" ? objects[key] : body
    if (typeof value === "string") return isInline ? escaped(value) : textHtml(value)
    if (typeof value !== "object" || value === null || depth > deepest || this.left-- <= 0)
      return ""
    if (Array.isArray(value)) {
      return value.map((item) => this.html(item, objects, depth + 1, isInline)).join("")
    }
    const object = value as Json
    const kind = kindOf(object)
    const text = textKeys
      .map((name) => object[name])
      .find((text) => typeof text === "string" && text)
    if (typeof text === "string") {
      if (markup.test(text)) return text
      return isInline || inline.test(kind) ? escaped(text) : blockOf(kind, escaped(text))
    }
    const parts = partKeys
      .map((name) => object[name])
      .find((part) => typeof part === "object" && part)
    if (!parts) return ""
    const isLine = Array.isArray(parts) && parts.length > 0 && parts.every(isWithinLine)
    const inner = this.html(parts, objects, depth + 1, isInline || isLine)
    return isLine && !isInline ? blockOf(kind, inner) : inner
  }
}

const isWithinLine = (part: unknown) => {
  if (typeof part !== "object" || part === null) return false
  const kind = kindOf(part as Json)
  return inline.test(kind) || (kind === "" && typeof (part as Json).text === "string")
}

function kindOf(object: Json): string {
  const kind = object.type ?? object._type ?? object.nodeType ?? ""
  return typeof kind === "string" ? kind : ""
}

const blockOf = (kind: string, line: string) =>
  /^h(?:eader|eading)?-?[1-6]?$/i.test(kind) ? `<h2>${line}</h2>` : `<p>${line}</p>`

function textHtml(text: string): string {
  if (markup.test(text)) return text
  const lines = text.split(/\s*\n\s*/).filter((line) => line !== "")
  return lines.map((line) => `<p>${escaped(line)}</p>`).join("")
}

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;" })[sign] ?? "&gt;")
