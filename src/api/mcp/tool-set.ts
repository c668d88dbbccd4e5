import type { ListToolsResult, Tool } from "@modelcontextprotocol/sdk/types.js"
import { nearest } from "../../base/nearest.ts"
import { findSlug } from "../../catalogue/find.ts"
import { type AnyScraper, briefText, categories } from "../../catalogue/kit/index.ts"
import { tokenBudget } from "./tool-inputs.ts"
import {
  accountTools,
  type HealthOf,
  manageTools,
  metaTools,
  runTools,
  type ToolShape,
  toolOf,
} from "./tools.ts"

/** The endpoint's query parameters (`?tools=`, `?category=`, `?set=meta` …). */
export interface ToolFilter {
  slugs?: string[]
  category?: string
  meta: boolean
  /** Whether to list the tools that create and delete sessions and destinations. */
  manage: boolean
  pageSize: number
  /** Whether tools have output schemas and return structured content. */
  outputSchema: boolean
  /** The server runs locally for the user who started it: there are no accounts. */
  isLocal?: true
  /** Maximum tokens of a response, unless the call sets another limit. */
  maxTokens: number
}

/** An invalid query parameter of the endpoint. */
export class FilterError extends Error {}

/** Maximum scrapers of a list that has complete input schemas. */
const fullSchemas = 20
const maxPage = 1000
const sets: readonly string[] = ["meta", "manage", "all"]

/** Reads the query parameters. @throws FilterError naming the parameter and its valid values */
export function toolFilter(query: URLSearchParams, catalogue: readonly AnyScraper[]): ToolFilter {
  for (const name of query.keys()) refuseUnknown(name)
  const names = listOf(query, "tools")
  const known = names ? catalogue.map((scraper) => scraper.slug) : []
  const slugs = names?.map((name) => knownSlug(name, known))
  const category = query.get("category") ?? undefined
  if (category !== undefined && !(categories as readonly string[]).includes(category)) {
    throw new FilterError(
      `category must be one of ${categories.join(", ")}, not "${briefText(category)}".`,
    )
  }
  const set = query.get("set")
  if (set !== null && !sets.includes(set)) {
    throw new FilterError(`set must be one of ${sets.join(", ")}, not "${briefText(set)}".`)
  }
  const pageSize = integerOf(query, "pageSize", maxPage, { min: 1, max: maxPage })
  const maxTokens = integerOf(query, "maxTokens", tokenBudget.default, tokenBudget)
  const outputSchema = query.get("outputSchema") ?? "false"
  if (outputSchema !== "true" && outputSchema !== "false") {
    throw new FilterError(`outputSchema must be true or false, not "${briefText(outputSchema)}".`)
  }
  return {
    ...(slugs ? { slugs } : {}),
    ...(category ? { category } : {}),
    meta: set === "meta" || set === "manage",
    manage: set === "manage",
    pageSize,
    outputSchema: outputSchema === "true",
    maxTokens,
  }
}

/** @throws FilterError */
function integerOf(
  query: URLSearchParams,
  name: string,
  otherwise: number,
  { min: minimum, max: maximum }: { min: number; max: number },
): number {
  const text = query.get(name)
  const value = Number(text ?? otherwise)
  if (text !== "" && Number.isInteger(value) && value >= minimum && value <= maximum) return value
  throw new FilterError(
    `${name} must be an integer from ${minimum} to ${maximum}, not "${briefText(text!)}".`,
  )
}

/** @throws FilterError */
function knownSlug(name: string, known: readonly string[]): string {
  const match = findSlug(name, known)
  if ("slug" in match) return match.slug
  const near = match.near.map((slug) => `"${slug}"`).join(" or ")
  const hint = near === "" ? "" : ` Did you mean ${near}?`
  throw new FilterError(
    `tools: there is no scraper "${briefText(name)}".${hint} /api/scrape lists all scrapers.`,
  )
}

const parameters = ["tools", "category", "set", "outputSchema", "maxTokens", "pageSize"]

/** Refuses unknown parameters: a misspelt filter would otherwise list every tool. */
function refuseUnknown(name: string): void {
  if (parameters.includes(name)) return
  if (name === "token") {
    throw new FilterError(
      "token: send the API key in the header Authorization: Bearer <API_KEY>, in the client's configuration.",
    )
  }
  const near = nearest(name, parameters)
  const hint = near ? `Did you mean "${near}"?` : `There are ${parameters.join(", ")}.`
  throw new FilterError(`Unknown parameter "${briefText(name)}". ${hint}`)
}

function listOf(query: URLSearchParams, name: string): string[] | undefined {
  const values = query.getAll(name).flatMap((value) => value.split(/[,|]/))
  const named = values.map((value) => value.trim()).filter(Boolean)
  return named.length > 0 ? named : undefined
}

/** The tools of a filter, and their list in the protocol's format. */
export class ToolSet {
  readonly scrapers: readonly AnyScraper[]
  readonly slugs: readonly string[]
  readonly names: readonly string[]
  private readonly tools: Tool[]
  private readonly bySlug = new Map<string, AnyScraper>()

  constructor(
    private readonly catalogue: readonly AnyScraper[],
    readonly filter: ToolFilter,
    readonly healthOf: HealthOf = () => undefined,
    /** Creates a tool. Sets of many callers may share it. */
    makeTool: (scraper: AnyScraper, shape: ToolShape) => Tool = (scraper, shape) =>
      toolOf(scraper, { ...shape, healthOf }),
  ) {
    this.scrapers = catalogue.filter(
      ({ slug, category }) =>
        (!filter.slugs || filter.slugs.includes(slug)) &&
        (!filter.category || filter.category === category),
    )
    this.slugs = this.scrapers.map((scraper) => scraper.slug)
    // Of two with the same slug, the first one counts.
    for (const one of this.scrapers.toReversed()) this.bySlug.set(one.slug, one)
    const isFull = this.scrapers.length <= fullSchemas
    const hasOutput = filter.outputSchema
    const isChosen = filter.slugs !== undefined || filter.category !== undefined
    // Clients that truncate a long list keep its beginning.
    const general = filter.meta || !isChosen ? metaTools(this.scrapers, hasOutput) : []
    const scraperTools = filter.meta
      ? []
      : this.scrapers.map((scraper) => makeTool(scraper, { isFull, hasOutput }))
    const ofRuns = [...runTools(hasOutput), ...(filter.isLocal ? [] : accountTools(hasOutput))]
    if (filter.manage && !filter.isLocal) ofRuns.push(...manageTools(hasOutput))
    this.tools = isChosen
      ? [...general, ...scraperTools, ...ofRuns]
      : [...general, ...ofRuns, ...scraperTools]
    this.names = this.tools.map((tool) => tool.name)
  }

  scraper(slug: string): AnyScraper | undefined {
    return this.bySlug.get(slug)
  }

  /** A scraper by its slug, also one outside the filter, because a run may use it. */
  known(slug: string): AnyScraper | undefined {
    return this.catalogue.find((scraper) => scraper.slug === slug)
  }

  /** Returns the number of tools before a page; undefined for an invalid cursor. */
  startOf(cursor: string | undefined): number | undefined {
    if (cursor === undefined) return 0
    const from = /^(?:0|[1-9]\d{0,5})$/.test(cursor) ? Number(cursor) : -1
    const isStart = from === 0 || (from > 0 && from % this.filter.pageSize === 0)
    return isStart && from < Math.max(1, this.tools.length) ? from : undefined
  }

  page(cursor: string | undefined): ListToolsResult | undefined {
    const from = this.startOf(cursor)
    if (from === undefined) return undefined
    const to = from + this.filter.pageSize
    return {
      tools: this.tools.slice(from, to),
      ...(to < this.tools.length ? { nextCursor: String(to) } : {}),
    }
  }
}
