import type { TObject, TSchema } from "@sinclair/typebox"
import type { DocumentDecoration } from "elysia"
import { errorBodySchema } from "../schemas/common.ts"
import { callerSchema } from "./json-schema.ts"

type Tag =
  | "Scrape"
  | "Tools"
  | "Agents"
  | "Scrapers"
  | "Runs"
  | "Datasets"
  | "Batches"
  | "Schedules"
  | "Webhooks"
  | "Account"
  | "Service"

interface Reply {
  description: string
  schema?: TSchema
  headers?: Record<string, object>
  /** Default application/json; several share one schema. */
  types?: readonly string[]
  example?: unknown
}

/** What one route takes and answers; the OpenAPI document is made of these (docs/openapi.ts). */
export interface Operation {
  id: string
  tag: Tag
  summary: string
  description?: string
  /** Path parameters, by name. */
  params?: Record<string, TSchema>
  query?: TObject
  headers?: Record<string, TSchema>
  body?: {
    schema: TSchema
    type?: string
    optional?: boolean
    examples?: Record<string, { summary?: string; value: unknown }>
  }
  replies: Record<number, Reply>
  /** Statuses of refusals beside those that every route of its kind has. */
  refusals?: readonly number[]
  /** `key`: a Bearer key (or a signed-in browser). Default. */
  auth?: "key" | "session" | "none"
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters: object[]
  requestBody?: object
  responses: Record<string, object>
  security: Record<string, string[]>[]
}

const refusalTexts: Record<number, string> = {
  400: "The input is not valid; `details` names each fault.",
  401: "The key is missing or not valid.",
  402: "The account has no credits left.",
  403: "Not allowed.",
  404: "There is no such thing, or it is another account's.",
  408: "The body came too slowly.",
  409: "Not possible in the present state.",
  413: "The body is larger than 1 MB.",
  415: "The body is not of the stated media type.",
  422: "The Idempotency-Key was used with another call.",
  429: "Too many calls; `Retry-After` says when to come back.",
  503: "The service is stopping, or cannot write; `Retry-After` says when to come back.",
  507: "The service's disk is full; `Retry-After` says when to come back.",
}

/** The third argument of a route: its documentation, and that bodies are read by the handler. */
export function operation(operation: Operation): { detail: DocumentDecoration; parse: "none" } {
  // Elysia's type is that of OpenAPI 3.0, whose schemas are not JSON Schema yet.
  return { detail: describe(operation) as DocumentDecoration, parse: "none" }
}

function describe(operation: Operation): OperationObject {
  const { id, tag, summary, description, body, auth = "key" } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: !body.optional,
        content: {
          [body.type ?? "application/json"]: {
            schema: callerSchema(body.schema),
            ...(body.examples && { examples: body.examples }),
          },
        },
      },
    }),
    responses: responses(operation),
    security: securityOf[auth],
  }
}

const securityOf: Record<NonNullable<Operation["auth"]>, Record<string, string[]>[]> = {
  key: [{ key: [] }, { session: [] }],
  session: [{ session: [] }],
  none: [],
}

function parameters({ params = {}, query, headers = {} }: Operation): object[] {
  const required = new Set(query?.required ?? [])
  return [
    ...Object.entries(params).map(([name, schema]) => parameter("path", name, schema, true)),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) =>
      parameter("query", name, schema, required.has(name) && schema.default === undefined),
    ),
    ...Object.entries(headers).map(([name, schema]) => parameter("header", name, schema, false)),
  ]
}

function parameter(place: string, name: string, schema: TSchema, required: boolean): object {
  const { description, ...rest } = schema
  return { name, in: place, required, ...(description && { description }), schema: rest }
}

function responses({ replies, refusals = [], body, auth = "key" }: Operation) {
  const usual = auth === "none" ? [] : [401, 429]
  const unreadable = { description: "The request itself cannot be read.", schema: errorBodySchema }
  const refused = [...usual, ...refusals, ...(body ? [400, 408, 413, 415, 503, 507] : [])]
  // What a route says of a status itself stands in place of the usual refusal.
  return Object.fromEntries([
    ["400", response(unreadable)],
    ...[...new Set(refused)].sort().map((status) => [
      String(status),
      response({
        description: refusalTexts[status]!,
        schema: errorBodySchema,
        example: { error: { message: refusalTexts[status]!, status } },
        ...(status === 429 && { headers: limitHeaders }),
      }),
    ]),
    ...Object.entries(replies).map(([status, reply]) => [status, response(reply)]),
  ])
}

const counted = (description: string) => ({ description, schema: { type: "integer" } })
const limitHeaders = {
  "Retry-After": counted("Seconds to wait."),
  "RateLimit-Limit": counted("Calls a minute."),
  "RateLimit-Remaining": counted("Calls left."),
  "RateLimit-Reset": counted("Seconds until all calls are there again."),
}

function response(reply: Reply): object {
  const { description, headers, schema, types = ["application/json"], example } = reply
  if (!schema) return { description }
  const media = { schema, ...(example === undefined ? {} : { example }) }
  return {
    description,
    ...(headers && { headers }),
    content: Object.fromEntries(types.map((type) => [type, media])),
  }
}
