import { callOf, type Input, type Item, readable } from "./keyless.ts"
import type { ShownCall } from "./snippets.ts"

/** What the box of the front page asks for. */
export interface PageCall {
  mode: "markdown" | "fields"
  url: string
  fields: string[]
  /** Of which each gives the fields; "" for the page as a whole. */
  rows: string
}

export const fieldLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)

export function pageCall({ mode, url, fields, rows }: PageCall): ShownCall {
  if (mode === "markdown") {
    const path = `/api/scrape?${readable(new URLSearchParams({ url }))}`
    return { path, tool: { name: "url-to-markdown-scraper", input: { urls: [url] } } }
  }
  const input = fieldsInput(url, fields, rows)
  if (rows) return { path: callOf("web-scraper", input), tool: { name: "web-scraper", input } }
  const path = `/api/scrape?${readable(new URLSearchParams({ url, fields: fields.join("|") }))}`
  return { path, tool: { name: "web-scraper", input } }
}

/** What the scraper for any page is given. Rows are lists of the schema by which it gives typed data. */
function fieldsInput(url: string, fields: string[], rows: string): Input {
  if (!rows) return { urls: [url], fields }
  const properties = Object.fromEntries(fields.map(propertyOf))
  const list = { type: "array", "x-selector": rows, items: { type: "object", properties } }
  const schema = { type: "object", properties: { rows: list } }
  return { urls: [url], fields: [], extract: { schema } }
}

/** The same for whatever page: what a recipe keeps. */
export function recipeInput({ fields, rows }: Pick<PageCall, "fields" | "rows">): Input {
  const { urls: _, ...input } = fieldsInput("", fields, rows)
  return input
}

function propertyOf(line: string): [string, Input] {
  const [, list, name, selector] = /^(\[\])?\s*([^:]*?)\s*:\s*(.*)$/.exec(line) ?? [
    "",
    "",
    line,
    line,
  ]
  const one = { type: ["string", "null"] }
  const form = list ? { type: "array", items: { type: "string" } } : one
  return [name!, { ...form, "x-selector": selector }]
}

/** The address of the front page at which this call is filled in. */
export function addressOf({ mode, url, fields, rows }: PageCall): string {
  const asked = mode === "fields" && { fields: fields.join("|"), ...(rows && { rows }) }
  return `/?${readable(new URLSearchParams({ url, ...asked }))}`
}

/** By which the page itself comes, to be pointed at: of one that draws itself, as it is drawn. */
export const sourceCall = (url: string) =>
  callOf("web-scraper", { urls: [url], fields: ["text: body"], includeHtml: true })

/** What the fields of each row came to; none where the page as a whole was read. */
export function listedRows({ extracted }: Item): Item[] {
  const rows = (extracted as { data?: { rows?: unknown } } | undefined)?.data?.rows
  return Array.isArray(rows) ? (rows as Item[]) : []
}

/** What fields came to: the rows of a list, or lists that go together, else the page's one row. */
export function rowsIn(item: Item): Item[] {
  const rows = listedRows(item)
  if (rows.length > 0 || item.extracted) return rows
  const { data } = item
  const values = Object.entries((data ?? {}) as Item)
  const lengths = new Set(values.map(([, value]) => (Array.isArray(value) ? value.length : 0)))
  const [length = 0] = lengths
  if (lengths.size !== 1 || length < 2) return [Object.fromEntries(values)]
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(values.map(([name, list]) => [name, (list as unknown[])[at]])),
  )
}
