import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { verificationOf, verificationSchema } from "../../catalogue/verification.ts"
import { maxVisibleResponse } from "../examples/examples.ts"
import { linksOf, linksSchema } from "../examples/links.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { queryOf } from "../http/query.ts"
import { anyObject, query, responseObject } from "../schemas/common.ts"
import { briefHealth, healthBriefSchema } from "../schemas/health.ts"
import type { Call } from "../service.ts"
import { callParameters, resultParameters, resultWindow } from "./call-options.ts"
import type { AnonymousCaller } from "./caller.ts"
import { card, requiredParams } from "./card.ts"
import { scraperCards } from "./find.ts"
import { formFor, inForm, type RequestedForm } from "./form.ts"
import { type Mode, modeOf, namedMode } from "./modes.ts"
import { type KeylessResponse, keylessSchema } from "./response.ts"
import { type KeylessSurface, requestedBy } from "./surface.ts"

/** Other query parameters: each field of the object is a parameter. */
const ownParameters = {
  parameters: Type.Optional(
    anyObject("The scraper's inputs as parameters: `packages=flask&packages=django`."),
  ),
}

const directorySchema = responseObject(
  {
    service: Type.String(),
    howItWorks: Type.String(),
    modes: responseObject({
      anyPage: Type.String(),
      customExtraction: Type.String(),
      namedScraper: Type.String(),
    }),
    auth: Type.String(),
    scrapers: Type.Array(
      responseObject({
        slug: Type.String(),
        name: Type.String(),
        tagline: Type.String(),
        url: Type.String({ format: "uri" }),
        requiredParams: Type.Array(Type.String()),
        verification: verificationSchema,
        health: healthBriefSchema,
      }),
    ),
    links: linksSchema,
  },
  { $id: "ScraperDirectory" },
)

const outcome = { description: "The outcome is in `status`.", example: maxVisibleResponse }

/** Any page and any scraper by GET, without a key. */
export function scrapeRoutes(surface: KeylessSurface): AnyElysia {
  const { service } = surface

  async function byMode(call: Call, slug: string, read: (query: URLSearchParams) => Mode) {
    const parameters = queryOf(call.request)
    const requested = requestedBy(parameters, slug, parameters.get("input") ?? "")
    let form: RequestedForm = { form: "json", isNamed: false }
    const { response: reply } = await surface.response(
      call,
      requested,
      async (caller: AnonymousCaller) => {
        const mode = read(parameters)
        if (mode.kind === "run") form = formFor(call, parameters, mode.request.scraper)
        if (mode.kind === "run") return surface.calls.scrape(call, caller, mode.request)
        if (mode.kind === "find") {
          const { items, notice } = scraperCards(service, mode.need, service.root(call))
          const base = await surface.calls.base(call, {
            tool: "find",
            inputText: mode.need,
            caller,
          })
          const result = { itemCount: items.length, items, links: {}, ...(notice && { notice }) }
          return { status: "SUCCEEDED", ...base, ...result } as KeylessResponse
        }
        const scraper = mode.kind === "card" ? mode.scraper : undefined
        const base = await surface.calls.base(call, { tool: slug, inputText: "", caller })
        return {
          status: "USAGE",
          ...base,
          ...(scraper && {
            tool: scraper.slug,
            ...card(scraper, service.root(call), service.health),
          }),
        }
      },
    )
    return inForm(reply, form)
  }

  return new Elysia()
    .use(callContext(service))
    .model({ KeylessResult: responseSchema(keylessSchema) })
    .get(
      "/api/scrape",
      ({ call, query: parameters }) => {
        const isEmpty = [...parameters.keys()].every((name) => name in callParameters)
        if (isEmpty) return directory(surface, service.root(call))
        return byMode(call, toolOf(parameters), (provided) => modeOf(service, provided))
      },
      {
        call: true,
        query: requestSchema.anyQuery(
          query({
            url: Type.Optional(Type.String({ description: "URL of any page." })),
            fields: Type.Optional(
              Type.String({
                description:
                  "`name: cssSelector` entries, separated by `|`; write `\\|` for a `|` in a selector.",
              }),
            ),
            scraper: Type.Optional(Type.String({ description: "Slug of a named scraper." })),
            find: Type.Optional(
              Type.String({
                maxLength: 2000,
                description:
                  "A need in your words, or the URL of a page: `items` contains up to three scrapers that fit.",
              }),
            ),
            input: Type.Optional(Type.String({ description: "Whole input as a JSON object." })),
            ...callParameters,
            ...ownParameters,
          }),
        ),
        response: { 200: responseSchema(Type.Union([keylessSchema, directorySchema])) },
        detail: operation({
          id: "scrape",
          tag: "Scrape",
          summary: "Get any page as Markdown, extract your own fields, or run a scraper",
          description:
            "Only `url`: the page as Markdown. `url` and `fields`: your own extraction. `scraper` and its parameters: a run of the scraper. Without parameters: the directory of all scrapers.",
          auth: "none",
          replies: {
            200: {
              description: "The outcome is in `status`; without parameters, the directory.",
              example: maxVisibleResponse,
            },
          },
        }),
      },
    )
    .get(
      "/api/scrape/:scraper",
      ({ call, params }) =>
        byMode(call, params.scraper, (provided) => namedMode(service, params.scraper, provided)),
      {
        params: requestSchema.params({ scraper: slugSchema(surface) }),
        call: true,
        query: requestSchema.anyQuery(
          query({
            input: Type.Optional(Type.String({ description: "Whole input as a JSON object." })),
            ...callParameters,
            ...ownParameters,
          }),
        ),
        response: { 200: "KeylessResult" },
        detail: operation({
          id: "scrapeByName",
          tag: "Scrape",
          summary: "Run a scraper; its inputs are the query parameters",
          description:
            "For lists, repeat a parameter or separate values with `|` (`\\|` for a `|` in a value). `input` is the whole input as JSON. Without parameters: the scraper's usage (`status` USAGE).",
          auth: "none",
          replies: { 200: outcome },
        }),
      },
    )
    .get(
      "/api/results/:token",
      async ({ call, params }) => {
        const parameters = queryOf(call.request)
        const requested = requestedBy(new URLSearchParams(), "", "")
        let form: RequestedForm = { form: "json", isNamed: false }
        const { response: reply } = await surface.response(call, requested, () => {
          form = formFor(call, parameters)
          return surface.calls.result(call, params.token, resultWindow(parameters))
        })
        return inForm(reply, form)
      },
      {
        call: true,
        query: requestSchema.anyQuery(query(resultParameters)),
        params: requestSchema.params({ token: Type.String({ description: "From `resultUrl`." }) }),
        response: { 200: "KeylessResult" },
        detail: operation({
          id: "keylessResult",
          tag: "Scrape",
          summary: "Get the result of a call that returned RUNNING",
          description: "Available for 24 hours. The body is that of the call itself.",
          auth: "none",
          replies: { 200: outcome },
        }),
      },
    )
}

export function slugSchema({ service }: KeylessSurface) {
  return Type.Unsafe<string>({
    type: "string",
    enum: service.catalogue.map((scraper) => scraper.slug),
    description: "Slug of a scraper.",
  })
}

function toolOf(parameters: URLSearchParams): string {
  const page = parameters.has("fields") ? "web-scraper" : "url-to-markdown-scraper"
  return parameters.get("scraper") ?? (parameters.has("find") ? "find" : page)
}

function directory({ service }: KeylessSurface, root: string) {
  const { freeDaily, signupCredits } = service.config
  return {
    service: "Trawl",
    howItWorks:
      "Call one of the modes by GET. The response is JSON with a status: SUCCEEDED, RUNNING (fetch resultUrl after about 10 s), PAYMENT_REQUIRED (sign up at claimUrl), USAGE, INVALID_INPUT or ERROR. The records are in items.",
    modes: {
      anyPage: `${root}/api/scrape?url=<page URL> returns the page as Markdown.`,
      customExtraction: `${root}/api/scrape?url=<page URL>&fields=title:%20h1|%5B%5Dlinks:%20a%20@href extracts your own fields by CSS selector: "name: selector" entries separated by "|"; "[]name: selector" for all matches, "@attr" for an attribute.`,
      namedScraper: `${root}/api/scrape/<slug>?<its parameters> runs a scraper; without parameters, it returns the scraper's usage.`,
    },
    auth: `No key is needed for ${freeDaily} calls a day. A free account has ${signupCredits} credits; token=<API_KEY> uses them and removes the daily limit.`,
    scrapers: service.catalogue.map((scraper) => ({
      slug: scraper.slug,
      name: scraper.name,
      tagline: scraper.tagline,
      url: `${root}/api/scrape/${scraper.slug}`,
      requiredParams: requiredParams(scraper),
      verification: verificationOf(scraper),
      health: briefHealth(service.health.of(scraper.slug)),
    })),
    links: linksOf(root),
  }
}
