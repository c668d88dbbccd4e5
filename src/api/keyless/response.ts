import { type Static, Type } from "@sinclair/typebox"
import { fetchMethods, oneOf } from "../../catalogue/kit/index.ts"
import { verificationSchema } from "../../catalogue/verification.ts"
import { linksSchema } from "../examples/links.ts"
import { anyObject, responseObject, time } from "../schemas/common.ts"
import { healthSchema } from "../schemas/health.ts"
import { anyItem } from "../schemas/item.ts"

const keylessStatuses = [
  "SUCCEEDED",
  "RUNNING",
  "PAYMENT_REQUIRED",
  "USAGE",
  "INVALID_INPUT",
  "ERROR",
] as const
const freeSchema = responseObject(
  {
    limit: Type.Integer({ description: "Free calls per day." }),
    used: Type.Integer({
      description: "Calls used by this IP address or this agent, whichever is higher.",
    }),
    remaining: Type.Integer(),
    resetsAt: time("Time of the next reset: midnight UTC."),
  },
  { $id: "FreeQuota" },
)

const billedSchema = responseObject(
  {
    billedTo: Type.Literal("account"),
    creditsCharged: Type.Integer({ description: "Credits charged for this call." }),
    creditsRemaining: Type.Union([Type.Integer(), Type.Null()], {
      description: "Credits left; null for an unlimited account.",
    }),
  },
  { $id: "BilledToAccount" },
)

const optionalText = (description: string) => Type.Optional(Type.String({ description }))
const optionalUrl = (description: string) =>
  Type.Optional(Type.String({ format: "uri", description }))

export const parameterSchema = responseObject(
  {
    name: Type.String(),
    type: Type.String({
      description: "JSON type: string, integer, number, boolean, object or array.",
    }),
    required: Type.Boolean(),
    description: Type.String(),
    expected: Type.String({ description: "Description of valid values." }),
    default: Type.Optional(Type.Unknown()),
    allowedValues: Type.Optional(Type.Array(Type.String())),
  },
  { $id: "Parameter" },
)

const searchEngineSchema = responseObject(
  {
    engine: Type.String(),
    scraper: Type.String({ description: "Slug of the scraper that searched." }),
    results: Type.Integer(),
    error: Type.Optional(responseObject({ code: Type.String(), message: Type.String() })),
    age: Type.Optional(Type.Integer({ description: "Age of cached results in seconds." })),
  },
  { $id: "SearchEngine" },
)

export const keylessSchema = responseObject(
  {
    status: oneOf(keylessStatuses, { description: "Outcome of the call; the HTTP status is 200." }),
    tool: Type.String({ description: "ID of the fixed tool, or slug of the scraper." }),
    input: Type.String({
      description: "Value of the fixed tool's parameter, or the input as JSON text.",
    }),
    itemCount: Type.Integer({ description: "Number of entries in `items`." }),
    items: Type.Array(anyItem, {
      description: "Items; a failed target has an entry with `error`.",
    }),
    error: Type.Optional(
      Type.Union([
        responseObject({ message: Type.String(), details: Type.Optional(Type.Unknown()) }),
        Type.String(),
      ]),
    ),
    total: Type.Optional(Type.Integer({ description: "With `next`: the items of all pages." })),
    next: optionalUrl("URL of the remaining items, if `maxTokens` ended this page."),
    cached: Type.Optional(
      Type.Boolean({
        description:
          "Whether the items come from an identical call within the last minute. Such a call is free; `maxAge=0` fetches again.",
      }),
    ),
    age: Type.Optional(
      Type.Integer({ description: "With `cached`: seconds since that run started." }),
    ),
    engines: Type.Optional(
      Type.Array(searchEngineSchema, {
        description: "With a search: each engine with the number of its results, or its error.",
      }),
    ),
    notice: optionalText(
      "Explanation if a limit of keyless calls ended the scrape early, or if found scrapers match only in part.",
    ),
    resultUrl: optionalUrl("With RUNNING: where the results will be; fetch it after about 10 s."),
    retryAfterSeconds: Type.Optional(
      Type.Integer({ description: "With RUNNING: seconds to wait before the next request." }),
    ),
    limitReached: Type.Optional(
      Type.Boolean({
        description: "With PAYMENT_REQUIRED: true, because the daily free quota is used up.",
      }),
    ),
    agentGuidance: optionalText("With PAYMENT_REQUIRED: what an agent does now, step by step."),
    claimUrl: optionalUrl("With PAYMENT_REQUIRED: for the human, who signs up there."),
    claimStatusUrl: optionalUrl("With PAYMENT_REQUIRED: for the agent, who polls it for the key."),
    name: optionalText("With USAGE: the scraper's name."),
    tagline: optionalText("With USAGE: what it does."),
    notServed: Type.Optional(
      Type.Array(Type.String(), { description: "With USAGE: what it does not give." }),
    ),
    fetchMethods: Type.Optional(
      Type.Array(oneOf(fetchMethods), {
        description: "With USAGE: the fetch methods, in the order in which they are tried.",
      }),
    ),
    verification: Type.Optional(verificationSchema),
    health: Type.Optional(healthSchema),
    howToCall: optionalText("With USAGE: an example call, in a sentence."),
    parameters: Type.Optional(
      Type.Array(parameterSchema, { description: "With USAGE: the inputs of the scraper." }),
    ),
    exampleUrl: optionalUrl("With USAGE: a call that works."),
    exampleInput: Type.Optional(anyObject()),
    agentId: Type.String({
      description: "Send it with later calls to keep the same identity.",
    }),
    free: Type.Union([freeSchema, billedSchema]),
    links: Type.Partial(linksSchema, {
      description: "Explanation with USAGE and with errors; empty with items.",
    }),
  },
  { $id: "KeylessResult" },
)
export type KeylessResponse = Static<typeof keylessSchema>
