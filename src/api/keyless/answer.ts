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
    limit: Type.Integer({ description: "Free calls a day." }),
    used: Type.Integer({ description: "By this address or this agent, whichever is more." }),
    remaining: Type.Integer(),
    resetsAt: time("The next midnight, UTC."),
  },
  { $id: "FreeAllowance" },
)

const billedSchema = responseObject(
  {
    billedTo: Type.Literal("account"),
    creditsCharged: Type.Integer({ description: "For this call." }),
    creditsRemaining: Type.Union([Type.Integer(), Type.Null()], {
      description: "Null for an unlimited account.",
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
    type: Type.String({ description: "string, integer, number, boolean, object or array of one." }),
    required: Type.Boolean(),
    description: Type.String(),
    expected: Type.String({ description: "What values are taken, in words." }),
    default: Type.Optional(Type.Unknown()),
    allowedValues: Type.Optional(Type.Array(Type.String())),
  },
  { $id: "Parameter" },
)

export const keylessSchema = responseObject(
  {
    status: oneOf(keylessStatuses, { description: "The outcome; the HTTP status is 200." }),
    tool: Type.String({ description: "The fixed tool, or the slug of the scraper that ran." }),
    input: Type.String({
      description: "The value given to a fixed tool; else the input as JSON text.",
    }),
    itemCount: Type.Integer({ description: "Entries of `items`." }),
    items: Type.Array(anyItem, {
      description: "Items; for a target that failed, an entry with `error`.",
    }),
    error: Type.Optional(
      Type.Union([
        responseObject({ message: Type.String(), details: Type.Optional(Type.Unknown()) }),
        Type.String(),
      ]),
    ),
    total: Type.Optional(Type.Integer({ description: "With `next`: the items of all pages." })),
    next: optionalUrl("Where the rest of the items is: `maxTokens` ended this page."),
    cached: Type.Optional(
      Type.Boolean({
        description:
          "The run of an identical call within the last minute gave the items; it cost nothing. `maxAge=0` fetches them again.",
      }),
    ),
    age: Type.Optional(
      Type.Integer({ description: "With `cached`: seconds since that run started." }),
    ),
    notice: optionalText("Says when a cap of keyless calls ended the scrape early."),
    resultUrl: optionalUrl("With RUNNING: where the results will be; fetch it after about 10 s."),
    retryAfterSeconds: Type.Optional(Type.Integer({ description: "With RUNNING." })),
    limitReached: Type.Optional(Type.Boolean({ description: "With PAYMENT_REQUIRED." })),
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
    howToCall: optionalText("With USAGE."),
    parameters: Type.Optional(Type.Array(parameterSchema, { description: "With USAGE." })),
    exampleUrl: optionalUrl("With USAGE: a call that works."),
    exampleInput: Type.Optional(anyObject()),
    agentId: Type.String({
      description: "Give it with later calls to be known as the same agent.",
    }),
    free: Type.Union([freeSchema, billedSchema]),
    links: Type.Partial(linksSchema, {
      description: "With USAGE and what fails; empty with items.",
    }),
  },
  { $id: "KeylessResult" },
)
export type KeylessResponse = Static<typeof keylessSchema>
