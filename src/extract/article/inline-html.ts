import { escaped, type Json, kindOf, textAt } from "./node-facts.ts"

/** Nodes within nodes of a line. */
const deepest = 20

const inline =
  /^(?:text|span|#text|link|autolink|hyperlink|entry-hyperlink|a|strong|em|b|i|mark|code_inline|linebreak|hard_?break|br)$/i

/** Returns whether a node is a part of a line: a text, or a link and the like around texts. */
export function isWithinLine(node: unknown): boolean {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return false
  const kind = kindOf(node as Json)
  return inline.test(kind) || (kind === "" && typeof (node as Json).text === "string")
}

/** A part of a line as HTML, with its marks; `links` are those that marks name (Sanity). */
export function inlineHtml(node: Json, links: Json[], depth = 0): string {
  const kind = kindOf(node)
  if (/break$|^br$/i.test(kind)) return "<br>"
  const text = [node.text, node.value].find((text) => typeof text === "string")
  const parts = [node.children, node.content].find(Array.isArray)
  const inner =
    text !== undefined
      ? escaped(String(text))
      : depth < deepest
        ? (parts ?? []).map((part) => (part ? inlineHtml(part, links, depth + 1) : "")).join("")
        : ""
  if (inner === "") return ""
  const url = ["link", "a", "hyperlink", "autolink"].includes(kind.toLowerCase())
    ? addressOf(node)
    : undefined
  return linked(url, marked(node, links, inner))
}

/** The elements of marks, as their makers name them. */
const elements: [element: string, mark: RegExp][] = [
  ["code", /^(?:inline)?code$/i],
  ["em", /^(?:italic|em|i|emphasis)$/i],
  ["strong", /^(?:bold|strong|b)$/i],
]

/** Applies lists of marks (Contentful, ProseMirror, Sanity), flags (Slate), or bits (Lexical). */
function marked(node: Json, links: Json[], inner: string): string {
  const marks = Array.isArray(node.marks) ? node.marks.slice(0, 10) : []
  const names = marks.map((mark) => (typeof mark === "string" ? mark : kindOf(mark ?? {})))
  const format = typeof node.format === "number" ? node.format : 0
  if (format & 1) names.push("bold")
  if (format & 2) names.push("italic")
  if (format & 16) names.push("code")
  for (const name of ["bold", "italic", "code"]) if (node[name] === true) names.push(name)
  const html = elements.reduce(
    (text, [element, mark]) =>
      names.some((name) => mark.test(name)) ? `<${element}>${text}</${element}>` : text,
    inner,
  )
  const link =
    marks.find((mark) => typeof mark === "object" && mark !== null && kindOf(mark) === "link") ??
    links.find((link) => names.includes(textAt(link, "_key") ?? ""))
  return linked(link && addressOf(link), html)
}

const addressOf = (node: unknown) =>
  [["attrs", "href"], ["data", "uri"], ["data", "href"], ["fields", "url"], ["href"], ["url"]]
    .map((path) => textAt(node, ...path))
    .find((url) => url)

const linked = (url: string | undefined, html: string) =>
  url && !/^\s*(?:javascript|vbscript|data):/i.test(url)
    ? `<a href="${escaped(url)}">${html}</a>`
    : html
