import type { ListToolsResult, Tool } from "@modelcontextprotocol/sdk/types.js"
import { nearest } from "../../base/nearest.ts"
import { findSlug } from "../../catalogue/find.ts"
import { type AnyScraper, briefText, categories } from "../../catalogue/kit/index.ts"
import { type HealthOf, metaTools, toolOf } from "./tools.ts"

/** What the address of the endpoint asks for (`?tools=`, `?category=`, `?set=meta`, `?pageSize=`). */
export interface ToolFilter {
  slugs?: string[]
  category?: string
  meta: boolean
  pageSize: number
}

/** A parameter of the endpoint's address that cannot be used. */
export class FilterError extends Error {}

/** Lists of at most so many tools carry the whole item schemas. */
const fullSchemas = 20
const largestPage = 1000

/** @throws FilterError naming the parameter and what is known */
export function toolFilter(query: URLSearchParams, catalogue: readonly AnyScraper[]): ToolFilter {
  for (const name of query.keys()) refuseUnknown(name)
  const known = catalogue.map((scraper) => scraper.slug)
  const slugs = listOf(query, "tools")?.map((name) => knownSlug(name, known))
  const category = query.get("category") ?? undefined
  if (category !== undefined && !(categories as readonly string[]).includes(category)) {
    throw new FilterError(`category: "${briefText(category)}" is none of ${categories.join(", ")}.`)
  }
  const set = query.get("set")
  if (set !== null && set !== "meta" && set !== "all") {
    throw new FilterError(`set: "${briefText(set)}" is neither meta nor all.`)
  }
  const pageSize = Number(query.get("pageSize") ?? largestPage)
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > largestPage) {
    throw new FilterError(`pageSize: must be an integer from 1 to ${largestPage}.`)
  }
  return {
    ...(slugs ? { slugs } : {}),
    ...(category ? { category } : {}),
    meta: set === "meta",
    pageSize,
  }
}

/** @throws FilterError */
function knownSlug(name: string, known: readonly string[]): string {
  const found = findSlug(name, known)
  if ("slug" in found) return found.slug
  const near = found.near.map((slug) => `"${slug}"`).join(" or ")
  const hint = near === "" ? "" : ` Did you mean ${near}?`
  throw new FilterError(`tools: there is no scraper "${briefText(name)}".${hint}`)
}

const parameters = ["tools", "category", "set", "pageSize"]

/** A misspelt filter would otherwise list every tool. */
function refuseUnknown(name: string): void {
  if (parameters.includes(name)) return
  if (name === "token") {
    throw new FilterError(
      "token: a key is given in the header Authorization: Bearer <API_KEY>, in the client's configuration.",
    )
  }
  const near = nearest(name, parameters)
  const hint = near ? `Did you mean "${near}"?` : `There are ${parameters.join(", ")}.`
  throw new FilterError(`There is no parameter "${briefText(name)}". ${hint}`)
}

function listOf(query: URLSearchParams, name: string): string[] | undefined {
  const values = query.getAll(name).flatMap((value) => value.split(/[,|]/))
  const named = values.map((value) => value.trim()).filter(Boolean)
  return named.length > 0 ? named : undefined
}

/** The tools that one filter leaves, and their list as it goes over the wire. */
export class ToolSet {
  readonly scrapers: readonly AnyScraper[]
  private readonly tools: Tool[]
  private readonly pages = new Map<string, Uint8Array>()

  constructor(
    catalogue: readonly AnyScraper[],
    readonly filter: ToolFilter,
    readonly healthOf: HealthOf = () => undefined,
  ) {
    this.scrapers = catalogue.filter(
      ({ slug, category }) =>
        (!filter.slugs || filter.slugs.includes(slug)) &&
        (!filter.category || filter.category === category),
    )
    const full = this.scrapers.length <= fullSchemas
    this.tools = filter.meta
      ? metaTools(this.scrapers)
      : this.scrapers.map((scraper) => toolOf(scraper, full, healthOf))
  }

  scraper(slug: string): AnyScraper | undefined {
    return this.scrapers.find((one) => one.slug === slug)
  }

  /** One page; the cursor is the number of tools before it. Undefined for a cursor of nobody. */
  page(cursor: string | undefined): ListToolsResult | undefined {
    const from = cursor === undefined ? 0 : Number(cursor)
    if (!Number.isInteger(from) || from < 0 || (from > 0 && from >= this.tools.length))
      return undefined
    const to = from + this.filter.pageSize
    return {
      tools: this.tools.slice(from, to),
      ...(to < this.tools.length ? { nextCursor: String(to) } : {}),
    }
  }

  /** The same as prepared JSON: the list is asked for by every client at every start. */
  pageBytes(cursor: string | undefined): Uint8Array | undefined {
    const key = cursor ?? ""
    const known = this.pages.get(key)
    if (known) return known
    const page = this.page(cursor)
    if (!page) return undefined
    const bytes = new TextEncoder().encode(JSON.stringify(page))
    this.pages.set(key, bytes)
    return bytes
  }
}
