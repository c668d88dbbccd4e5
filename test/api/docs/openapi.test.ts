import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Value } from "@sinclair/typebox/value"
import { exampleOf as recordedExample } from "../../../scripts/list-examples.ts"
import { llmsText } from "../../../src/api/docs/llms.ts"
import type { OperationObject } from "../../../src/api/docs/openapi.ts"
import { exampleOf } from "../../../src/api/examples/examples.ts"
import { tokensOf } from "../../../src/api/items/tokens.ts"
import { catalogue } from "../../../src/catalogue/index.ts"
import { checkInput } from "../../../src/catalogue/kit/index.ts"
import { verificationOf } from "../../../src/catalogue/verification.ts"
import { loadConfig } from "../../../src/config/config.ts"
import { version } from "../../../src/config/version.ts"
import { routes as screens } from "../../../src/console/routing/routes.ts"
import { root, TestApp } from "../app.ts"

let app: TestApp
// biome-ignore lint/suspicious/noExplicitAny: the document is what is tested
let document: any
beforeAll(async () => {
  app = await TestApp.open()
  document = (await app.get("/openapi.json")).body
})
afterAll(() => app.close())

const methods = ["get", "post", "put", "patch", "delete"]
const operations = (): { place: string; method: string; operation: OperationObject }[] =>
  Object.entries(document.paths).flatMap(([place, item]) =>
    Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => ({
      place,
      method,
      operation,
    })),
  )

/** A route as the document writes it. */
const named = (path: string) => path.replace(/:(\w+)/g, "{$1}")

describe("/openapi.json", () => {
  test("has every route and no other", () => {
    // Screens and their files, the response for unknown tools, and requests that MCP refuses.
    const hidden = [
      "GET /api/tools/{tool}",
      // SearXNG's form (docs/guide/use/search.md).
      "GET /search",
      "POST /search",
      "GET /docs/guide/pictures/{name}",
      "GET /docs/start.js",
      "GET /docs/reference.js",
      "GET /favicon.ico",
      ...screens.filter(({ path }) => path !== "/").map(({ path }) => `GET ${named(path)}`),
      "GET /console/catalogue",
      "POST /console/fields",
      "GET /console/scrapers/{slug}",
      "GET /console/times",
      "GET /console/picture",
      "GET /console/push-key",
      "GET /console/tools",
      "GET /console/which",
      "GET /console/find",
      "GET /console/{file}",
      "GET /robots.txt",
      "GET /api/mcp",
      "DELETE /api/mcp",
      // Jina's reader, as POST.
      "POST /",
    ]
    const routes = app.app.routes
      .filter(({ method }) => method !== "OPTIONS")
      // The forms of other services have their own documents (docs/guide/use/compatibility.md).
      .filter(({ path }) => !/^\/(?:r|s|v1|v2)\//.test(path))
      .map(({ method, path }) => `${method} ${named(path)}`)
      .filter((route) => !hidden.includes(route))
    const documented = operations().map(({ place, method }) => `${method.toUpperCase()} ${place}`)
    expect(documented.sort()).toEqual(routes.sort())
  })

  test("operations have unique IDs, summaries, known tags and security", () => {
    const all = operations()
    const ids = all.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags.map((tag: { name: string }) => tag.name)
    for (const { place, method, operation } of all) {
      expect(methods, place).toContain(method)
      expect(operation.summary.length, place).toBeGreaterThan(5)
      expect(tags).toContain(operation.tags[0])
      const secured = operation.security.length > 0
      // A link with a password is opened by people without an account.
      const isOpen = place.endsWith("/links/unlock")
      if (place.startsWith("/api/v1")) expect(secured, place).toBe(!isOpen)
      if (secured) expect(Object.keys(operation.responses)).toContain("401")
    }
  })

  test("path parameters match the path, each with a schema", () => {
    for (const { place, operation } of operations()) {
      const inPath = [...place.matchAll(/{(\w+)}/g)].map((match) => match[1]!)
      const described = operation.parameters as { name: string; in: string; schema?: object }[]
      const named = described.filter((one) => one.in === "path").map((one) => one.name)
      expect(named.sort(), place).toEqual(inPath.sort())
      for (const one of described) expect(one.schema, `${place} ${one.name}`).toBeObject()
    }
  })

  test("every body has an example, every response a description, every reference a target", () => {
    for (const { place, operation } of operations()) {
      const content = (operation.requestBody as { content?: object } | undefined)?.content
      const json = (content as Record<string, { examples?: object }>)?.["application/json"]
      if (json) expect(Object.keys(json.examples ?? {}).length, place).toBeGreaterThan(0)
      for (const [status, reply] of Object.entries(operation.responses)) {
        expect((reply as { description: string }).description, `${place} ${status}`).toBeString()
        if (status === "200") expect(reply, `${place} ${status}`).toHaveProperty("content")
      }
    }
    const text = JSON.stringify(document)
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(document.components.schemas[name!], name).toBeDefined()
    }
    for (const scheme of ["key", "session"]) {
      expect(document.components.securitySchemes[scheme]).toBeDefined()
    }
  })

  test("contains what the interface requires", () => {
    expect(document).toMatchObject({
      openapi: "3.1.0",
      info: { version },
      servers: [{ url: root }],
    })
    const start = document.paths["/api/v1/scrapers/{slug}/runs"].post
    expect(Object.keys(start.responses)).toEqual(
      expect.arrayContaining(["201", "400", "401", "402", "404", "413", "415", "422", "429"]),
    )
    const wait = start.parameters.find((one: { name: string }) => one.name === "waitForFinish")
    expect(wait.schema).toMatchObject({ minimum: 0, maximum: 300 })
    const slug = start.parameters.find((one: { name: string }) => one.name === "slug")
    expect(slug.schema.enum).toHaveLength(app.service.catalogue.length)
    const agent = document.paths["/api/agent/scrape"].post
    expect(Object.keys(agent.responses)).toEqual(expect.arrayContaining(["200", "402"]))
    expect(document.components.schemas.Error.properties.error.required).toEqual([
      "code",
      "message",
      "status",
    ])
  })
})

describe("the schemas of scrapers", () => {
  const slug = "words-scraper"

  test("are included by name, where any object was allowed", async () => {
    const { body } = await app.get(`/openapi.json?scraper=${slug}`)
    const { schemas } = body.components
    expect(schemas[`Input.${slug}`].properties.words).toMatchObject({ type: "array" })
    expect(schemas[`Item.${slug}`].anyOf).toMatchObject([
      { properties: { word: { type: "string" } } },
      { $ref: "#/components/schemas/ErrorItem" },
    ])
    const input = { $ref: `#/components/schemas/Input.${slug}` }
    const start = body.paths["/api/v1/scrapers/{slug}/runs"].post
    expect(start.requestBody.content["application/json"].schema).toEqual(input)
    expect(start.parameters[0].schema.enum).toEqual([slug])
    expect(schemas.Items.properties.items.items).toEqual({
      $ref: `#/components/schemas/Item.${slug}`,
    })
    const byName = body.paths["/api/scrape/{scraper}"].get.parameters
    expect(byName.find((one: { name: string }) => one.name === "parameters")).toMatchObject({
      in: "query",
      style: "form",
      explode: true,
      schema: input,
    })
    expect(document.components.schemas).not.toHaveProperty([`Input.${slug}`])
  })

  test("of several scrapers, and of all", async () => {
    const { body: all } = await app.get("/openapi.json?scrapers=all")
    for (const scraper of app.service.catalogue) {
      expect(all.components.schemas, scraper.slug).toHaveProperty([`Item.${scraper.slug}`])
    }
    for (const [, name] of JSON.stringify(all).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(all.components.schemas[name!], name).toBeDefined()
    }
    const [one, other] = app.service.catalogue
    const { body: two } = await app.get(`/openapi.json?scraper=${one!.slug},${other!.slug}`)
    const named = Object.keys(two.components.schemas).filter((name) => name.includes("."))
    expect(named).toHaveLength(4)
  })

  test("of an unknown scraper are refused with the nearest name", async () => {
    const { status, body } = await app.get("/openapi.json?scraper=wrods-scraper")
    expect(status).toBe(404)
    expect(body.error.message).toContain("words-scraper")
    expect((await app.get("/openapi.json?scrapr=x")).body.error.message).toContain('"scraper"')
  })
})

describe("examples", () => {
  test("are items of recorded cases, and match their schemas", async () => {
    for (const { slug, item, input } of catalogue) {
      const example = exampleOf(slug)
      expect(example, slug).toBeDefined()
      expect(Value.Check(item, example!.item), slug).toBe(true)
      expect(checkInput(input, example!.input).ok, slug).toBe(true)
    }
    for (const slug of ["pypi-package-scraper", "hacker-news-scraper", "web-scraper"]) {
      expect(exampleOf(slug), slug).toEqual(JSON.parse(JSON.stringify(await recordedExample(slug))))
    }
  })

  test("name no field by a pattern", () => {
    const own = JSON.stringify(document)
    expect(own).not.toContain("^(.*)$")
  })
})

describe("for readers", () => {
  test("/docs loads nothing from other hosts", async () => {
    const page = await app.get("/docs")
    expect(page.headers.get("content-type")).toStartWith("text/html")
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'")
    for (const [, address] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(address).toStartWith("/")
      expect((await app.get(address!)).status, address).toBe(200)
    }
    const script = await app.get("/docs/reference.js")
    expect(script.headers.get("content-type")).toStartWith("text/javascript")
    expect(script.text.length).toBeGreaterThan(1_000_000)
  })

  test("/llms.txt has all that an agent needs on one page, and its URLs work", async () => {
    const { text, headers } = await app.get("/llms.txt")
    expect(headers.get("content-type")).toStartWith("text/plain")
    for (const word of [
      "SUCCEEDED",
      "RUNNING",
      "PAYMENT_REQUIRED",
      "INVALID_INPUT",
      "USAGE",
      "ERROR",
      "claimUrl",
      "claimStatusUrl",
      "resultUrl",
      "agentId",
      "token=",
      "Authorization: Bearer",
    ]) {
      expect(text).toContain(word)
    }
    for (const { slug } of app.service.catalogue) expect(text).toContain(`- ${slug}: `)
    const plain = [...text.matchAll(/http:\/\/trawl\.test(\/[\w./-]*\w)(?=[.]?[\s:)])/g)].map(
      (m) => m[1]!,
    )
    expect(plain.length).toBeGreaterThan(3)
    for (const path of new Set(plain)) {
      if (path === "/api/mcp") continue
      expect([200, 401], path).toContain((await app.get(path)).status)
    }
  })

  test("/llms.txt leads to items in two calls", async () => {
    const { text } = await app.get("/llms.txt")
    const [, example] = /^ {4}GET (\S+)$/m.exec(text)!
    const { body } = await app.get(example!)
    expect(body.status).toBe("SUCCEEDED")
    expect(body.items.length).toBeGreaterThan(0)
    expect(body.items[0].error).toBeUndefined()
  })

  test("/llms.txt has at most 6,000 tokens with every scraper", () => {
    const scraper = (slug: string) => catalogue.find((one) => one.slug === slug)
    const { health } = app.service
    const parts = { catalogue, config: loadConfig({}), scraper, health, signUpIsOpen: true }
    const text = llmsText(parts, "https://trawl.example.com")
    expect(tokensOf(text)).toBeLessThan(6000)
    for (const one of catalogue) {
      const [line = ""] = new RegExp(`^- ${one.slug}: .*$`, "m").exec(text) ?? []
      const isUnproven = !verificationOf(one).verified
      expect([line !== "", line.endsWith(" Unverified.")]).toEqual([true, isUnproven])
    }
    expect(text).toContain(
      "GET https://trawl.example.com/api/scrape/pypi-package-scraper?packages=",
    )
  })

  test("/llms.txt keeps to them if every scraper is failing", () => {
    const scraper = (slug: string) => catalogue.find((one) => one.slug === slug)
    for (const state of ["blocked", "broken", "needs"] as const) {
      const health = { of: (slug: string) => ({ ...app.service.health.of(slug), state }) }
      const parts = { catalogue, config: loadConfig({}), scraper, health, signUpIsOpen: true }
      expect(tokensOf(llmsText(parts, "https://trawl.example.com")), state).toBeLessThan(6000)
    }
  })

  test("/healthz", async () => {
    expect((await app.get("/healthz")).body).toEqual({ status: "ok" })
    app.service.stopping = true
    const stopping = await app.get("/healthz")
    expect([stopping.status, stopping.body.status]).toEqual([503, "stopping"])
    app.service.stopping = false
  })
})

describe("a part of the document", () => {
  test("has the routes below a path, with the schemas that they use and no other", async () => {
    const { body, text } = await app.get("/openapi.json?path=/api/v1/schedules")
    const paths = Object.keys(body.paths)
    expect(paths).toContain("/api/v1/schedules")
    expect(paths.every((path) => path.startsWith("/api/v1/schedules"))).toBe(true)
    for (const [, name] of text.matchAll(/#\/components\/schemas\/([^"]+)"/g)) {
      expect(Object.keys(body.components.schemas)).toContain(name!)
    }
    const whole = (await app.get("/openapi.json")).text
    expect(text.length).toBeLessThan(whole.length / 5)
    const none = await app.get("/openapi.json?path=/api/nowhere")
    expect(none.status).toBe(404)
    expect(none.body.error.message).toContain("/api/v1, ")
  })

  test("has a line for each route in /docs.md", async () => {
    const { text, headers } = await app.get("/docs.md")
    expect(headers.get("content-type")).toStartWith("text/markdown")
    expect(text).toContain("- `POST /api/v1/schedules`: Run a scraper on a schedule. Takes a body.")
    const routes = Object.values((await app.get("/openapi.json")).body.paths).flatMap((methods) =>
      Object.keys(methods as object),
    )
    expect(text.match(/^- `/gm)!.length).toBe(routes.length)
  })
})
