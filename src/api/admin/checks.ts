import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import {
  categories,
  type FetchMethod,
  fetchMethods,
  fetchMethodsOf,
  oneOf,
} from "../../catalogue/kit/index.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { anyObject, maybe, responseObject } from "../schemas/common.ts"
import { healthInFullSchema } from "../schemas/health.ts"
import type { AccessParts, ClientParts, OperationParts, ScraperParts } from "../service-parts.ts"
import { knownScraper, slugParameter } from "../v1/scrapers.ts"
import { adminPrefix } from "./prefix.ts"

const requestedSchema = Type.Object(
  {
    scrapers: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 1000,
        description: "Slugs of the scrapers. Default: all.",
      }),
    ),
    category: Type.Optional(oneOf(categories)),
    fetchMethod: Type.Optional(
      oneOf(fetchMethods, { description: "Tests only this fetch method." }),
    ),
    unlocker: Type.Optional(
      Type.Boolean({
        description: "Also tests the unlocker, which may cost money. Default: false.",
      }),
    ),
  },
  { additionalProperties: false },
)

const pendingSchema = responseObject(
  {
    pending: Type.Array(
      responseObject({
        scraper: Type.String(),
        fetchMethod: maybe(
          oneOf(fetchMethods, {
            description: "Fetch method that is tested; null for all of them, one after the other.",
          }),
        ),
        unlocker: Type.Boolean(),
      }),
      { description: "The running check, then the queued ones in order." },
    ),
  },
  { $id: "AdminChecks" },
)

const figures = anyObject(
  "`targets`, succeeded targets (`good`), `items`, `errors` by class, `codes`, `medianMs` per target, and `fieldShares`: the share of items in which each field has a value.",
)
const trafficSchema = responseObject(
  {
    health: healthInFullSchema,
    drifted: Type.Array(Type.String(), {
      description: "Fields that are filled in far fewer items than in the week before.",
    }),
    traffic: Type.Array(
      responseObject({
        fetchMethod: oneOf(fetchMethods),
        hour: figures,
        day: figures,
        week: figures,
      }),
      { description: "Results of users' runs, by fetch method." },
    ),
  },
  { $id: "AdminScraperHealth" },
)

/** Scraper health: health probes, and the results of users' runs. */
export function checkAdminRoutes(
  service: ClientParts & AccessParts & ScraperParts & OperationParts,
): AnyElysia {
  const { checker, health } = service
  const pending = () => ({
    pending: checker.pending().map(({ slug, fetchMethod = null, unlocker = false }) => ({
      scraper: slug,
      fetchMethod,
      unlocker,
    })),
  })
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({
      AdminChecks: responseSchema(pendingSchema),
      AdminScraperHealth: responseSchema(trafficSchema),
    })
    .post(
      "/checks",
      ({ body, set }) => {
        const { fetchMethod, unlocker = false } = body
        const scrapers = chosen(service, body)
        checker.runChecks(
          scrapers.map(({ slug }) => ({ slug, unlocker, ...(fetchMethod && { fetchMethod }) })),
        )
        set.status = 202
        return pending()
      },
      {
        owner: true,
        ownerJson: true,
        body: requestSchema.body(requestedSchema),
        response: { 202: "AdminChecks" },
        detail: operation({
          id: "adminCheckScrapers",
          tag: "Administration",
          summary: "Run health probes of scrapers",
          description:
            "Runs the health probe of each scraper, one at a time. Read the result in `health` of the scraper.",
          auth: "owner",
          examples: { one: { value: { scrapers: ["npm-package-scraper"] } } },
          replies: { 202: "The checks are queued and run one after the other." },
          refusals: [400, 404],
        }),
      },
    )
    .get("/checks", pending, {
      owner: true,
      response: { 200: "AdminChecks" },
      detail: operation({
        id: "adminListChecks",
        tag: "Administration",
        summary: "List running and queued health checks",
        auth: "owner",
        replies: { 200: "The checks." },
      }),
    })
    .get(
      "/scrapers/:slug/health",
      ({ params }) => {
        const { slug } = knownScraper(service, params.slug)
        return {
          health: health.inFull(slug),
          drifted: health.traffic.drifted(slug),
          traffic: health.traffics(slug),
        }
      },
      {
        owner: true,
        params: requestSchema.params({ slug: slugParameter(service) }),
        response: { 200: "AdminScraperHealth" },
        detail: operation({
          id: "adminScraperHealth",
          tag: "Administration",
          summary:
            "Get a scraper's health, with the results of users' runs of the last hour, day and week",
          auth: "owner",
          replies: { 200: "The health." },
          refusals: [404],
        }),
      },
    )
}

interface Requested {
  scrapers?: string[]
  category?: string
  fetchMethod?: FetchMethod
}

/** @throws ApiError 400, 404 */
function chosen(service: ScraperParts, { scrapers, category, fetchMethod }: Requested) {
  const named = scrapers?.map((slug) => knownScraper(service, slug)) ?? service.catalogue
  const selected = named.filter(
    (scraper) =>
      (category === undefined || scraper.category === category) &&
      (fetchMethod === undefined || fetchMethodsOf(scraper).includes(fetchMethod)),
  )
  if (selected.length === 0) {
    const filters = [
      category === undefined ? [] : [`the category "${category}"`],
      fetchMethod === undefined ? [] : [`the fetch method "${fetchMethod}"`],
    ].flat()
    throw new ApiError(
      400,
      `${scrapers ? "None of these scrapers" : "No scraper"} has ${filters.join(" and ")}. Change or remove one of the filters.`,
    )
  }
  return selected
}
