import { readable } from "./keyless.ts"
import type { ShownCall } from "./snippets.ts"

/** What the box of the front page asks for. */
export interface PageCall {
  mode: "markdown" | "fields"
  url: string
  fields: string[]
}

export const fieldLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)

export function pageCall({ mode, url, fields }: PageCall): ShownCall {
  if (mode === "markdown") {
    const path = `/api/scrape?${readable(new URLSearchParams({ url }))}`
    return { path, tool: { name: "url-to-markdown-scraper", input: { urls: [url] } } }
  }
  const path = `/api/scrape?${readable(new URLSearchParams({ url, fields: fields.join("|") }))}`
  return { path, tool: { name: "web-scraper", input: { urls: [url], fields } } }
}
