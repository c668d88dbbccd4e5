import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type ApifyClient, DownloadItemsFormat } from "apify-client"
import { DropIn } from "./compat.ts"

/** Uses the official client against the running service. */
let here: DropIn
let key: string
let client: ApifyClient
beforeAll(async () => {
  here = await DropIn.open()
  ;({ key } = await here.app.account({ unlimited: true }))
  client = here.apify(key, { publicBaseUrl: here.root })
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`
const actor = () => client.actor("trawl/url-to-markdown-scraper")

test("actors are the scrapers", async () => {
  const { items, total } = await client.actors().list()
  expect(total).toBe(here.app.service.catalogue.length)
  expect(items.map(({ name }) => name)).toContain("url-to-markdown-scraper")
  expect(await actor().get()).toMatchObject({
    id: "trawl~url-to-markdown-scraper",
    username: "trawl",
    title: "URL to Markdown",
  })
  expect(await client.actor("trawl~nothing-of-ours").get()).toBeUndefined()
  expect(await client.actor("apify/web-scraper").get()).toBeUndefined()
  expect((await client.store().list({ search: "url to markdown" })).items).toHaveLength(1)
})

describe("a run", () => {
  test("from the call to its items", async () => {
    const run = await actor().call(
      { urls: [page("rope"), page("missing"), page("hook")] },
      { log: null },
    )
    const log = client.run(run.id).log()
    expect(await log.get()).toMatch(/ WARN https:\/\/site.test\/missing failed/)
    const followed = await new Response((await log.stream()) as unknown as ReadableStream).text()
    expect(followed).toBe((await log.get())!)
    const reported: string[] = []
    const toLog = { info: (line: string) => reported.push(line) }
    const streamed = await client.run(run.id).getStreamedLog({ toLog: toLog as never })
    streamed!.start()
    for (let waits = 0; reported.length === 0 && waits < 500; waits++) await Bun.sleep(10)
    await streamed!.stop()
    expect(reported.join("\n")).toContain("missing failed")
    expect(run).toMatchObject({
      actId: "trawl~url-to-markdown-scraper",
      status: "SUCCEEDED",
      finishedAt: expect.any(Date),
    })
    const dataset = client.dataset(run.defaultDatasetId)
    expect(await dataset.get()).toMatchObject({ itemCount: 3, cleanItemCount: 2, actRunId: run.id })
    const { items, total } = await dataset.listItems()
    expect(total).toBe(3)
    expect(items.map(({ title }) => title)).toEqual(["Rope", undefined, "Hook"])
    const clean = await dataset.listItems({ clean: true, fields: ["title", "url"], desc: true })
    expect(clean.items).toEqual([
      { url: page("hook"), title: "Hook" },
      { url: page("rope"), title: "Rope" },
    ])
    expect(clean.desc).toBe(true)
    const second = await dataset.listItems({ clean: true, offset: 1, limit: 1, omit: ["markdown"] })
    expect(second.items).toMatchObject([{ title: "Hook" }])
    expect(second.items[0]).not.toHaveProperty("markdown")
    const all = []
    for await (const item of dataset.listItems({ chunkSize: 1 })) all.push(item)
    expect(all).toHaveLength(3)
    const lines = (
      await dataset.downloadItems(DownloadItemsFormat.JSONL, { clean: true })
    ).toString()
    expect(
      lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).title),
    ).toEqual(["Rope", "Hook"])
    expect(
      (await dataset.downloadItems(DownloadItemsFormat.CSV, { fields: ["title"] })).toString(),
    ).toContain("Rope")
    const part = { clean: true, fields: ["title", "wordCount"], limit: 1 }
    const got = async (format: DownloadItemsFormat, options = {}) =>
      (await dataset.downloadItems(format, { ...part, ...options })).toString()
    expect(await got(DownloadItemsFormat.XLSX)).toStartWith("PK")
    expect(await got(DownloadItemsFormat.XML, { xmlRoot: "pages", xmlRow: "page" })).toMatch(
      /<pages>\n<page><title>Rope<\/title><wordCount>\d+<\/wordCount><\/page>\n<\/pages>/,
    )
    expect(await got(DownloadItemsFormat.HTML)).toMatch(
      /<th>title<\/th><th>wordCount<\/th>.*\n<tbody>\n<tr><td>Rope<\/td><td>\d+<\/td><\/tr>/s,
    )
    expect(await got(DownloadItemsFormat.RSS, { fields: ["url", "title"] })).toContain(
      `<item><link>${page("rope")}</link><guid>${page("rope")}</guid><url>${page("rope")}</url><title>Rope</title></item>`,
    )
    expect(await got(DownloadItemsFormat.CSV, { delimiter: ";", bom: false })).toMatch(
      /^title;wordCount\r\nRope;\d+\r\n$/,
    )
    await expect(dataset.listItems({ view: "overview" })).rejects.toThrow("view")
  })

  test("its lists can be unwound, its objects flattened", async () => {
    const run = await actor().call(
      { urls: [page("")], formats: ["links", "metadata"] },
      { log: null },
    )
    const dataset = client.dataset(run.defaultDatasetId)
    const unwound = await dataset.listItems({ unwind: ["links"], fields: ["title", "text"] })
    expect(unwound.items.slice(-2)).toEqual([
      { title: "Windlass", text: "Rope" },
      { title: "Windlass", text: "Hook" },
    ])
    const flat = await dataset.listItems({ flatten: ["metadata"], fields: ["metadata.og:title"] })
    expect(flat.items).toEqual([{ "metadata.og:title": ["Windlass"] }])
  })

  test("its storages, its log, and the last run of its actor", async () => {
    const run = await actor().start({ urls: [page("rope")] }, { waitForFinish: 20 })
    expect(run.status).toBe("SUCCEEDED")
    const store = client.keyValueStore(run.defaultKeyValueStoreId)
    expect((await store.getRecord("INPUT"))?.value).toMatchObject({ urls: [page("rope")] })
    expect((await store.getRecord("OUTPUT"))?.value).toMatchObject({ id: run.id, itemCount: 1 })
    expect(await store.getRecord("OTHER")).toBeUndefined()
    expect(await store.recordExists("INPUT")).toBe(true)
    expect(await store.recordExists("OTHER")).toBe(false)
    const addresses = [
      await client.dataset(run.defaultDatasetId).createItemsPublicUrl(),
      await store.getRecordPublicUrl("INPUT"),
      await store.createKeysPublicUrl(),
    ]
    for (const address of addresses) {
      const url = new URL(address)
      url.searchParams.set("token", key)
      expect(`${address} ${(await fetch(url)).status}`).toEndWith(" 200")
    }
    expect((await store.listKeys()).items.map(({ key }) => key)).toEqual(["INPUT", "OUTPUT"])
    const last = actor().lastRun({ status: "SUCCEEDED" })
    expect(await last.get()).toMatchObject({ id: run.id })
    expect((await last.dataset().listItems()).items).toMatchObject([{ title: "Rope" }])
    expect((await client.runs().list({ desc: true, limit: 1 })).items).toMatchObject([
      { id: run.id },
    ])
    const { items, total } = await actor().runs().list()
    expect(items.at(-1)).toMatchObject({ id: run.id })
    expect(items).toHaveLength(total)
  })

  test("is aborted, resurrected, deleted", async () => {
    const { id } = await actor().start({ urls: [page("rope"), page("stalls")] })
    const run = client.run(id)
    await run.abort()
    expect(await run.waitForFinish({ waitSecs: 20 })).toMatchObject({ status: "ABORTED" })
    await expect(run.resurrect()).resolves.toMatchObject({ id })
    await run.abort()
    await run.waitForFinish({ waitSecs: 20 })
    await run.delete()
    expect(await run.get()).toBeUndefined()
  })

  test("accepts an input that the client compresses", async () => {
    const urls = Array.from({ length: 60 }, (_, at) => `${page("rope")}?number=${at}`)
    const run = await actor().start({ urls }, { waitForFinish: 20, maxItems: 1 })
    expect(
      (await client.keyValueStore(run.defaultKeyValueStoreId).getRecord("INPUT"))?.value,
    ).toMatchObject({ urls })
  })
})

test("items by one call with the key in the URL", async () => {
  const ask = (query: string, body: unknown, headers = {}) =>
    fetch(
      `${here.root}/v2/acts/trawl~url-to-markdown-scraper/run-sync-get-dataset-items?${query}`,
      {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      },
    )
  const reply = await ask(`token=${key}&fields=title`, { urls: [page("rope")] })
  expect(reply.status).toBe(201)
  expect(await reply.json()).toEqual([{ title: "Rope" }])
  expect((await ask("", { urls: [page("rope")] })).status).toBe(401)
  // Apify reports a run that failed as its client expects: by its type and ID; found items are
  // kept.
  const urls = [page("rope"), page("stalls")]
  const failed = await ask(`token=${key}&timeout=1`, { urls })
  expect(failed.status).toBe(400)
  const { error } = (await failed.json()) as { error: { type: string; message: string } }
  expect(error.type).toBe("run-failed")
  const [, id, status] = /run ID: (run_\w+), status: ([A-Z-]+)\)/.exec(error.message)!
  expect(status).toBe("TIMED-OUT")
  expect((await client.run(id!).dataset().listItems()).items.length).toBeGreaterThan(0)
})

test("parts of a run, by the client and by the URLs of the run", async () => {
  const started = await client
    .actor("trawl/url-to-markdown-scraper")
    .start({ urls: [page("rope")] })
  const run = client.run(started.id)
  expect(await run.waitForFinish()).toMatchObject({ status: "SUCCEEDED" })
  expect(await run.get()).toMatchObject({ id: started.id })
  expect(await run.dataset().get()).toMatchObject({ itemCount: 1 })
  expect(await run.keyValueStore().get()).toMatchObject({ actRunId: started.id })
  expect(await run.requestQueue().get()).toMatchObject({ totalRequestCount: 1 })
  expect((await client.datasets().list({ desc: true, limit: 1 })).items).toMatchObject([
    { id: started.defaultDatasetId },
  ])
  const log = await run.getStreamedLog({ fromStart: true })
  log?.start()
  await log?.stop()
  const read = async (path: string, method = "GET") => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${here.root}/v2/${path}`, { method, headers })
    return { status: response.status, text: await response.text() }
  }
  const answers = [
    ["dataset", started.defaultDatasetId],
    ["dataset/items", "Rope"],
    ["key-value-store", started.defaultKeyValueStoreId],
    ["key-value-store/keys", "OUTPUT"],
    ["key-value-store/records/INPUT", page("rope")],
    ["request-queue", started.defaultRequestQueueId],
    ["request-queue/head", '"items":[]'],
    ["request-queue/requests", page("rope")],
    ["log", "INFO"],
  ]
  for (const root of [`actor-runs/${started.id}`, "acts/trawl~url-to-markdown-scraper/runs/last"]) {
    for (const [path, part] of answers) {
      const { status, text } = await read(`${root}/${path}`)
      expect(`${path} ${status} ${text}`).toStartWith(`${path} 200 `)
      expect(text).toContain(part!)
    }
  }
  const defaults = await read("acts/trawl~bing-news-scraper/run-sync-get-dataset-items")
  expect(defaults.status).toBe(201)
  expect(defaults.text).toContain("hours ago")
  await client.dataset(started.defaultDatasetId).delete()
  expect(await client.dataset(started.defaultDatasetId).get()).toBeUndefined()
  await run.delete()
  expect(await run.get()).toBeUndefined()
})

test("an empty log contains how the run ended", async () => {
  const run = await client
    .actor("trawl/url-to-markdown-scraper")
    .start({ urls: [page("hook")] }, { waitForFinish: 20 })
  expect(await client.run(run.id).log().get()).toMatch(/^\S+ INFO The run is SUCCEEDED\.\n$/)
})

test("an input without a content type is refused, not ignored", async () => {
  const start = (body: BodyInit | null) =>
    fetch(`${here.root}/v2/acts/trawl~url-to-markdown-scraper/runs?token=${key}`, {
      method: "POST",
      body,
    })
  const untyped = await start(new Blob([JSON.stringify({ urls: [page("rope")] })]))
  expect(untyped.status).toBe(415)
  expect((await untyped.json()).error).toMatchObject({
    type: "invalid-input",
    message: expect.stringContaining("Content-Type"),
  })
  expect((await (await start(null)).json()).error.message).toContain('"urls" is required')
})

test("errors have Apify's form and name the reason", async () => {
  await expect(actor().start({ urls: [page("rope")] }, { maxTotalChargeUsd: 1 })).rejects.toThrow(
    '"maxTotalChargeUsd" is not supported.',
  )
  await expect(actor().start({ urls: [] })).rejects.toMatchObject({
    statusCode: 400,
    type: "invalid-input",
    message: expect.stringContaining("urls"),
  })
  await expect(actor().validateInput({ url: 1 })).rejects.toMatchObject({ type: "invalid-input" })
  expect(await actor().validateInput({ urls: ["a.test"] })).toBe(true)
  await expect(client.tasks().list()).rejects.toThrow("not supported")
  const anonymousCaller = here.apify("wrong")
  await expect(
    anonymousCaller.actor("trawl/url-to-markdown-scraper").start({}),
  ).rejects.toMatchObject({
    statusCode: 401,
    type: "user-or-token-not-found",
  })
  const { key: other } = await here.app.account()
  const [run] = (await client.runs().list({ limit: 1 })).items
  const foreign = here.apify(other)
  expect(await foreign.run(run!.id).get()).toBeUndefined()
  expect(await foreign.dataset(run!.defaultDatasetId).get()).toBeUndefined()
  expect(
    await foreign.keyValueStore(run!.defaultKeyValueStoreId).getRecord("INPUT"),
  ).toBeUndefined()
})

test("the user and the limits", async () => {
  expect(await client.user().get()).toMatchObject({
    email: expect.stringContaining("@example.com"),
  })
  expect(await client.user().limits()).toMatchObject({ limits: { maxConcurrentActorJobs: 1 } })
})
