import { callOf, type Input, type Item, readable } from "../keyless.ts"
import type { CodeSample } from "../snippets.ts"

/** The request of the form on the home page. */
export interface PageCall {
  mode: "markdown" | "fields"
  url: string
  fields: string[]
  /** The selector of rows that have the fields; "" for the whole page. */
  rows: string
  listing: Listing
}

/** The further pages of a list, as the form contains them. */
export interface Listing {
  /** A selector or a URL pattern; "" for none. */
  nextPage: string
  /** The field with the link to the detail page; "" for none. */
  detailLink: string
  /** Lines with the fields of the detail page. */
  detailFields: string
  /** Whether runs fetch the pages with Chrome and read them after their scripts ran. */
  renderScripts: boolean
}

export const fieldLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)

export function pageCall(call: PageCall): CodeSample {
  const { mode, url, fields } = call
  if (mode === "markdown") {
    const path = `/api/scrape?${readable(new URLSearchParams({ url }))}`
    return { path, tool: { name: "url-to-markdown-scraper", input: { urls: [url] } } }
  }
  const input = { urls: [url], ...recipeInput(call) }
  const isPlain = Object.keys(input).length === 2
  const query = new URLSearchParams({ url, fields: fields.join("|") })
  const path = isPlain ? `/api/scrape?${readable(query)}` : callOf("web-scraper", input)
  return { path, tool: { name: "web-scraper", input } }
}

/** Returns the input without URLs, which a recipe stores. */
export function recipeInput({
  fields,
  rows,
  listing,
}: Pick<PageCall, "fields" | "rows" | "listing">): Input {
  const { nextPage, detailLink, detailFields, renderScripts } = listing
  return {
    fields,
    ...(rows && { rows }),
    ...(nextPage.trim() && { nextPage: nextPage.trim() }),
    ...(detailLink && { detail: { link: detailLink, fields: fieldLines(detailFields) } }),
    ...(renderScripts && { renderScripts }),
  }
}

/** Returns the URL of the home page with this request filled in. */
export function urlOf({ mode, url, fields, rows, listing }: PageCall): string {
  const { nextPage, detailLink, detailFields, renderScripts } = listing
  const requested = mode === "fields" && {
    fields: fields.join("|"),
    ...(rows && { rows }),
    ...(nextPage && { nextPage }),
    ...(detailLink && { detailLink, detailFields: fieldLines(detailFields).join("|") }),
    ...(renderScripts && { renderScripts: "true" }),
  }
  return `/?${readable(new URLSearchParams({ url, ...requested }))}`
}

/** Returns the listing of a URL of the home page. */
export const listingIn = (query: URLSearchParams): Listing => ({
  nextPage: query.get("nextPage") ?? "",
  detailLink: query.get("detailLink") ?? "",
  detailFields: query.get("detailFields")?.replaceAll("|", "\n") ?? "",
  renderScripts: query.get("renderScripts") === "true",
})

const wholePage = (url: string) => ({ urls: [url], fields: ["text: body"], includeHtml: true })

/** Returns the call that fetches the HTML of a page for the picker, as a run reads it. */
export function sourceCall(url: string, renderScripts: boolean): CodeSample {
  const input = { ...wholePage(url), ...(renderScripts && { renderScripts }) }
  return { path: callOf("web-scraper", input), tool: { name: "web-scraper", input } }
}

/** Returns the call with which Chrome takes a screenshot of a page for the picker. */
export function screenshotCall(url: string, width: number): CodeSample {
  const screenshot = { fullPage: true, type: "webp", quality: 60, width }
  const input = { ...wholePage(url), includeBoxes: true, screenshot }
  return { path: callOf("web-scraper", input), tool: { name: "web-scraper", input } }
}

/** Returns the rows that recipes of earlier versions store in one item. */
export function listedRows({ extracted }: Item): Item[] {
  const rows = (extracted as { data?: { rows?: unknown } } | undefined)?.data?.rows
  return Array.isArray(rows) ? (rows as Item[]) : []
}

/** Returns the rows of items: one per item, parallel lists as rows, or the single row of the page. */
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
