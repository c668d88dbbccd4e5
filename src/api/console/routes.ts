import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { scrapersFor } from "../../catalogue/which.ts"
import { callContext } from "../http/context.ts"
import { takes } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { query } from "../schemas/common.ts"
import type { Service } from "../service.ts"
import { knownScraper } from "../v1/scrapers.ts"
import { consoleAssets } from "./assets.ts"
import { consolePage } from "./page.ts"
import { briefOf, definitionFor } from "./shown-scraper.ts"

const lasting = "public, max-age=31536000, immutable"
const hidden = { detail: { hide: true } }

const whichQuery = query({
  url: Type.String({ maxLength: 2000, description: "Address of a page." }),
})

/** Screens for people, and what only they ask for. */
export function consoleRoutes(service: Service): AnyElysia {
  const { base } = service
  const plain = (path: string) =>
    `<h1>Trawl</h1><p>This screen needs scripts. What it shows is JSON at <a href="${base}${path}">${path}</a>; <a href="${base}/">the front page</a> works without.</p>`
  return new Elysia()
    .use(callContext(service))
    .get("/scrapers", ({ call }) => consolePage(service, call, { plain: plain("/api/scrape") }), {
      call: true,
      ...hidden,
    })
    .get("/runs", ({ call }) => consolePage(service, call, { plain: plain("/api/v1/runs") }), {
      call: true,
      ...hidden,
    })
    .get(
      "/runs/:runId",
      // Whether there is such a run, only its account is told: by the screen.
      ({ call, params: { runId } }) =>
        consolePage(service, call, { plain: plain(`/api/v1/runs/${encodeURIComponent(runId)}`) }),
      { call: true, ...hidden },
    )
    .get(
      "/scrapers/:slug",
      ({ call, params: { slug } }) => {
        const known = service.scraper(slug)
        const path = known ? `/api/scrape/${slug}` : "/api/scrape"
        return consolePage(service, call, { plain: plain(path), status: known ? 200 : 404 })
      },
      { call: true, ...hidden },
    )
    .get(
      "/console/catalogue",
      () => ({ scrapers: service.catalogue.map((scraper) => briefOf(service, scraper)) }),
      hidden,
    )
    .get(
      "/console/scrapers/:slug",
      ({ params }) => definitionFor(service, knownScraper(service, params.slug)),
      hidden,
    )
    .get(
      "/console/which",
      ({ query: { url } }) => {
        const address = /^https?:\/\//i.test(url) ? url : `https://${url}`
        if (!URL.canParse(address)) return { scrapers: [] }
        const made = scrapersFor(address).filter(({ scraper }) => scraper.category !== "web")
        return {
          scrapers: made.map(({ scraper, input }) => ({
            ...briefOf(service, scraper),
            ...(input && { input }),
          })),
        }
      },
      { query: takes.query(whichQuery), ...hidden },
    )
    .get(
      "/console/:file",
      async ({ request, params }) => {
        const asset = Object.values(await consoleAssets()).find(({ name }) => name === params.file)
        if (!asset) throw new ApiError(404, "There is no such file; load the page anew.")
        const headers = { "content-type": asset.type, "cache-control": lasting }
        return asset.file.response(request, headers)
      },
      hidden,
    )
}
