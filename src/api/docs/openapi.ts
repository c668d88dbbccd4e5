import { toOpenAPISchema } from "@elysiajs/openapi/openapi"
import type { AnyElysia } from "elysia"
import { version } from "../../config/version.ts"
import type { Validating } from "../http/contract.ts"
import type { Overlay } from "../http/operation.ts"
import { errorBodySchema } from "../schemas/common.ts"
import { refusalReplies } from "./refusal-replies.ts"
import { tags } from "./tags.ts"

type Json = Record<string, unknown>

interface Media {
  schema?: unknown
  example?: unknown
  examples?: object
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Json
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
  security: Record<string, string[]>[]
}

export interface OpenApiDocument {
  openapi: "3.1.0"
  info: object
  servers: { url: string }[]
  tags: typeof tags
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Json; securitySchemes: object }
}

/**
 * Builds the document: the plugin's output for the routes' hooks, extended by examples, other media
 * types and common error responses, which the plugin does not support.
 */
export function openApiDocument(app: AnyElysia, root: string): OpenApiDocument {
  const made = toOpenAPISchema(app, { staticFile: false }, undefined, undefined, "3.1.0")
  const schemas: Json = {}
  for (const schema of [errorBodySchema, ...Object.values(made.components.schemas)]) {
    named(schema, schemas)
  }
  const paths: OpenApiDocument["paths"] = {}
  for (const { method, path, hooks } of app.routes) {
    const overlay = hooks?.detail?.["x-overlay"] as Overlay | undefined
    if (!overlay) continue
    const template = path.replace(/:([A-Za-z]+)/g, "{$1}")
    const command = method.toLowerCase()
    const plain = (made.paths as OpenApiDocument["paths"])[template]![command]!
    paths[template] ??= {}
    paths[template][command] = named(
      laidOver(plain, overlay, hooks.body),
      schemas,
    ) as OperationObject
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Trawl",
      version,
      summary: "Web scraping API.",
      description:
        "Runs scrapers on public pages and data, and returns JSON. Keyless routes need no authentication; routes under /api/v1 need an account's API key as a Bearer token.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: root }],
    tags,
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key, `trawl_live_…`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "trawl_session",
          description: "Session of a signed-in browser.",
        },
      },
    },
  }
}

/**
 * @param body The request body of the route, for which the plugin lists every media type or none.
 */
function laidOver(
  { "x-overlay": _, ...plain }: OperationObject & { "x-overlay"?: unknown },
  { replies, refusals, examples, bodyType }: Overlay,
  body: Validating<unknown> | undefined,
): OperationObject {
  const refused = refusalReplies([...refusals, ...(body ? [400, 408, 413, 415, 503, 507] : [])])
  const reported = Object.entries(replies).map(([status, { types, example, ...reply }]) => {
    const schema = schemaOf(plain.responses?.[status])
    const visible = typeof example === "function" ? example() : example
    const media = { schema, ...(visible === undefined ? {} : { example: visible }) }
    const content = schema === undefined ? undefined : mediaOf(types ?? ["application/json"], media)
    const headers = status === "201" ? { Location: location } : undefined
    return [status, { ...(headers && { headers }), ...reply, ...(content && { content }) }]
  })
  const schema = body?.["~standard"].jsonSchema.input() as object | undefined
  return {
    ...plain,
    parameters: (plain.parameters ?? []).map(described),
    ...(schema && {
      requestBody: {
        required: true,
        content: mediaOf([bodyType], { schema, ...(examples && { examples }) }),
      },
    }),
    responses: { ...refused, ...Object.fromEntries(reported) },
  }
}

const location = {
  description: "URL of the created resource.",
  schema: { type: "string", format: "uri" },
}

/** The example belongs to the first media type. */
const mediaOf = (types: readonly string[], media: Media) =>
  Object.fromEntries(
    types.map((type, index) => [type, index === 0 ? media : { schema: media.schema }]),
  )

function schemaOf(reply: OperationObject["responses"][string] | undefined): unknown {
  return Object.values(reply?.content ?? {})[0]?.schema
}

/** Moves a parameter's description next to its schema, as generators expect. */
function described({ schema, ...parameter }: Parameter): Parameter {
  const { description, ...rest } = schema
  const text = typeof description === "string" ? { description } : {}
  // Each field of an object in the query is a parameter.
  const form = rest.type === "object" ? { style: "form", explode: true } : {}
  return {
    ...parameter,
    ...text,
    ...form,
    schema: rest,
  }
}

/** Moves schemas with a name to the components, and replaces them by references. */
function named(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => named(entry, schemas))
  if (typeof value !== "object" || value === null) return value
  const { $id, ...rest } = value as Record<string, unknown>
  const copy = () =>
    Object.fromEntries(
      Object.entries(withNull(rest)).map(([name, part]) => [name, named(part, schemas)]),
    )
  if (typeof $id !== "string") return copy()
  if (!($id in schemas)) {
    // Reserved before its parts are copied, for schemas that refer to themselves.
    schemas[$id] = {}
    schemas[$id] = copy()
  }
  return { $ref: `#/components/schemas/${$id}` }
}

/** The plugin merges an enum and null into one schema, whose enum lacks null. */
function withNull(schema: Json): Json {
  const { type, enum: values } = schema
  const lacksNull = Array.isArray(values) && !values.includes(null)
  if (!lacksNull || !Array.isArray(type) || !type.includes("null")) return schema
  return { ...schema, enum: [...values, null] }
}
