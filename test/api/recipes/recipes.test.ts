import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Command } from "commander"
import { maxRecipes, scraperFor } from "../../../src/api/recipes/own-scrapers.ts"
import { catalogue } from "../../../src/catalogue/index.ts"
import { RunDisplay } from "../../../src/cli/run/display.ts"
import type { Inputs } from "../../../src/cli/run/input.ts"
import { runThere } from "../../../src/cli/run/remote.ts"
import { registerRun } from "../../../src/cli/run/run.ts"
import { registerWhich } from "../../../src/cli/which.ts"
import { ScheduleClock } from "../../../src/engine/runtime/schedules/clock.ts"
import { newId } from "../../../src/store/db/ids.ts"
import { TestApp } from "../app.ts"

const page = (name: string) =>
  `<html><head><title>${name}</title></head><body><h1>${name}</h1><p class="price">${name.length} €</p>
  <img src="/a.png"><img src="/b.png"><p>${"Words of a page that is whole. ".repeat(20)}</p></body></html>`

let app: TestApp
let key: string
let accountId: string
let anonymousCaller: string
beforeAll(async () => {
  app = await TestApp.open(
    { freeDaily: 1000 },
    catalogue.filter(({ slug }) => ["web-scraper", "pypi-package-scraper"].includes(slug)),
    undefined,
    {
      send: async ({ url }) => ({
        status: url.endsWith("robots.txt") ? 404 : 200,
        headers: new Headers({ "content-type": "text/html" }),
        bytes: new TextEncoder().encode(page(new URL(url).pathname.slice(1))),
        via: "http",
        firstByte: null,
      }),
    },
  )
  ;({ id: accountId, key } = await app.account({ unlimited: true }))
  ;({ key: anonymousCaller } = await app.account())
})
afterAll(() => app.close())

const recipe = {
  slug: "shop-products",
  name: "Products of the shop",
  pattern: "shop.test/products/*",
  input: { fields: ["title: h1", "price: .price", "[]images: img @src"] },
}
const make = (body: object, as = key) => app.post("/api/v1/recipes", { key: as, body })
const remove = (id: string) => app.call("DELETE", `/api/v1/recipes/${id}`, { key })

test("a single field and a single URL need no list", async () => {
  const url = "https://shop.test/products/lamp"
  const { status, body } = await make({
    ...recipe,
    slug: "one-field",
    input: { fields: "title: h1", urls: url },
  })
  expect({ status, fields: body.fields }).toEqual({ status: 201, fields: ["title"] })
  const path = "/api/v1/scrapers/one-field/runs?waitForFinish=60"
  const run = await app.post(path, { key, body: {} })
  const items = await app.get(`/api/v1/datasets/${run.body.datasetId}/items`, { key })
  expect(items.body.items).toMatchObject([{ url, data: { title: "products/lamp" } }])
  expect((await app.get("/api/v1/recipes", { key })).status).toBe(200)
  await remove(body.id)
})

/** Creates a recipe for one test. */
async function withRecipe(work: (recipe: { id: string; slug: string }) => Promise<void>) {
  const { status, body } = await make(recipe)
  expect(status).toBe(201)
  try {
    await work(body)
  } finally {
    await remove(body.id)
  }
}

describe("the API of recipes", () => {
  test("a recipe is created, read, listed, changed and deleted", async () => {
    const made = await make(recipe)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...recipe,
      description: null,
      fields: ["title", "price", "images"],
    })
    const path = `/api/v1/recipes/${made.body.id}`
    expect((await app.get(path, { key })).body).toEqual(made.body)
    const changed = await app.call("PATCH", path, {
      key,
      body: { slug: "shop-things", description: "What it sells.", input: { fields: ["name: h1"] } },
    })
    expect(changed.body).toMatchObject({
      slug: "shop-things",
      description: "What it sells.",
      pattern: recipe.pattern,
      fields: ["name"],
    })
    const listed = await app.get("/api/v1/recipes?limit=1", { key })
    expect(listed.body).toMatchObject({ total: 1, nextCursor: null })
    expect(listed.body.items).toEqual([changed.body])
    expect((await remove(made.body.id)).status).toBe(204)
    expect((await app.get(path, { key })).status).toBe(404)
  })

  test("lists continue by cursor, and other accounts see nothing", async () => {
    const made = await Promise.all(["a", "b", "c"].map((slug) => make({ ...recipe, slug })))
    const first = (await app.get("/api/v1/recipes?limit=2", { key })).body
    const second = (await app.get(`/api/v1/recipes?limit=2&cursor=${first.nextCursor}`, { key }))
      .body
    const slugs = [...first.items, ...second.items].map(({ slug }: { slug: string }) => slug)
    expect(slugs.sort()).toEqual(["a", "b", "c"])
    expect((await app.get("/api/v1/recipes", { key: anonymousCaller })).body.total).toBe(0)
    expect((await app.get("/api/v1/scrapers/a", { key: anonymousCaller })).status).toBe(404)
    for (const { body } of made) await remove(body.id)
  })

  const issues: [what: string, change: object, field: string, says: string][] = [
    ["a scraper's own slug", { slug: "web-scraper" }, "slug", "catalogue"],
    ["a slug with capitals", { slug: "Shop" }, "slug", '"slug"'],
    ["a pattern without a host", { pattern: "/products" }, "pattern", "host"],
    ["no field", { input: { fields: [] } }, "input.fields", "at least one field"],
    ["an invalid selector", { input: { fields: ["a: ]["] } }, "input.fields", "not a CSS selector"],
    [
      "an input that there is not",
      { input: { fields: ["a: b"], field: 1 } },
      "input.field",
      '"fields"',
    ],
    [
      "pages of elsewhere",
      { input: { fields: ["a: b"], urls: ["https://other.test/"] } },
      "input.urls[0]",
      "shop.test",
    ],
    [
      "an input that is too large",
      { input: { fields: ["a: b"], x: "x".repeat(16_000) } },
      "input",
      "16000",
    ],
  ]
  for (const [what, change, field, expected] of issues) {
    test(`${what} is refused by name`, async () => {
      const { status, body } = await make({ ...recipe, ...change })
      expect(status).toBe(400)
      expect(body.error.details[0].field).toBe(field)
      expect(body.error.details[0].message).toContain(expected)
    })
  }

  test("a slug is unique, and the number per account is limited", async () => {
    await withRecipe(async () => {
      expect((await make(recipe)).status).toBe(409)
      const other = await make({ ...recipe, slug: "other" })
      const change = await app.call("PATCH", `/api/v1/recipes/${other.body.id}`, {
        key,
        body: { slug: recipe.slug },
      })
      expect(change.status).toBe(409)
      await remove(other.body.id)
    })
    const full = await app.account()
    const now = new Date().toISOString()
    for (let position = 0; position < maxRecipes; position++) {
      const row = {
        ...recipe,
        id: newId("rcp"),
        slug: `r${position}`,
        input: "{}",
        description: null,
      }
      await app.store.write("recipes.create", {
        ...row,
        account_id: full.id,
        created_at: now,
        updated_at: now,
        maximum: maxRecipes,
      })
    }
    const { status, body } = await make(recipe, full.key)
    expect(status).toBe(409)
    expect(body.error.message).toContain(String(maxRecipes))
  })
})

describe("a recipe is a scraper of its account", () => {
  const runs = "/api/v1/scrapers/shop-products/runs?waitForFinish=60"

  test("is listed first and marked, found by a URL, and described", () =>
    withRecipe(async ({ id }) => {
      const all = (await app.get("/api/v1/scrapers", { key })).body
      expect(all.items.map((one: { recipeId: string | null }) => one.recipeId)).toEqual([
        id,
        null,
        null,
      ])
      expect((await app.get("/api/v1/scrapers", { key: anonymousCaller })).body.total).toBe(2)
      const found = await app.get("/api/v1/scrapers?url=www.shop.test/products/7", { key })
      expect(found.body.items[0].slug).toBe("shop-products")
      const other = await app.get("/api/v1/scrapers?url=https://shop.test/", { key })
      expect(other.body.items.map((one: { slug: string }) => one.slug)).toEqual(["web-scraper"])
      expect((await app.get("/api/v1/scrapers?url=mailto:a@b.c", { key })).status).toBe(400)
      const { body } = await app.get("/api/v1/scrapers/shop-products", { key })
      expect(body.inputSchema.required).toEqual(["urls"])
      expect(body.tagline).toBe("Reads title, price, images of shop.test/products/*.")
      const [item] = body.itemSchema.anyOf
      expect(Object.keys(item.properties.data.properties)).toEqual(["title", "price", "images"])
    }))

  test("is run by its slug or a part of it, and its runs are found by it", () =>
    withRecipe(async () => {
      const { status, body: run } = await app.post(runs, {
        key,
        body: { urls: ["https://shop.test/products/lamp"] },
      })
      expect([status, run.status]).toEqual([201, "succeeded"])
      expect(run).toMatchObject({
        scraper: "web-scraper",
        recipe: "shop-products",
        targetsTotal: 1,
      })
      const { body } = await app.get(`/api/v1/datasets/${run.datasetId}/items`, { key })
      expect(body.items[0].data).toEqual({
        title: "products/lamp",
        price: "13 €",
        images: ["https://shop.test/a.png", "https://shop.test/b.png"],
      })
      await app.post("/api/v1/scrapers/shop/runs", {
        key,
        body: { urls: ["shop.test/products/b"] },
      })
      const own = (await app.get("/api/v1/runs?scraper=shop-products", { key })).body
      expect(own.items.map((one: { recipe: string }) => one.recipe)).toEqual([
        "shop-products",
        "shop-products",
      ])
      expect((await app.get("/api/v1/runs?scraper=pypi-package-scraper", { key })).body.total).toBe(
        0,
      )
    }))

  test("refuses pages of other sites by name, and calls without a key", () =>
    withRecipe(async () => {
      const wrong = await app.post(runs, {
        key,
        body: { urls: ["shop.test/products/a", "https://other.test/"] },
      })
      expect(wrong.status).toBe(400)
      expect(wrong.body.error.details[0]).toMatchObject({
        field: "urls[1]",
        actual: "https://other.test/",
      })
      expect((await app.post(runs, { body: { urls: ["shop.test/products/a"] } })).status).toBe(401)
      expect(
        (await app.post(runs, { key: anonymousCaller, body: { urls: ["shop.test/products/a"] } }))
          .status,
      ).toBe(404)
      const keyless = await app.get("/api/scrape/shop-products?urls=shop.test/products/a")
      expect(keyless.text).toContain('There is no scraper "shop-products"'.replaceAll('"', '\\"'))
    }))

  test("with its own pages and a schema instead of fields needs no input", async () => {
    const urls = ["https://shop.test/products/a", "https://shop.test/products/b"]
    const schema = {
      type: "object",
      properties: { cost: { type: "string", "x-selector": ".price" } },
    }
    const { body: made } = await make({
      ...recipe,
      slug: "watch",
      input: { urls, extract: { schema } },
    })
    const { body: run } = await app.post("/api/v1/scrapers/watch/runs?waitForFinish=60", {
      key,
      body: {},
    })
    const { body } = await app.get(`/api/v1/datasets/${run.datasetId}/items`, { key })
    const costs = body.items.map(({ extracted }: { extracted: { data: object } }) => extracted.data)
    expect(costs).toEqual([{ cost: "10 €" }, { cost: "10 €" }])
    await remove(made.id)
  })

  test("works in batches and schedules; a schedule uses its current version", () =>
    withRecipe(async ({ id }) => {
      const input = { urls: ["https://shop.test/products/lamp"] }
      const batch = await app.post("/api/v1/batches", {
        key,
        body: {
          runs: [
            { scraper: "shop-products", input },
            { scraper: "web-scraper", input: { ...input, fields: ["a: h1"] } },
          ],
        },
      })
      expect(batch.status).toBe(201)
      const started = (await app.get(`/api/v1/batches/${batch.body.id}/runs`, { key })).body.items
      expect(started.map((run: { recipe: string | null }) => run.recipe)).toEqual([
        "shop-products",
        null,
      ])
      const wrong = await app.post("/api/v1/batches", {
        key: anonymousCaller,
        body: { scraper: "shop-products", inputs: [input] },
      })
      expect(wrong.body.error.details[0].message).toContain('There is no scraper "shop-products"')

      const schedule = await app.post("/api/v1/schedules", {
        key,
        body: { scraper: "shop-products", input, cron: "0 9 * * *" },
      })
      expect(schedule.body.scraper).toBe("shop-products")
      await app.call("PATCH", `/api/v1/recipes/${id}`, {
        key,
        body: { input: { fields: ["new: h1"] } },
      })
      const scheduledRun = async (time: string) => {
        const set = { next_at: time }
        await app.store.write("schedules.change", { id: schedule.body.id, accountId, set })
        const { store, service } = app
        const scraper = (slug: string, account: string) => scraperFor(service, account, slug)
        await new ScheduleClock({
          store,
          runs: app.runs,
          onError: (message) => expect(message).toBeUndefined(),
          scraper,
          now: () => new Date(time),
        }).poll()
        return (await app.get(`/api/v1/schedules/${schedule.body.id}`, { key })).body
      }
      const fired = await scheduledRun("2031-01-01T09:00:00.000Z")
      const { body: run } = await app.get(`/api/v1/runs/${fired.recentRuns[0].runId}`, { key })
      expect(run).toMatchObject({
        recipe: "shop-products",
        input: { fields: ["new: h1"], ...input },
      })
      await remove(id)
      const ended = await scheduledRun("2031-01-02T09:00:00.000Z")
      expect(ended).toMatchObject({ enabled: false })
      expect(ended.disabledReason).toContain('"shop-products"')
    }))

  test("is deleted with its account", async () => {
    const leaving = await app.account()
    expect((await make(recipe, leaving.key)).status).toBe(201)
    await app.store.write("accounts.delete", { id: leaving.id, at: new Date().toISOString() })
    const rows = await app.store.db
      .selectFrom("recipes")
      .where("account_id", "=", leaving.id)
      .selectAll()
      .execute()
    expect(rows).toEqual([])
  })
})

test("agents with its key find it, run it, and see a change at once", () =>
  withRecipe(async ({ id }) => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (call) => app.app.handle(call),
    })
    const connect = async (as: string | undefined, query = "") => {
      const client = new Client({ name: "test", version: "1" })
      const requestInit = as ? { headers: { authorization: `Bearer ${as}` } } : {}
      const url = new URL(`http://127.0.0.1:${server.port}/api/mcp${query}`)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
      return client
    }
    const textOf = (result: Record<string, unknown>) =>
      (result.content as { text: string }[])[0]!.text
    const clients = await Promise.all([
      connect(key),
      connect(anonymousCaller),
      connect(undefined),
      connect(key, "?set=meta"),
    ])
    const [own, other, keyless, meta] = clients as [Client, Client, Client, Client]
    try {
      const names = async (client: Client) =>
        (await client.listTools()).tools.map(({ name }) => name)
      expect(await names(own)).toContain("shop-products")
      expect(await names(other)).not.toContain("shop-products")
      expect(await names(keyless)).not.toContain("shop-products")
      const urls = ["https://shop.test/products/lamp"]
      expect(textOf(await own.callTool({ name: "shop-products", arguments: { urls } }))).toContain(
        "13 €",
      )
      const found = textOf(
        await meta.callTool({ name: "find_scrapers", arguments: { query: "shop products" } }),
      )
      expect(found).toContain("shop-products (web): ")
      const started = await meta.callTool({
        name: "start_run",
        arguments: { scraper: "shop-products", input: { urls } },
      })
      expect(started.isError).not.toBe(true)
      await app.call("PATCH", `/api/v1/recipes/${id}`, { key, body: { slug: "other-name" } })
      expect(await names(own)).toContain("other-name")
    } finally {
      for (const client of clients) await client.close()
      await server.stop(true)
    }
  }))

test("a signed-in browser sees it in the catalogue and for its URLs", () =>
  withRecipe(async ({ id }) => {
    const { token } = await app.service.accounts.startSession(accountId)
    const headers = { cookie: `trawl_session=${token}` }
    const ids = async (path: string, more = {}) =>
      (await app.get(path, more)).body.scrapers.map(
        (one: { recipeId: string | null }) => one.recipeId,
      )
    expect(await ids("/console/catalogue", { headers })).toEqual([id, null, null])
    expect(await ids("/console/catalogue")).toEqual([null, null])
    expect(await ids("/console/which?url=shop.test/products/1", { headers })).toEqual([id])
    expect(await ids("/console/which?url=shop.test/products/1")).toEqual([])
    const visible = await app.get("/console/scrapers/shop-products", { headers })
    // The URL of an existing page cannot be guessed.
    expect(visible.body).toMatchObject({ recipeId: id, verified: true, example: {} })
    expect((await app.get("/console/scrapers/shop-products")).status).toBe(404)
    expect((await app.get("/scrapers/shop-products", { headers })).status).toBe(200)
    expect((await app.get("/scrapers/shop-products")).status).toBe(404)
  }))

describe("the command line with a remote Trawl", () => {
  let server: ReturnType<typeof Bun.serve>
  beforeAll(() => {
    const fetch = (request: Request) => app.app.handle(request)
    server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 60, fetch })
  })
  afterAll(() => server.stop(true))

  test("which lists the account's recipes too", async () => {
    await withRecipe(async () => {
      const reported = spyOn(console, "log").mockImplementation(() => {})
      const words = ["which", "shop.test/products/1", "--json", "--remote", String(server.url)]
      try {
        const program = new Command()
        registerWhich(program)
        await program.parseAsync([...words, "--key", key], { from: "user" })
        const found = JSON.parse(reported.mock.calls[0]![0])
        expect(found[0]).toMatchObject({ slug: recipe.slug, fits: true })
        expect(found.map(({ slug }: { slug: string }) => slug)).toContain("web-scraper")
      } finally {
        reported.mockRestore()
      }
    })
  })

  test("run runs a recipe of the remote Trawl", async () => {
    await withRecipe(async ({ slug }) => {
      const folder = mkdtempSync(join(tmpdir(), "trawl-remote-"))
      const output = join(folder, "items.jsonl")
      const call = async (...words: string[]) => {
        const program = new Command()
        registerRun(program)
        const to = ["--remote", String(server.url), "--key", key, "-o", output, "--quiet"]
        await program.parseAsync(["run", ...words, ...to], { from: "user" })
      }
      const stated = spyOn(console, "error").mockImplementation(() => {})
      const before = process.exitCode
      try {
        await call(slug, "https://shop.test/products/1", "https://shop.test/products/22")
        expect(process.exitCode).toBe(0)
        const items = readFileSync(output, "utf8").trimEnd().split("\n")
        expect(items.map((line) => JSON.parse(line).data.title)).toEqual([
          "products/1",
          "products/22",
        ])
        await call(slug, "https://else.test/products/1")
        expect(stated.mock.lastCall?.[0]).toContain("does not match shop.test/products/*")
        await call("shop-product", "https://shop.test/products/1")
        expect(stated.mock.lastCall?.[0]).toContain("Did you mean shop-products")
        expect(process.exitCode).toBe(2)
      } finally {
        process.exitCode = before ?? 0
        stated.mockRestore()
        rmSync(folder, { recursive: true, force: true })
      }
    })
  })

  test("a remote run prints its items here, one input after the other", async () => {
    const scraper = app.service.scraper("web-scraper")!
    const input = (name: string) => ({
      urls: [`https://shop.test/${name}`],
      fields: ["title: h1"],
    })
    const inputs: Inputs = [input("one"), input("three")]
    const titles: unknown[] = []
    const outcome = await runThere(
      String(server.url),
      scraper,
      inputs,
      { key },
      new RunDisplay(true),
      async (items) => {
        for await (const { data } of items) titles.push((data as { title: string }).title)
      },
    )
    expect([outcome, titles]).toEqual([{ status: "succeeded", errors: 0 }, ["one", "three"]])
  })
})

test("a limited key cannot change a recipe that a schedule runs", async () => {
  const limits = { name: "limited", creditLimit: 5 }
  const { body: limited } = await app.post("/api/v1/keys", { key, body: limits })
  const { body: own } = await make({ ...recipe, slug: "scheduled-products" })
  const { id, slug } = own
  const path = `/api/v1/recipes/${id}`
  const call = (method: string, body?: object) =>
    app.call(method, path, { key: limited.apiKey, body }).then(({ status }) => status)
  expect(await call("PATCH", { description: "Before." })).toBe(200)
  const schedule = {
    scraper: slug,
    input: { urls: ["https://shop.test/products/a"] },
    cron: "0 0 * * *",
  }
  const made = await app.post("/api/v1/schedules", { key, body: schedule })
  expect(made.status).toBe(201)
  expect([await call("PATCH", { description: "After." }), await call("DELETE")]).toEqual([403, 403])
  const { status } = await app.call("PATCH", path, { key, body: { description: "Full." } })
  expect(status).toBe(200)
  await app.call("DELETE", `/api/v1/schedules/${made.body.id}`, { key })
  await remove(id)
})

test("a recipe's run in a batch and one started at once have the same input, so they compare", async () => {
  await withRecipe(async ({ slug }) => {
    const urls = ["https://shop.test/products/1"]
    const body = { scraper: slug, inputs: [{ urls }] }
    const { body: batch } = await app.post("/api/v1/batches", { key, body })
    const started = await app.get(`/api/v1/batches/${batch.id}/runs`, { key })
    const first = started.body.items[0]
    await app.get(`/api/v1/runs/${first.id}?waitForFinish=20`, { key })
    const path = `/api/v1/scrapers/${slug}/runs?waitForFinish=20`
    const { body: second } = await app.post(path, { key, body: { urls } })
    const diff = await app.get(`/api/v1/datasets/${second.datasetId}/diff`, { key })
    expect([diff.status, diff.body.total]).toEqual([200, 0])
  })
})
