import { type Static, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { briefText, oneOf, ScrapeError, toPageUrl } from "../../catalogue/kit/index.ts"
import { itemBodies } from "../../store/runs/items.ts"
import { runStatuses } from "../../store/tables/run-status.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { invalid } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { addCallFacts } from "../log/call-facts.ts"
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

/** Maximum seconds of the call. A map takes less, but its run may wait for others. */
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
        "Words in any order: only URLs that contain one, or whose title does, best matches first.",
    }),
  ),
  limit: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: 5000,
    description: "Maximum URLs to return.",
  }),
  includeSubdomains: Type.Boolean({
    default: false,
    description: "Includes URLs of the site's other subdomains.",
  }),
})

const { error, creditsCharged, statusUrl, datasetItemsUrl } = runSchema.properties

const linkSchema = responseObject({
  url: Type.String(),
  title: maybe(Type.String({ description: "Title; null if no source states it." })),
  lastmod: maybe(Type.String({ description: "Last change." })),
  source: oneOf(["sitemap", "feed", "page"], {
    description: "Kind of the source that contains the URL.",
  }),
  sourceUrl: Type.String({ description: "URL of the file or page that contains the URL." }),
})

const mapSchema = responseObject(
  {
    url: Type.String({ description: "Requested URL." }),
    status: oneOf(runStatuses, {
      description: "Status of the run; `running` if its dataset will have more URLs later.",
    }),
    complete: Type.Boolean({
      description: "Whether the run has finished and all sources were read.",
    }),
    count: Type.Integer({ description: "Number of URLs in the response." }),
    links: Type.Array(linkSchema),
    missing: Type.Array(
      responseObject({ url: maybe(Type.String()), code: Type.String(), message: Type.String() }),
      { description: "Sources that could not be read, or not in time." },
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

/** The URLs of a site in one call. */
export function mapRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ SiteMap: responseSchema(mapSchema) })
    .get(
      "/map",
      async ({ accountId, keyId, root, call, request, query: requested }) => {
        const { url, search, limit, includeSubdomains } = requested
        requireUrl(url)
        const scraper = knownScraper(service, "sitemap-extractor")
        const words = search?.trim() ? { search } : {}
        const input = { url, maxUrls: limit, mode: "map", includeSubdomains, ...words }
        const start = { scraper, input, accountId, keyId, origin: "api" as const, timeoutSeconds }
        // The call waits for the run.
        const priority = "interactive"
        const run = await startPaid(service, { ...start, priority })
        addCallFacts(request, { run: run.id })
        return responseOf(service, await waited(service, call, run, waitSeconds), url, root)
      },
      {
        account: true,
        runner: true,
        root: true,
        call: true,
        query: requestSchema.query(mapQuery),
        response: { 200: "SiteMap" },
        detail: operation({
          id: "mapSite",
          tag: "Scrape",
          summary: "Get the URLs and titles of a site within seconds",
          description:
            "Reads robots.txt, sitemaps, feeds and the home page, and some linked pages if there is no sitemap. It takes about eight seconds; `missing` lists what was not read. It is a run of `sitemap-extractor` with `mode: map`, charged by the page. The HTTP status is 200 whatever the outcome: read `status`.",
          replies: {
            200: {
              description: "The URLs: in the site's order, or best matches first.",
              example: mapExample,
            },
          },
          refusals: [400, 402, 403, 503],
        }),
      },
    )
}

/** @throws ApiError 400 */
function requireUrl(url: string): void {
  try {
    toPageUrl(url)
  } catch (error) {
    if (!(error instanceof ScrapeError)) throw error
    const expected = "a domain or the URL of a page, for example example.com"
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
  const runFields = { runId: id, creditsCharged, statusUrl, datasetItemsUrl }
  return { url, status, complete, count, links, missing, error, ...runFields }
}

interface MapItem {
  url: string
  title: string | null
  lastmod: string | null
  sitemapUrl: string
  sitemapType: string
  parentSitemapUrl: string | null
}

/** The scraper may have been replaced by one with other items. */
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
