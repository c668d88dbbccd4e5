import { type Static, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { briefText, oneOf, pageAddress, ScrapeError } from "../../catalogue/kit/index.ts"
import { itemBodies } from "../../store/runs/items.ts"
import { runStatuses } from "../../store/tables/run-status.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { invalid } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { tellOfCall } from "../log/call-facts.ts"
import { maybe, query, responseObject } from "../schemas/common.ts"
import { runResponse, runSchema } from "../schemas/run.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import { knownScraper } from "./scrapers.ts"
import { startPaid, waited } from "./start-runs.ts"

/** A map takes less, but its run may have to wait for others. */
const waitSeconds = 20
const timeoutSeconds = 60

const mapQuery = query({
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: "A domain, a page of the site, or its sitemap.",
  }),
  search: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        "Words, in any order: only addresses that hold one in themselves or their title, those with the most first.",
    }),
  ),
  limit: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: 5000,
    description: "Addresses of the answer.",
  }),
  includeSubdomains: Type.Boolean({
    default: false,
    description: "Also the addresses of the site's other subdomains.",
  }),
})

const { error, creditsCharged, statusUrl, datasetItemsUrl } = runSchema.properties

const linkSchema = responseObject({
  url: Type.String(),
  title: maybe(Type.String({ description: "Null if no source states it." })),
  lastmod: maybe(Type.String({ description: "Last change." })),
  source: oneOf(["sitemap", "feed", "page"], { description: "What names the address." }),
  sourceUrl: Type.String({ description: "The file or page that names it." }),
})

const mapSchema = responseObject(
  {
    url: Type.String({ description: "As asked for." }),
    status: oneOf(runStatuses, {
      description: "Of the run; `running` where the rest comes later, in its dataset.",
    }),
    complete: Type.Boolean({ description: "It has ended, and nothing of it is missing." }),
    count: Type.Integer({ description: "Addresses of the answer." }),
    links: Type.Array(linkSchema),
    missing: Type.Array(
      responseObject({ url: maybe(Type.String()), code: Type.String(), message: Type.String() }),
      { description: "What could not be read, or not within the time." },
    ),
    error,
    runId: Type.String({ description: "`run_…`" }),
    creditsCharged,
    statusUrl,
    datasetItemsUrl,
  },
  { $id: "SiteMap" },
)
type SiteMap = Static<typeof mapSchema>

/** A site's addresses in one call. */
export function mapRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ SiteMap: gives(mapSchema) })
    .get(
      "/map",
      async ({ accountId, keyId, root, call, request, query: requested }) => {
        const { url, search, limit, includeSubdomains } = requested
        requireAddress(url)
        const scraper = knownScraper(service, "sitemap-extractor")
        const words = search?.trim() ? { search } : {}
        const input = { url, maxUrls: limit, mode: "map", includeSubdomains, ...words }
        const start = { scraper, input, accountId, keyId, origin: "api" as const, timeoutSeconds }
        // The call waits for it.
        const priority = "interactive"
        const run = await startPaid(service, { ...start, priority })
        tellOfCall(request, { run: run.id })
        return responseOf(service, await waited(service, call, run, waitSeconds), url, root)
      },
      {
        account: true,
        runner: true,
        root: true,
        call: true,
        query: takes.query(mapQuery),
        response: { 200: "SiteMap" },
        detail: operation({
          id: "mapSite",
          tag: "Scrape",
          summary: "A site's addresses and titles within seconds",
          description:
            "Reads robots.txt, sitemaps, feeds and the home page, and some linked pages if there is no sitemap. It takes about eight seconds; `missing` lists what was not read. It is a run of `sitemap-extractor` with `mode: map`, charged by the page. The HTTP status is 200 whatever the outcome: read `status`.",
          replies: {
            200: {
              description: "The addresses: the site's own order, or the best hits first.",
              example: mapExample,
            },
          },
          refusals: [400, 402, 403, 503],
        }),
      },
    )
}

/** @throws ApiError 400 */
function requireAddress(url: string): void {
  try {
    pageAddress(url)
  } catch (error) {
    if (!(error instanceof ScrapeError)) throw error
    const expected = "a domain or the address of a page, such as example.com"
    const actual = briefText(url)
    const message = `"url" must be ${expected}, not "${actual}".`
    throw invalid([{ field: "url", message, expected, actual }], "query")
  }
}

async function responseOf(
  { store }: CoreParts,
  run: RunRow,
  url: string,
  root: string,
): Promise<SiteMap> {
  const links: SiteMap["links"] = []
  const missing: SiteMap["missing"] = []
  for await (const body of itemBodies(store.db, run.n)) {
    const item = JSON.parse(body)
    if (item.error) missing.push({ url: item.url ?? null, ...item.error })
    else if (isMapItem(item)) links.push(linkOf(item))
  }
  const { id, status, error, creditsCharged, statusUrl, datasetItemsUrl } = runResponse(run, root)
  const complete = status === "succeeded" && missing.length === 0
  const count = links.length
  const place = { runId: id, creditsCharged, statusUrl, datasetItemsUrl }
  return { url, status, complete, count, links, missing, error, ...place }
}

interface MapItem {
  url: string
  title: string | null
  lastmod: string | null
  sitemapUrl: string
  sitemapType: string
  parentSitemapUrl: string | null
}

/** A scraper in the place of ours may give anything. */
const isMapItem = (item: Partial<MapItem>): item is MapItem =>
  [item.url, item.sitemapUrl].every((text) => typeof text === "string") &&
  [item.title, item.lastmod].every((text) => text === null || typeof text === "string")

function linkOf(item: MapItem): SiteMap["links"][number] {
  const { url, title, lastmod, sitemapUrl, sitemapType, parentSitemapUrl } = item
  const isFeed = ["rss", "atom", "json"].includes(sitemapType) && parentSitemapUrl === null
  const source = sitemapType === "page" ? "page" : isFeed ? "feed" : "sitemap"
  return { url, title, lastmod, source, sourceUrl: sitemapUrl }
}

const mapExample: SiteMap = {
  url: "example.com",
  status: "succeeded",
  complete: true,
  count: 1,
  links: [
    {
      url: "https://example.com/prices",
      title: "Prices",
      lastmod: "2026-01-31",
      source: "sitemap",
      sourceUrl: "https://example.com/sitemap.xml",
    },
  ],
  missing: [],
  error: null,
  runId: "run_0198c0ffee7a7b3c9d4e5f6a7b8c9d0e",
  creditsCharged: 4,
  statusUrl: "http://127.0.0.1:8080/api/v1/runs/run_0198c0ffee7a7b3c9d4e5f6a7b8c9d0e",
  datasetItemsUrl:
    "http://127.0.0.1:8080/api/v1/datasets/ds_0198c0ffee7a7b3c9d4e5f6a7b8c9d0f/items",
}
