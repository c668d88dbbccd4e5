import type { AnyScraper } from "../../catalogue/kit/index.ts"

/** A scraper with one parameter at its own URL. */
export interface FixedTool {
  id: string
  aliases: readonly string[]
  parameter: string
  description: string
  slug: string
  /** The input field that the parameter sets. */
  field: string
}

export const fixedTools: readonly FixedTool[] = [
  {
    id: "google-maps-scraper",
    aliases: ["google-maps"],
    parameter: "q",
    description: "search words for places",
    slug: "google-maps-scraper",
    field: "queries",
  },
  {
    id: "email-scraper",
    aliases: ["email"],
    parameter: "url",
    description: "URL of the website to extract contacts from",
    slug: "contact-info-extractor",
    field: "websites",
  },
  {
    id: "google-search-scraper",
    aliases: ["google-search"],
    parameter: "q",
    description: "search query",
    slug: "google-search-scraper",
    field: "queries",
  },
  {
    id: "amazon-scraper",
    aliases: ["amazon"],
    parameter: "asin",
    description: "product URL or product ID",
    slug: "amazon-product-scraper",
    field: "products",
  },
  {
    id: "amazon-reviews",
    aliases: [],
    parameter: "asin",
    description: "product URL or product ID",
    slug: "amazon-reviews-scraper",
    field: "products",
  },
  {
    id: "instagram-scraper",
    aliases: ["instagram"],
    parameter: "username",
    description: "profile username",
    slug: "instagram-profile-scraper",
    field: "usernames",
  },
  {
    id: "youtube-scraper",
    aliases: ["youtube"],
    parameter: "url",
    description: "video URL",
    slug: "youtube-video-metadata",
    field: "videos",
  },
  {
    id: "whois-lookup",
    aliases: ["whois"],
    parameter: "domain",
    description: "domain name",
    slug: "whois-rdap-scraper",
    field: "domains",
  },
  {
    id: "url-to-markdown",
    aliases: ["markdown"],
    parameter: "url",
    description: "URL of the page to convert",
    slug: "url-to-markdown-scraper",
    field: "urls",
  },
  {
    id: "meta-tag-checker",
    aliases: ["meta-tags"],
    parameter: "url",
    description: "URL of the page to check",
    slug: "meta-tags-scraper",
    field: "urls",
  },
  {
    id: "sitemap-extractor",
    aliases: ["sitemap"],
    parameter: "url",
    description: "sitemap URL",
    slug: "sitemap-extractor",
    field: "url",
  },
]

const byName = new Map(
  fixedTools.flatMap((tool) => [tool.id, ...tool.aliases].map((name) => [name, tool] as const)),
)

export const fixedToolNames: readonly string[] = [...byName.keys()]

export function fixedTool(name: string): FixedTool | undefined {
  return byName.get(name)
}

/** Returns the scraper's input for a tool's value. */
export function toolInput(tool: FixedTool, scraper: AnyScraper, value: string) {
  const isList = scraper.input.properties[tool.field]?.type === "array"
  return { [tool.field]: isList ? [value] : value }
}

/** A valid value from the scraper's example. */
export function toolExample(tool: FixedTool, scraper: AnyScraper): string {
  const value: unknown = (scraper.example as Record<string, unknown>)[tool.field]
  return String(Array.isArray(value) ? value[0] : value)
}
