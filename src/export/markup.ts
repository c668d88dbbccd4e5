import type { Scalar } from "./flatten.ts"
import { type TableOptions, table } from "./table.ts"

type Item = Record<string, unknown>

/** Names of the root element and of the element of each item. */
export interface XmlNames {
  root?: string | undefined
  row?: string | undefined
}

/** Maximum depth; deeper values are written as JSON. */
const deepest = 50
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/**
 * Writes items as XML. A field is an element, and a list is repeated elements. `@name` is an attribute, and
 * `#` is the content of the same element.
 */
export async function* xml(
  items: AsyncIterable<Item>,
  { root = "items", row = "item" }: XmlNames = {},
): AsyncGenerator<string> {
  const [all, each] = [elementName(root), elementName(row)]
  yield `${declaration}<${all}>\n`
  for await (const item of items) yield `${element(each, item, 0)}\n`
  yield `</${all}>\n`
}

/**
 * Yields items as an RSS feed: the elements that feed readers use first, then the item's own
 * fields.
 */
export async function* rss(
  items: AsyncIterable<Item>,
  { title, link }: { title: string; link: string },
): AsyncGenerator<string> {
  yield `${declaration}<rss version="2.0"><channel>${element("title", title, 0)}${element("link", link, 0)}${element("description", title, 0)}\n`
  for await (const item of items) yield `${element("item", { ...known(item), ...item }, 0)}\n`
  yield "</channel></rss>\n"
}

function known(item: Item): Item {
  const url = typeof item.url === "string" ? item.url : undefined
  const published = Date.parse(String(item.publishedAt ?? ""))
  return {
    ...(url && { link: url, guid: url }),
    ...(!Number.isNaN(published) && { pubDate: new Date(published).toUTCString() }),
  }
}

/** Yields items as an HTML page with a table. */
export async function* html(
  items: AsyncIterable<Item>,
  options: TableOptions & { title: string; header?: boolean },
): AsyncGenerator<string> {
  const { title, header = true } = options
  const rows = table(items, options)
  yield `<!doctype html>\n<html><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body><table border="1">\n`
  const { value: names } = await rows.next()
  if (header) yield `<thead>${line("th", names ?? [])}</thead>\n`
  yield "<tbody>\n"
  for await (const row of rows) yield `${line("td", row)}\n`
  yield "</tbody></table></body></html>\n"
}

const line = (cell: "th" | "td", values: readonly Scalar[]) =>
  `<tr>${values.map((value) => `<${cell}>${escaped(String(value ?? ""))}</${cell}>`).join("")}</tr>`

function element(name: string, value: unknown, depth: number): string {
  if (Array.isArray(value) && depth < deepest)
    return value.map((entry) => element(name, entry, depth + 1)).join("")
  if (value === null || value === undefined) return `<${name}/>`
  if (typeof value !== "object") return `<${name}>${escaped(String(value))}</${name}>`
  if (depth >= deepest) return `<${name}>${escaped(JSON.stringify(value))}</${name}>`
  let attributes = ""
  let content = ""
  for (const [field, part] of Object.entries(value)) {
    if (namespace.test(field)) continue
    if (field.startsWith("@") && typeof part !== "object") {
      attributes += ` ${elementName(field.slice(1))}="${escaped(String(part))}"`
    } else if (field === "#") {
      content +=
        typeof part === "object" && part !== null ? inner(part, depth) : escaped(String(part))
    } else content += element(elementName(field), part, depth + 1)
  }
  return `<${name}${attributes}>${content}</${name}>`
}

/** A namespace would change the meaning of the elements: those of XHTML may be scripts. */
const namespace = /^@xmlns(?=$|[^\p{L}\p{N}_])/iu

const inner = (part: object, depth: number) =>
  Object.entries(part)
    .map(([field, value]) => element(elementName(field), value, depth + 1))
    .join("")

/** Returns a field's name as a valid XML name. */
function elementName(field: string): string {
  const name = field.replace(/[^\p{L}\p{N}_.-]/gu, "_")
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
}

/** Returns text without characters that XML forbids. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
      .replace(/[&<>"\r]/g, (character) => entities[character]!)
  )
}
