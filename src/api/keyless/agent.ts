import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { maxVisibleResponse } from "../examples/examples.ts"
import { linksOf, linksSchema } from "../examples/links.ts"
import { checked, readJson } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { anyObject, query, responseObject } from "../schemas/common.ts"
import { agentBody } from "./agent-body.ts"
import { callParameters, windowOf } from "./call-options.ts"
import { parametersOf } from "./card.ts"
import { findScraper, request as toRequest } from "./modes.ts"
import { keylessSchema, parameterSchema } from "./response.ts"
import { slugSchema } from "./scrape.ts"
import type { KeylessSurface, Requested } from "./surface.ts"

const agentListSchema = responseObject(
  {
    service: Type.String(),
    howItWorks: Type.String(),
    endpoint: Type.String({ format: "uri" }),
    scrapers: Type.Array(
      responseObject({
        slug: Type.String(),
        name: Type.String(),
        tagline: Type.String(),
        requiredInput: Type.Array(parameterSchema),
        exampleBody: anyObject(),
      }),
    ),
    links: linksSchema,
  },
  { $id: "AgentDirectory" },
)

const claimSchema = responseObject(
  {
    status: oneOf(["pending", "ready", "refused", "ERROR"]),
    apiKey: Type.Optional(Type.String({ description: "Returned only once." })),
    error: Type.Optional(responseObject({ message: Type.String() })),
  },
  { $id: "ClaimStatus" },
)

/** Routes for agents: one POST route for every scraper, and the status of a claim. */
export function agentRoutes(surface: KeylessSurface): AnyElysia {
  const { service } = surface
  const bodySchema = Type.Object(
    {
      scraper: Type.String({ minLength: 1, description: "Slug of a scraper." }),
      input: Type.Object({}, { additionalProperties: true, description: "The scraper's input." }),
      agentId: callParameters.agentId,
      maxAge: callParameters.maxAge,
      pick: callParameters.pick,
      maxTokens: callParameters.maxTokens,
    },
    { additionalProperties: false },
  )
  const documentedBody = Type.Object(
    { ...bodySchema.properties, scraper: slugSchema(surface) },
    { additionalProperties: false },
  )

  return new Elysia()
    .use(callContext(service))
    .model({
      AgentDirectory: responseSchema(agentListSchema),
      KeylessResult: responseSchema(keylessSchema),
      ClaimStatus: responseSchema(claimSchema),
    })
    .get(
      "/api/agent/scrape",
      ({ root }) => {
        return {
          service: "Trawl",
          howItWorks:
            "POST JSON { scraper, input, agentId? } to the endpoint. The records are in items. No key is needed. Keep agentId and send it with each call.",
          endpoint: `${root}/api/agent/scrape`,
          scrapers: service.catalogue.map((scraper) => ({
            slug: scraper.slug,
            name: scraper.name,
            tagline: scraper.tagline,
            requiredInput: parametersOf(scraper).filter((parameter) => parameter.required),
            exampleBody: { scraper: scraper.slug, input: scraper.example },
          })),
          links: linksOf(root),
        }
      },
      {
        root: true,
        response: { 200: "AgentDirectory" },
        detail: operation({
          id: "agentDirectory",
          tag: "Agents",
          summary: "List every scraper with its required input",
          auth: "none",
          replies: { 200: "The scrapers." },
        }),
      },
    )
    .post(
      "/api/agent/scrape",
      async ({ call, set, body, query }) => {
        const token = query.get("token")
        const requested: Requested = { tool: "", inputText: "", agentId: null, token }
        const json = "json" in body ? (body.json as { agentId?: unknown } | null) : null
        if (typeof json?.agentId === "string") requested.agentId = json.agentId
        const { response: reply, issue } = await surface.response(
          call,
          requested,
          async (caller) => {
            if ("error" in body) throw body.error
            const provided = agentBody(service, bodySchema, body.json)
            const { scraper: slug, input, maxAge, pick, maxTokens } = checked(bodySchema, provided)
            requested.tool = slug
            requested.inputText = JSON.stringify(input)
            const scraper = findScraper(service, slug, 404)
            return surface.calls.scrape(call, caller, {
              ...toRequest(scraper, input),
              window: windowOf(
                (name) => (name === "pick" ? (pick ?? null) : (maxTokens?.toString() ?? null)),
                scraper,
              ),
              ...(maxAge !== undefined && { maxAgeMs: maxAge * 1000 }),
            })
          },
        )
        if (issue) set.status = issue.httpStatus
        else if (reply.status === "INVALID_INPUT") set.status = 400
        if (reply.status === "PAYMENT_REQUIRED") set.status = 402
        return reply
      },
      {
        call: true,
        // The body may contain the agent ID, which the response to a validation issue returns.
        parse: ({ request }) =>
          readJson(request).then(
            (json) => ({ json }),
            (error: unknown) => ({ error }),
          ),
        query: requestSchema.anyQuery(
          query({
            token: Type.Optional(Type.String({ description: "API key of the account that pays." })),
          }),
        ),
        body: requestSchema.anyBody<{ json: unknown } | { error: unknown }>(documentedBody),
        response: {
          200: "KeylessResult",
          400: "KeylessResult",
          402: "KeylessResult",
          404: "KeylessResult",
          408: "KeylessResult",
          413: "KeylessResult",
          415: "KeylessResult",
          429: "KeylessResult",
        },
        detail: operation({
          id: "agentScrape",
          tag: "Agents",
          summary: "Run a scraper",
          auth: "none",
          examples: Object.fromEntries(
            service.catalogue.map((scraper) => [
              scraper.slug,
              { summary: scraper.name, value: { scraper: scraper.slug, input: scraper.example } },
            ]),
          ),
          replies: {
            200: {
              description: "The outcome is in `status`, including RUNNING and ERROR.",
              example: maxVisibleResponse,
            },
            400: "INVALID_INPUT.",
            402: "PAYMENT_REQUIRED.",
            404: "The scraper does not exist.",
            408: "The body arrived too slowly.",
            413: "The body is larger than 1 MB.",
            415: "The body is not application/json.",
            429: "Too many calls per minute.",
          },
        }),
      },
    )
    .get(
      "/api/agent/claim/:token",
      async ({ params, set }) => {
        set.headers["cache-control"] = "no-store"
        const status = await service.claims.poll(params.token, new Date())
        if (status?.status === "refused") {
          return { ...status, error: { message: "Your user declined to provide a key." } }
        }
        if (status) return status
        return {
          status: "ERROR",
          error: { message: "The claim does not exist; claims expire after 24 hours." },
        }
      },
      {
        params: requestSchema.params({
          token: Type.String({ description: "From `claimStatusUrl`." }),
        }),
        response: { 200: "ClaimStatus" },
        detail: operation({
          id: "claimStatus",
          tag: "Agents",
          summary: "Get the status of a claim, and its API key once",
          auth: "none",
          replies: {
            200: {
              description:
                "`refused` if the user declined; `ERROR` for an unknown or expired claim.",
              example: { status: "pending" },
            },
          },
        }),
      },
    )
}
