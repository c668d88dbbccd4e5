import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { FormatRegistry } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { AnyElysia } from "elysia"
import fc from "fast-check"
import { isRunningAll } from "../../samples.ts"
import { TestApp } from "../app.ts"
import { type DescribedRoute, describedRoutes } from "../described.ts"

/**
 * Sends every route valid input, nearly valid input, and hostile input. The response must always be
 * one of those that the route documents, in the documented form, and never an internal error.
 * Inputs differ each time; TRAWL_HOSTILE_RUNS sets their number.
 */
const runsPerRoute = Number(process.env.TRAWL_HOSTILE_RUNS ?? (isRunningAll ? 50 : 5))

FormatRegistry.Set("uri", (value) => URL.canParse(value))
FormatRegistry.Set("date-time", (value) => !Number.isNaN(Date.parse(value)))

let key: string
const ids: Record<string, string> = {}

const app = await TestApp.open({ freeDaily: 1_000_000, keylessWait: 1 })
const routes = routesOf(app.app)

beforeAll(async () => {
  key = (await app.account({ unlimited: true })).key
  const run = await app.run(key, ["a"])
  const made = async (path: string, body: unknown) => (await app.post(path, { key, body })).body.id
  ids.runId = run.id
  ids.datasetId = run.datasetId
  ids.slug = "words-scraper"
  ids.scraper = "words-scraper"
  ids.batchId = await made("/api/v1/batches", { scraper: "news-scraper", inputs: [{}] })
  ids.scheduleId = await made("/api/v1/schedules", {
    scraper: "news-scraper",
    input: {},
    cron: "@yearly",
  })
  ids.webhookId = await made("/api/v1/webhooks", { url: "https://example.com/" })
})
afterAll(() => app.close())

function routesOf(api: AnyElysia): DescribedRoute[] {
  // A password takes half a second each, and MCP uses JSON-RPC; both have their own tests.
  const apart = ["signUp", "signIn", "submitSignUpPage", "mcp"]
  return describedRoutes(api).filter(({ detail }) => !apart.includes(detail.operationId))
}

const texts = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "null",
    "undefined",
    "NaN",
    "-1",
    "0",
    "1e999",
    "9".repeat(40),
    "true",
    "[]",
    "{}",
    '{"words":["x"]}',
    "a|b||c",
    "'; DROP TABLE runs; --",
    "../../etc/passwd",
    "%00%ff",
    "\u202e\ud83d\udca5",
    "\ud800",
    "__proto__",
    "constructor",
    "<script>alert(1)</script>",
    "x".repeat(5000),
    "run_00000000000000000000000000000000",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
)

const values: fc.Arbitrary<unknown> = fc.oneof(
  texts,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e308, [], {}, [[[[]]]], { $ref: "#" }),
  fc.constant(JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`)),
)

/** Returns a valid body with a field removed, added, or replaced. */
function nearly(body: Record<string, unknown>): fc.Arbitrary<unknown> {
  const names = Object.keys(body)
  return fc.oneof(
    fc.constant(body),
    fc.constantFrom(...names, "x").map((name) => {
      const { [name]: _, ...rest } = body
      return rest
    }),
    fc.tuple(fc.constantFrom(...names, "x"), values).map(([name, value]) => ({
      ...body,
      [name]: value,
    })),
    fc.tuple(texts, values).map(([name, value]) => ({ ...body, [name]: value })),
  )
}

function bodies({ detail, path }: DescribedRoute): fc.Arbitrary<string | undefined> {
  const content = (detail.requestBody as { content?: Record<string, { examples?: object }> })
    ?.content
  if (!content) return fc.constant(undefined)
  const examples = Object.values(content["application/json"]?.examples ?? {}) as {
    value: Record<string, unknown>
  }[]
  if (!content["application/json"]) return texts
  const known = path.endsWith("/runs") ? [{ words: ["a"], times: 1 }] : examples.map((e) => e.value)
  return fc.oneof(
    fc
      .constantFrom(...known)
      .chain(nearly)
      .map((body) => JSON.stringify(body)),
    values.map((value) => JSON.stringify(value) ?? "undefined"),
    texts,
  )
}

interface Sent {
  place: string
  query: [string, string][]
  body: string | undefined
  headers: Record<string, string>
}

function requests(route: DescribedRoute): fc.Arbitrary<Sent> {
  const parameters = route.detail.parameters as { name: string; in: string }[]
  const named = (location: string) =>
    parameters.filter((one) => one.in === location).map((p) => p.name)
  const paths = fc
    .tuple(...named("path").map(() => fc.oneof(fc.constant(undefined), texts)))
    .map((provided) => {
      let index = 0
      return route.path.replace(/:(\w+)/g, (_, name) => {
        const value = provided[index++] ?? ids[name] ?? "unknown"
        return encodeURIComponent(value.toWellFormed()) || "x"
      })
    })
  const queries = fc.array(
    fc.tuple(fc.oneof(fc.constantFrom(...named("query"), "x"), texts), texts),
    { maxLength: 3 },
  )
  const headers = fc.record(
    {
      authorization: fc.constantFrom("key", "key", "key", "Bearer", "Bearer x", "Basic x"),
      "content-type": fc.constantFrom(
        "application/json",
        "application/json",
        "application/json; charset=utf-8",
        "text/plain",
        "multipart/form-data",
        "x",
      ),
      "idempotency-key": fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 5 }),
      "last-event-id": fc.constantFrom("0", "-1", "x", "1e9"),
      "x-forwarded-for": fc.constantFrom("1.2.3.4", "x", ",,"),
      cookie: fc.constantFrom("trawl_session=x", "=", "a=%ff"),
    },
    { requiredKeys: ["authorization"] },
  )
  return fc.record({ place: paths, query: queries, body: bodies(route), headers })
}

describe("no request gets an internal error or an undocumented response", () => {
  for (const route of routes) {
    test(`${route.method} ${route.path}`, async () => {
      await fc.assert(
        fc.asyncProperty(requests(route), async ({ place, query, body, headers }) => {
          const search = new URLSearchParams(
            query.map(([a, b]) => [a.toWellFormed(), b.toWellFormed()]),
          )
          const sent = { ...headers }
          if (sent.authorization === "key") sent.authorization = `Bearer ${key}`
          const response = await app.call(route.method, `${place}?${search}`, {
            ...(body === undefined || route.method === "GET" ? {} : { body: body.toWellFormed() }),
            headers: { "content-type": "application/json", ...sent },
          })
          const about = `${response.status} ${response.text.slice(0, 300)}`
          expect(response.status, about).toBeLessThan(500)
          const documented = Object.keys(route.detail.responses)
          expect(documented, about).toContain(String(response.status))
          if (response.status === 204) return expect(response.text).toBe("")
          const type = response.headers.get("content-type")?.replace(/;.*/, "") ?? ""
          const schema = route.schemaOf(response.status, type)
          expect(schema, `${type} for ${about}`).toBeDefined()
          if (type !== "application/json") return
          const error = Value.Errors(schema!, response.body).First()
          expect(error && `${error.path} ${error.message}: ${about}`).toBeUndefined()
        }),
        { numRuns: runsPerRoute },
      )
    }, 120_000)
  }
})
