import { beforeAll, describe, expect, test } from "bun:test"
import {
  isErrorItem,
  recipe,
  type StandardSchema,
  Trawl,
  type TrawlError,
} from "../../packages/client/src/index.ts"
import { clientFiles } from "../../scripts/list-client-types.ts"
import { type RunningService, sharedService } from "./service.ts"

let service: RunningService
let trawl: Trawl
beforeAll(async () => {
  service = await sharedService()
  trawl = new Trawl({ baseUrl: service.url, apiKey: service.key })
}, 120_000)

const anonymous = () => new Trawl({ baseUrl: service.url })
const flask = { packages: ["flask"] }
const collect = async <T>(list: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(list)
const errorOf = (call: Promise<unknown>): Promise<TrawlError> =>
  call.then(
    () => expect.unreachable("The call succeeded."),
    (error) => error,
  )

describe("without a key", () => {
  test("a page is read as Markdown, and its fields by selectors", async () => {
    const page = await anonymous().scrape("https://example.com")
    const title: string | null = page.title
    expect({ title, markdown: page.markdown }).toEqual({
      title: "Example Domain",
      markdown: expect.stringContaining("# Example Domain"),
    })
    const { data } = await anonymous().scrape("https://example.com", {
      fields: { heading: "h1", "[]links": "a @href" },
    })
    const links: (string | number)[] = data.links
    expect({ heading: data.heading, links }).toEqual({
      heading: "Example Domain",
      links: ["https://iana.org/domains/example"],
    })
  })

  test("a scraper is run, and the identity of the agent stays", async () => {
    const client = anonymous()
    const { items, errors, agentId } = await client.runKeyless("pypi-package-scraper", {
      packages: ["flask", "no-such-package"],
    })
    expect(items.map(({ name }) => name)).toEqual(["Flask"])
    expect(errors).toMatchObject([{ error: { code: "not_found" } }])
    expect(client.agentId).toBe(agentId)
    const again = await client.runKeyless("pypi-package-scraper", flask)
    expect(again.agentId).toBe(agentId)
  })

  test("the web is searched, and an engine that fails is an error", async () => {
    const [first] = await anonymous().search("tower", { engines: ["wikipedia"], limit: 2 })
    expect(first).toMatchObject({
      source: 1,
      engines: ["wikipedia"],
      url: expect.stringContaining("wikipedia.org"),
    })
    const failed = anonymous().search("unrecorded", { engines: ["wikipedia"], limit: 2 })
    expect(await errorOf(failed)).toMatchObject({ name: "ApiError", code: "connection" })
  })

  test("failures are errors", async () => {
    const wrong = { packges: ["flask"] } as never
    expect(await errorOf(anonymous().runKeyless("pypi-package-scraper", wrong))).toMatchObject({
      name: "InvalidInput",
      field: "packges",
    })
    expect(await errorOf(anonymous().scrape("https://unrecorded.example"))).toMatchObject({
      name: "RunFailed",
      code: "connection",
    })
    expect(await errorOf(anonymous().scrape("not a URL"))).toMatchObject({ name: "InvalidInput" })
    expect(await errorOf(anonymous().me())).toMatchObject({ name: "Unauthorized", status: 401 })
  })
})

describe("runs", () => {
  test("return items and failed targets, typed by the scraper", async () => {
    const { run, items, errors } = await trawl.run("pypi-package-scraper", {
      packages: ["flask", "no-such-package"],
    })
    const versions: (string | null)[] = items.map(({ version }) => version)
    expect(versions).toEqual(["3.1.2"])
    expect(errors).toMatchObject([{ input: "no-such-package", error: { code: "not_found" } }])
    expect(run).toMatchObject({ status: "succeeded", itemCount: 1, errorCount: 1 })
    // @ts-expect-error an item has no such field
    void items[0]?.poem
  })

  test("yield items one by one, and return the run", async () => {
    const found = trawl.iterate("pypi-package-scraper", flask)
    expect((await found.next()).value).toMatchObject({ name: "Flask" })
    expect(await found.next()).toMatchObject({ done: true, value: { status: "succeeded" } })
  })

  test("that fail are errors with the run and its failed targets", async () => {
    for (const call of [
      trawl.run("pypi-package-scraper", { packages: ["no-such-package"] }),
      collect(trawl.iterate("pypi-package-scraper", { packages: ["no-such-package"] })),
    ]) {
      expect(await errorOf(call)).toMatchObject({
        name: "RunFailed",
        code: "not_found",
        run: { status: "failed" },
        errors: [{ input: "no-such-package" }],
      })
    }
  })

  test("are refused by field and by slug", async () => {
    // @ts-expect-error the scraper has no such input
    const misspelt = trawl.run("pypi-package-scraper", { packges: ["flask"] })
    expect(await errorOf(misspelt)).toMatchObject({
      name: "InvalidInput",
      status: 400,
      code: "invalid_input",
      field: "packges",
      message: expect.stringContaining('Did you mean "packages"?'),
    })
    // @ts-expect-error there is no such scraper
    const unknown = trawl.start("poem-scraper", {})
    expect(await errorOf(unknown)).toMatchObject({ name: "NotFound", status: 404 })
  })

  test("are started once for an idempotency key", async () => {
    const options = { idempotencyKey: `key-${Date.now()}`, maxItems: 5 }
    const [one, two] = [
      await trawl.start("pypi-package-scraper", flask, options),
      await trawl.start("pypi-package-scraper", flask, options),
    ]
    expect(two.id).toBe(one.id)
  })

  test("are waited for as long as the caller wants", async () => {
    const { id } = await trawl.start("pypi-package-scraper", flask)
    const stopped = AbortSignal.abort(new Error("No longer needed."))
    expect((await errorOf(trawl.wait(id, { signal: stopped }))).message).toBe("No longer needed.")
    expect(await errorOf(trawl.wait(id, { timeoutMs: -1 }))).toMatchObject({
      name: "WaitTimeout",
      id,
    })
    expect(await trawl.wait(id, { timeoutMs: 60_000 })).toMatchObject({ status: "succeeded" })
  })

  test("are listed, renamed, logged and deleted", async () => {
    const { id } = (await trawl.run("pypi-package-scraper", flask)).run
    expect(await trawl.runs.rename(id, "Flask once")).toMatchObject({ title: "Flask once" })
    const [listed] = await collect(trawl.runs.list({ search: "Flask once" }))
    expect(listed?.id).toBe(id)
    expect(await collect(trawl.runs.targets(id))).toMatchObject([
      { target: "flask", state: "done" },
    ])
    expect(await collect(trawl.runs.log(id))).toBeArray()
    expect(await trawl.estimate("pypi-package-scraper", flask)).toMatchObject({ targets: 1 })
    await trawl.runs.delete(id)
    expect(await errorOf(trawl.runs.get(id))).toMatchObject({ name: "NotFound" })
  })
})

describe("datasets", () => {
  test("are read lazily, chosen and exported", async () => {
    const { run } = await trawl.run("pypi-package-scraper", {
      packages: ["flask", "tidecharts", "no-such-package"],
    })
    const { datasetId } = run
    const names = async (options: Parameters<typeof trawl.datasets.items>[1]) =>
      (await collect(trawl.datasets.items<{ name: string }>(datasetId, options))).map((item) =>
        isErrorItem(item) ? item.error.code : item.name,
      )
    expect(await names({ pageSize: 1 })).toEqual(["Flask", "tidecharts", "not_found"])
    expect(await names({ pageSize: 1, clean: true, sort: "-name" })).toEqual([
      "tidecharts",
      "Flask",
    ])
    expect(await names({ filter: ["name=Flask"] })).toEqual(["Flask"])
    const csv = await trawl.datasets.export(datasetId, "csv", { columns: ["name"], clean: true })
    expect(await csv.text()).toBe("name\r\nFlask\r\ntidecharts\r\n")
    const xlsx = await trawl.datasets.export(datasetId, "xlsx")
    expect((await xlsx.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    const shared = await trawl.datasets.share(datasetId, { password: "correct horse" })
    expect(shared).toMatchObject({ hasPassword: true })
    expect((await collect(trawl.datasets.list())).map(({ id }) => id)).toContain(datasetId)
  })

  test("are compared", async () => {
    const { run: before } = await trawl.run("pypi-package-scraper", flask)
    const { run: after } = await trawl.run("pypi-package-scraper", { packages: ["tidecharts"] })
    const options = { since: before.datasetId, by: ["name"] }
    const changes = await collect(trawl.datasets.diff(after.datasetId, options))
    expect(changes.map(({ change, key }) => `${change} ${key}`).sort()).toEqual([
      "added tidecharts",
      "removed Flask",
    ])
  })
})

describe("automation", () => {
  test("a batch runs many inputs, and reads a file", async () => {
    const { id } = await trawl.batches.create(
      "pypi-package-scraper",
      [flask, { packages: ["tidecharts"] }],
      { name: "two" },
    )
    expect(await trawl.batches.wait(id)).toMatchObject({ status: "finished", itemCount: 2 })
    const items = await collect(trawl.batches.items<{ name: string }>(id))
    expect(items.map(({ name }) => name)).toEqual(["Flask", "tidecharts"])
    expect(await collect(trawl.batches.runs(id))).toBeArrayOfSize(2)

    const file = new Blob(["package,stars\nflask,70000\n"], { type: "text/csv" })
    const uploaded = await trawl.batches.upload("pypi-package-scraper", file, { column: "package" })
    await trawl.batches.wait(uploaded.id)
    const csv = await trawl.batches.export(uploaded.id, "csv", { columns: ["name"] })
    expect(await csv.text()).toBe("name\r\nFlask\r\n")
  })

  test("a schedule runs, is changed and watched", async () => {
    const { id } = await trawl.schedules.create("pypi-package-scraper", flask, {
      cron: "0 6 * * *",
      name: "Every morning",
      conditions: [{ when: "changed", field: "version" }],
    })
    const { id: runId } = await trawl.schedules.run(id)
    await trawl.wait(runId)
    expect(await trawl.schedules.change(id, { enabled: false })).toMatchObject({ enabled: false })
    expect((await collect(trawl.schedules.list())).map(({ name }) => name)).toEqual([
      "Every morning",
    ])
    expect(await trawl.monitors.get(id)).toMatchObject({ id, conditions: [{ when: "changed" }] })
    expect((await collect(trawl.monitors.list())).map((monitor) => monitor.id)).toEqual([id])
    expect(await trawl.monitors.changes(id)).toEqual([])
    await trawl.schedules.delete(id)
    expect(await errorOf(trawl.schedules.get(id))).toMatchObject({ name: "NotFound" })
  })

  test("a recipe has items of its own type", async () => {
    const { id, slug } = await trawl.recipes.create({
      slug: "example-title",
      name: "Title",
      pattern: "example.com/*",
      input: { fields: ["title: h1"] },
    })
    interface Page {
      data: { title: string }
    }
    const { items } = await trawl.run(recipe<Page>(slug), { urls: ["https://example.com/"] })
    const title: string | undefined = items[0]?.data.title
    expect(title).toBe("Example Domain")
    const schema: StandardSchema<Page> = { "~standard": {} }
    const yielded = await collect(
      trawl.iterate(recipe(slug, schema), { urls: ["https://example.com/"] }),
    )
    expect(yielded.map(({ data }) => data.title)).toEqual(["Example Domain"])
    await trawl.recipes.delete(id)
    expect(await collect(trawl.recipes.list())).toEqual([])
  })

  test("a session and a destination are named by each start", async () => {
    const named = { session: "no-such-session" }
    const input = { urls: ["https://example.com"] }
    const slug = "url-to-markdown-scraper"
    for (const call of [
      () => trawl.start(slug, input, named),
      () => trawl.batches.create(slug, [input], named),
      () => trawl.batches.upload(slug, "https://example.com\n", { ...named, type: "text/plain" }),
      () => trawl.schedules.create(slug, input, { ...named, cron: "0 6 * * *" }),
      () => trawl.start(slug, input, { destination: "no-such-destination" }),
    ]) {
      expect((await errorOf(call())).message).toMatch(/no-such-(session|destination)/)
    }
  })

  test("any other route is called by its path", async () => {
    const { items } = await trawl.request<{ items: { name: string }[] }>("GET", "/api/v1/keys", {
      query: { limit: 5 },
    })
    expect(items).toBeArrayOfSize(1)
    expect((await trawl.me()).email).toBe("ada@example.com")
    const map = await trawl.map("https://example.com")
    expect(map.links).toMatchObject([{ url: "https://example.com/" }])
  })
})

test("the generated files fit the schemas (bun scripts/list-client-types.ts)", async () => {
  for (const [path, text] of Object.entries(await clientFiles())) {
    expect(await Bun.file(path).text(), path).toBe(text)
  }
})
