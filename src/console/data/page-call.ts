import { callOf, type Input, type Item, readable } from "./keyless.ts"
import type { CodeSample } from "./snippets.ts"

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

export function pageCall({ mode, url, fields, rows }: PageCall): CodeSample {
  if (mode === "markdown") {
    const path = `/api/scrape?${readable(new URLSearchParams({ url }))}`
    return { path, tool: { name: "url-to-markdown-scraper", input: { urls: [url] } } }
  }
  const input = fieldsInput(url, fields, rows)
  if (rows) return { path: callOf("web-scraper", input), tool: { name: "web-scraper", input } }
  const path = `/api/scrape?${readable(new URLSearchParams({ url, fields: fields.join("|") }))}`
  return { path, tool: { name: "web-scraper", input } }
}

/** What the scraper for any page is given. */
const fieldsInput = (url: string, fields: string[], rows: string): Input => ({
  urls: [url],
  fields,
  ...(rows && { rows }),
})

/** The same for whatever page: what a recipe keeps. */
export function recipeInput({ fields, rows }: Pick<PageCall, "fields" | "rows">): Input {
  const { urls: _, ...input } = fieldsInput("", fields, rows)
  return input
}

/** The address of the front page at which this call is filled in. */
export function addressOf({ mode, url, fields, rows }: PageCall): string {
  const requested = mode === "fields" && { fields: fields.join("|"), ...(rows && { rows }) }
  return `/?${readable(new URLSearchParams({ url, ...requested }))}`
}

/** By which the page itself comes, to be pointed at: of one that draws itself, as it is drawn. */
export function sourceCall(url: string): CodeSample {
  const input = { urls: [url], fields: ["text: body"], includeHtml: true }
  return { path: callOf("web-scraper", input), tool: { name: "web-scraper", input } }
}

/** The rows that recipes of earlier versions keep in one item. */
export function listedRows({ extracted }: Item): Item[] {
  const rows = (extracted as { data?: { rows?: unknown } } | undefined)?.data?.rows
  return Array.isArray(rows) ? (rows as Item[]) : []
}

/** What fields came to: an item each row, or lists that go together, else the page's one row. */
export function rowsIn(items: Item[]): Item[] {
  const [item] = items
  if (!item) return []
  const listed = listedRows(item)
  if (listed.length > 0) return listed
  if (items.length > 1) return items.flatMap(({ data }) => (data ? [data as Item] : []))
  const { data } = item
  const values = Object.entries((data ?? {}) as Item)
  const lengths = new Set(values.map(([, value]) => (Array.isArray(value) ? value.length : 0)))
  const [length = 0] = lengths
  if (lengths.size !== 1 || length < 2) return [Object.fromEntries(values)]
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(values.map(([name, list]) => [name, (list as unknown[])[at]])),
  )
}
