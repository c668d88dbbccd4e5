import type { AnyElysia } from "elysia"
import type { OperationObject } from "../http/operation.ts"

export interface OpenApiDocument {
  openapi: "3.1.0"
  info: object
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, unknown>; securitySchemes: object }
}

const tags = [
  { name: "Scrape", description: "Any page, any scraper, by GET and without a key." },
  { name: "Tools", description: "Fixed tools: one parameter each, without a key." },
  { name: "Agents", description: "For agents: one POST for every scraper, and the way to a key." },
  { name: "Scrapers", description: "The catalogue: what each scraper takes, gives and costs." },
  { name: "Runs", description: "Durable runs of an account." },
  { name: "Datasets", description: "The items of runs." },
  { name: "Batches", description: "Many runs by one call." },
  { name: "Schedules", description: "Runs by the clock." },
  { name: "Webhooks", description: "Told when runs end, after Standard Webhooks." },
  { name: "Account", description: "Accounts, keys and credits." },
  { name: "Service", description: "The service itself." },
]

/** The API's own version, promised to callers; Trawl's is in package.json. */
const apiVersion = "1.0.0"

/** The document, made of what the routes themselves carry. */
export function openApiDocument(app: AnyElysia, root: string): OpenApiDocument {
  const schemas: Record<string, unknown> = {}
  const paths: OpenApiDocument["paths"] = {}
  for (const { method, path, hooks } of app.routes) {
    const detail = hooks?.detail as (OperationObject & { hide?: boolean }) | undefined
    if (!detail?.operationId || detail.hide) continue
    const place = path.replace(/:([A-Za-z]+)/g, "{$1}")
    paths[place] ??= {}
    paths[place][method.toLowerCase()] = named(detail, schemas) as OperationObject
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Trawl",
      version: apiVersion,
      summary: "Web scrapers as an API.",
      description:
        "Runs scrapers against public pages and data and returns their records as JSON. The keyless routes need nothing; those under /api/v1 need an account's key as Bearer token.",
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
          description: "The session of a signed-in browser.",
        },
      },
    },
  }
}

/** Puts schemas with a name among the components, and references in their places. */
function named(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => named(entry, schemas))
  if (typeof value !== "object" || value === null) return value
  const { $id, ...rest } = value as Record<string, unknown>
  const copy = () =>
    Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, named(part, schemas)]))
  if (typeof $id !== "string") return copy()
  if (!($id in schemas)) {
    // Its place is taken before its parts are copied, for schemas that refer to themselves.
    schemas[$id] = {}
    schemas[$id] = copy()
  }
  return { $ref: `#/components/schemas/${$id}` }
}
