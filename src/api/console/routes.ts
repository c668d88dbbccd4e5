import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { type AnyScraper, briefText, categories, oneOf } from "../../catalogue/kit/index.ts"
import { scrapersFor } from "../../catalogue/which.ts"
import { routes } from "../../console/routing/routes.ts"
import { publicPushKey, pushKeyOf } from "../../engine/ops/notifications/push.ts"
import { nextRuns } from "../../engine/runtime/schedules/due-times.ts"
import { countCall, signedIn } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { tokensOf } from "../items/tokens.ts"
import { FilterError, type ToolFilter, ToolSet, toolFilter } from "../mcp/tool-set.ts"
import { ownScrapers, scraperFor } from "../recipes/own-scrapers.ts"
import { query } from "../schemas/common.ts"
import type { Call } from "../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  OperationParts,
  ScraperParts,
  SignUpParts,
} from "../service-parts.ts"
import { checkedNext } from "../v1/schedules.ts"
import { knownScraper, scraperOf } from "../v1/scrapers.ts"
import { consoleAssets } from "./assets.ts"
import { type Image, Images } from "./images.ts"
import { consolePage } from "./page.ts"
import { pickedFields } from "./picked-fields.ts"
import { briefOf, definitionFor } from "./scraper-view.ts"

const hidden = { detail: { hide: true } }

const whichQuery = query({
  url: Type.String({ maxLength: 2000, description: "URL of a page." }),
})

const findQuery = query({
  text: Type.String({ maxLength: 2000, description: "The need typed so far." }),
})

const timesQuery = query({
  cron: Type.String({ minLength: 1, maxLength: 200 }),
  timeZone: Type.String({ maxLength: 100 }),
})
const visibleTimes = 5

/** The parameters of the MCP endpoint. */
const toolsQuery = query({
  set: Type.Optional(oneOf(["meta", "all"])),
  category: Type.Optional(oneOf(categories)),
  tools: Type.Optional(Type.String({ maxLength: 5000, description: "Comma-separated slugs." })),
})

/** @throws ApiError 400 */
function filterOf(
  { catalogue }: ScraperParts,
  requested: Record<string, string | undefined>,
): ToolFilter {
  const provided = Object.entries(requested).filter((pair): pair is [string, string] =>
    Boolean(pair[1]),
  )
  try {
    return toolFilter(new URLSearchParams(provided), catalogue)
  } catch (error) {
    if (error instanceof FilterError) throw new ApiError(400, error.message)
    throw error
  }
}

const imageQuery = query({
  url: Type.String({
    pattern: "^https?://",
    maxLength: 4000,
    description: "URL of an item's image.",
  }),
})

const imageHeaders = ({ type }: Image) => ({
  "content-type": type,
  "cache-control": "private, max-age=86400",
})

/** An empty response instead of an error, because browsers log errors of missing images. */
const missing = () =>
  new Response(null, { status: 204, headers: { "cache-control": "private, max-age=60" } })

/**
 * Screens with their own routes: the home page, scrapers, which return 404 if unknown, and the search,
 * which has the path of SearXNG's API.
 */
const ownRoutes: readonly string[] = ["/", "/scrapers/:id", "/search"]

/** The pages of all other screens. A screen shows whether its run or dataset exists, only to its account. */
function screens(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & ScraperParts,
  plain: (path: string) => string,
): AnyElysia {
  const app = new Elysia().use(callContext(service))
  for (const { path, json } of routes) {
    if (ownRoutes.includes(path)) continue
    app.get(
      path,
      ({ call, params }) => {
        const { id = "" } = (params ?? {}) as { id?: string }
        return consolePage(service, call, {
          plain: plain(json.replace(":id", encodeURIComponent(id))),
        })
      },
      { call: true, ...hidden },
    )
  }
  return app
}

/** The page of the console's search. */
export async function searchScreen(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & ScraperParts,
  call: Call,
): Promise<Response> {
  await countCall(service, call)
  const { base } = service
  const form = `<h1>Search</h1><form action="${base}/api/search"><label for="q">Search words</label> <input id="q" name="q" type="search" required><input type="hidden" name="format" value="md"> <button>Search</button></form>`
  return consolePage(service, call, { plain: form, headers: { vary: "accept" } })
}

/** The signed-in account's own scrapers. */
async function ownOf(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
  call: Call,
): Promise<AnyScraper[]> {
  const account = await signedIn(service, call)
  return account ? ownScrapers(service, account.id) : []
}

/** The console's screens, and the data that only they request. */
export function consoleRoutes(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & ScraperParts & OperationParts,
): AnyElysia {
  const { base } = service
  const images = new Images(service.config, service.hostRateLimits)
  const plain = (path: string) =>
    `<h1>Trawl</h1><p>This screen needs JavaScript. Its data is available as JSON at <a href="${base}${path}">${path}</a>; <a href="${base}/">the home page</a> works without.</p>`
  return new Elysia()
    .use(callContext(service))
    .onBeforeHandle(({ request, set, server }) => countCall(service, { request, set, server }))
    .use(screens(service, plain))
    .get(
      "/scrapers/:id",
      async ({ call, params: { id: slug } }) => {
        const account = service.scraper(slug) ? undefined : await signedIn(service, call)
        const known = account ? await scraperFor(service, account.id, slug) : service.scraper(slug)
        const path = known?.own
          ? `/api/v1/scrapers/${slug}`
          : known
            ? `/api/scrape/${slug}`
            : "/api/scrape"
        return consolePage(service, call, { plain: plain(path), status: known ? 200 : 404 })
      },
      { call: true, ...hidden },
    )
    .get(
      "/console/catalogue",
      async ({ call }) => {
        const own = await ownOf(service, call)
        const all = [...own, ...service.catalogue]
        return { scrapers: all.map((scraper) => briefOf(service, scraper)) }
      },
      { call: true, ...hidden },
    )
    .get(
      "/console/scrapers/:slug",
      async ({ call, params }) => {
        const account = await signedIn(service, call)
        const scraper = account
          ? await scraperOf(service, account.id, params.slug)
          : knownScraper(service, params.slug)
        return definitionFor(service, scraper)
      },
      { call: true, ...hidden },
    )
    .get(
      "/console/tools",
      ({ query: requested }) => {
        const tools = new ToolSet(service.catalogue, filterOf(service, requested))
        const list = JSON.stringify(tools.page(undefined))
        return { tools: tools.names.length, tokens: tokensOf(list) }
      },
      { query: requestSchema.query(toolsQuery), ...hidden },
    )
    .get(
      "/console/times",
      ({ query: { cron, timeZone } }) => {
        checkedNext(cron, timeZone)
        return { times: nextRuns(cron, timeZone, new Date(), visibleTimes) }
      },
      { query: requestSchema.query(timesQuery), ...hidden },
    )
    .get(
      "/console/which",
      async ({ call, query: { url } }) => {
        const href = /^https?:\/\//i.test(url) ? url : `https://${url}`
        if (!URL.canParse(href)) return { scrapers: [] }
        const made = scrapersFor(href, await ownOf(service, call)).filter(
          ({ scraper }) => scraper.own || scraper.category !== "web",
        )
        return {
          scrapers: made.map(({ scraper, input }) => ({
            ...briefOf(service, scraper),
            ...(input && { input }),
          })),
        }
      },
      { call: true, query: requestSchema.query(whichQuery), ...hidden },
    )
    .get(
      "/console/find",
      async ({ call, query: { text } }) => {
        const own = await ownOf(service, call)
        const options = { limit: service.catalogue.length, isTyped: true }
        const result = service.search(own).find(text, options)
        return { slugs: result.map(({ slug }) => slug) }
      },
      { call: true, query: requestSchema.query(findQuery), ...hidden },
    )
    .get(
      "/console/picture",
      async ({ call, request, query: { url } }) => {
        const account = await signedIn(service, call)
        if (!account) throw new ApiError(401, "Sign in to see images.")
        const image = await images.of(url, account.id, request.signal)
        return image ? new Response(image.bytes, { headers: imageHeaders(image) }) : missing()
      },
      { call: true, query: requestSchema.query(imageQuery), ...hidden },
    )
    .get(
      "/console/push-key",
      async ({ call }) => {
        if (!(await signedIn(service, call))) throw new ApiError(401, "Sign in to add a browser.")
        return { publicKey: publicPushKey(pushKeyOf(service.store.secrets)) }
      },
      { call: true, ...hidden },
    )
    .post(
      "/console/fields",
      async ({ call, request }) => {
        const account = await signedIn(service, call)
        const tenant = account
          ? { id: account.id }
          : { id: "keyless", member: service.callerKey(call) }
        return pickedFields(request, tenant)
      },
      { call: true, parse: "none", ...hidden },
    )
    .get(
      "/console/:file",
      async ({ request, params }) => {
        const asset = Object.values(await consoleAssets()).find(({ name }) => name === params.file)
        if (!asset)
          throw new ApiError(
            404,
            `There is no file "${briefText(params.file)}" in this version. Reload the page.`,
          )
        const headers = { "content-type": asset.type, "cache-control": asset.caching }
        return asset.file.response(request, headers)
      },
      hidden,
    )
}
