import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { messageOf } from "../../base/error-message.ts"
import {
  type AnyScraper,
  briefText,
  categories,
  fetchMethods,
  fetchMethodsOf,
  oneOf,
} from "../../catalogue/kit/index.ts"
import { markedItem, verificationOf, verificationSchema } from "../../catalogue/verification.ts"
import { scrapersFor } from "../../catalogue/which.ts"
import { completeUrl } from "../../extract/links/index.ts"
import { pageCost, unlockerCost } from "../../store/accounts/credits.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid } from "../http/errors.ts"
import { callerSchema } from "../http/json-schema.ts"
import { operation } from "../http/operation.ts"
import { requiredParams } from "../keyless/card.ts"
import { findScraper, type Registry } from "../keyless/modes.ts"
import { ownScrapers } from "../recipes/own-scrapers.ts"
import {
  anyObject,
  cursorListed,
  cursorListOf,
  cursorQuery,
  maybe,
  query,
  responseObject,
} from "../schemas/common.ts"
import { healthDaysSchema, healthInFullSchema, healthSchema } from "../schemas/health.ts"
import { itemOr } from "../schemas/item.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../service-parts.ts"

const costSchema = responseObject({
  creditsPerPage: Type.Integer({ description: "Credits per page fetched for a finished target." }),
  creditsPerUnlockedPage: Type.Integer({
    description: "Additional credits per page fetched by the unlocker.",
  }),
})

const accessSchema = Type.Array(oneOf(fetchMethods), {
  description:
    "Fetch methods of the scraper that this server supports, in the order in which each page tries them: HTTP requests, Chrome, the operator's unlocker.",
})

const summary = {
  slug: Type.String(),
  name: Type.String(),
  tagline: Type.String(),
  category: oneOf(categories),
  tier: oneOf(["free", "premium"]),
  fetchMethods: accessSchema,
  verification: verificationSchema,
  health: healthSchema,
  cost: costSchema,
  requiredParams: Type.Array(Type.String()),
  recipeId: maybe(
    Type.String({ description: "ID of the account's recipe; null for scrapers of the catalogue." }),
  ),
  definitionUrl: Type.String({ format: "uri" }),
  runsUrl: Type.String({ format: "uri", description: "URL for runs: POST the input." }),
}

const summarySchema = responseObject(summary, { $id: "ScraperSummary" })

const definitionSchema = responseObject(
  {
    ...summary,
    health: healthInFullSchema,
    inputSchema: anyObject("JSON Schema of the input."),
    itemSchema: anyObject("JSON Schema of an item, which may be an error item."),
    example: anyObject("A valid example input."),
  },
  { $id: "Scraper" },
)

const paged = cursorQuery("^[a-z0-9-]{1,64}$")

const scraperQuery = query({
  category: Type.Optional(oneOf(categories, { description: "Only this category." })),
  tier: Type.Optional(oneOf(["free", "premium"])),
  search: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        "A need in your words, or the URL of a page: returns scrapers that fit, best first.",
    }),
  ),
  url: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: "URL of a page: returns scrapers made for it, best first.",
    }),
  ),
  ...paged,
  // The list is short: without a limit, it is returned completely.
  limit: Type.Integer({ ...paged.limit, default: 1000 }),
})

export const slugParameter = (service: ScraperParts) =>
  Type.Unsafe<string>({
    type: "string",
    enum: service.catalogue.map((scraper) => scraper.slug),
    description: "Slug of a scraper, or of a recipe of the account.",
  })

/** The catalogue for accounts. */
export function scraperRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      ScraperList: responseSchema(cursorListOf(summarySchema, "ScraperList")),
      Scraper: responseSchema(definitionSchema),
      HealthDays: responseSchema(healthDaysSchema),
    })
    .get(
      "/scrapers",
      async ({ accountId, root, query }) => {
        const { category, tier, search, url, ...page } = query
        const own = await ownScrapers(service, accountId)
        const all = url === undefined ? [...own, ...service.catalogue] : madeFor(service, url, own)
        const fitting = search?.trim()
          ? service.search(own).find(search, { limit: all.length })
          : all
        const matches = fitting.filter(
          (scraper) =>
            all.includes(scraper) &&
            (category === undefined || scraper.category === category) &&
            (tier === undefined || scraper.tier === tier),
        )
        const skipped = page.cursor === undefined ? 0 : indexAfter(matches, page.cursor)
        const start = skipped + page.offset
        const visible = matches.slice(start, start + page.limit)
        const goesOn = start + visible.length < matches.length && visible.length > 0
        return cursorListed(
          { total: matches.length, nextCursor: goesOn ? visible.at(-1)!.slug : null },
          visible.map((scraper) => summaryOf(service, scraper, root)),
          page,
        )
      },
      {
        account: true,
        root: true,
        query: requestSchema.query(scraperQuery),
        response: { 200: "ScraperList" },
        detail: operation({
          id: "listScrapers",
          tag: "Scrapers",
          summary: "List the available scrapers, the account's own first",
          replies: { 200: "The scrapers." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/scrapers/:slug",
      async ({ accountId, root, params }) =>
        definitionOf(service, await scraperOf(service, accountId, params.slug), root),
      {
        account: true,
        root: true,
        params: requestSchema.params({ slug: slugParameter(service) }),
        response: { 200: "Scraper" },
        detail: operation({
          id: "getScraper",
          tag: "Scrapers",
          summary: "Get a scraper's inputs, items and cost",
          replies: { 200: "The definition." },
          refusals: [404],
        }),
      },
    )
    .get("/health", () => healthOfAll(service), {
      account: true,
      response: { 200: "HealthDays" },
      detail: operation({
        id: "listHealthDays",
        tag: "Scrapers",
        summary: "Get the health of all scrapers over the last seven days",
        replies: { 200: "The scrapers with their days." },
      }),
    })
}

function healthOfAll({ catalogue, health }: ScraperParts) {
  const items = catalogue.map(({ slug }) => {
    return { scraper: slug, state: health.of(slug).state, days: health.days(slug) }
  })
  return { items }
}

/** @throws ApiError 400 */
function madeFor(service: ScraperParts, url: string, own: AnyScraper[]): AnyScraper[] {
  const href = completeUrl(url)
  if (href === null) {
    const message = `"url" must be the URL of a page, not "${briefText(url)}".`
    throw invalid([{ field: "url", message, expected: "as https://example.com/page" }], "query")
  }
  const made = scrapersFor(href, own).map(({ scraper }) => scraper)
  return made.filter(({ own, slug }) => own || service.scraper(slug))
}

/** @throws ApiError 400 */
function indexAfter(scrapers: readonly AnyScraper[], cursor: string): number {
  const index = scrapers.findIndex(({ slug }) => slug === cursor)
  if (index >= 0) return index + 1
  const message = `"cursor" must be the \`nextCursor\` of an earlier response to the same request; "${cursor}" is not in this list.`
  throw invalid(
    [{ field: "cursor", message, expected: "the slug of a scraper in this list" }],
    "query",
  )
}

/** Returns a scraper of the catalogue. @throws ApiError 404 with the nearest slugs */
export function knownScraper(registry: Registry, slug: string): AnyScraper {
  try {
    return findScraper(registry, slug)
  } catch (error) {
    throw new ApiError(404, messageOf(error))
  }
}

/**
 * Returns a scraper of the catalogue or the account. @throws ApiError 404 with the nearest slugs
 */
export async function scraperOf(
  service: CoreParts & ScraperParts,
  accountId: string,
  slug: string,
): Promise<AnyScraper> {
  const known = service.scraper(slug)
  if (known) return known
  const own = await ownScrapers(service, accountId)
  return knownScraper(
    {
      slugs: [...service.slugs, ...own.map(({ slug }) => slug)],
      scraper: (slug) => service.scraper(slug) ?? own.find((scraper) => scraper.slug === slug),
    },
    slug,
  )
}

function summaryOf({ health }: ScraperParts, scraper: AnyScraper, root: string) {
  const { slug, name, tagline, category, tier, own } = scraper
  return {
    slug,
    name,
    tagline,
    category,
    tier,
    fetchMethods: [...fetchMethodsOf(scraper)],
    verification: verificationOf(scraper),
    health: health.of((own?.scraper ?? scraper).slug),
    cost: { creditsPerPage: pageCost[scraper.tier], creditsPerUnlockedPage: unlockerCost },
    requiredParams: requiredParams(scraper),
    recipeId: own?.id ?? null,
    definitionUrl: `${root}/api/v1/scrapers/${slug}`,
    runsUrl: `${root}/api/v1/scrapers/${slug}/runs`,
  }
}

function definitionOf(service: ScraperParts, scraper: AnyScraper, root: string) {
  return {
    ...summaryOf(service, scraper, root),
    health: service.health.inFull((scraper.own?.scraper ?? scraper).slug),
    inputSchema: callerSchema(scraper.input),
    itemSchema: itemOr(markedItem(scraper)),
    example: scraper.example,
  }
}
