import { afterAll, beforeAll, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import type Firecrawl from "firecrawl"
import type { WireRequest } from "../../../src/engine/net/http/exchange.ts"
import { DropIn } from "./compat.ts"
import { Receiver } from "./receiver.ts"

let here: DropIn
let key: string
let client: Firecrawl
let receiver: Receiver
beforeAll(async () => {
  here = await DropIn.open()
  ;({ key } = await here.app.account({ unlimited: true }))
  client = here.firecrawl(key)
  receiver = new Receiver(here)
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`
const url = "https://receiver.example/hook"
const reported = () => receiver.reported()

const bodies = (requests: WireRequest[]) => requests.map(({ body }) => JSON.parse(String(body)))
const rows = (table: "job_hooks" | "webhooks" | "runs"): Promise<object[]> =>
  here.app.store.db.selectFrom(table).selectAll().execute()

async function crawl(webhook: object, more: object = {}) {
  const response = await fetch(`${here.root}/v2/crawl`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ url: page(""), limit: 10, webhook, ...more }),
  })
  const reply = (await response.json()) as { id: string; webhookSecret: string; error?: string }
  if (response.ok) await here.app.runs.wait(reply.id, 60_000)
  return reply
}

test("a crawl sends signed events for its start, each page and its end", async () => {
  const { id, webhookSecret } = await crawl({
    url,
    metadata: { ours: "7" },
    headers: { "X-Theirs": "yes" },
  })
  const requests = await reported()
  const stated = bodies(requests)
  expect(stated.map(({ type, success, metadata }) => [type, success, metadata.ours])).toEqual([
    ["crawl.started", true, "7"],
    ["crawl.page", true, "7"],
    ["crawl.page", true, "7"],
    ["crawl.page", true, "7"],
    ["crawl.completed", true, "7"],
  ])
  expect(stated.every((one) => one.id === id)).toBe(true)
  expect(new Set(stated.map(({ webhookId }) => webhookId)).size).toBe(5)
  const pages = stated.filter(({ type }) => type === "crawl.page").map(({ data }) => data[0])
  expect(pages.map(({ metadata }) => metadata.sourceURL).sort()).toEqual([
    page(""),
    page("hook"),
    page("rope"),
  ])
  expect(pages.every(({ markdown }) => markdown.includes("A windlass"))).toBe(true)
  for (const { headers, body, url: to } of requests) {
    const signature = createHmac("sha256", webhookSecret).update(String(body)).digest("hex")
    expect(headers.get("x-firecrawl-signature")).toBe(`sha256=${signature}`)
    expect(headers.get("x-theirs")).toBe("yes")
    expect(to).toBe(url)
  }
  // None of it is listed among the account's own webhooks, and each event is sent once.
  expect((await here.app.get("/api/v1/webhooks", { key })).body.items).toEqual([])
  expect((await here.app.get("/api/v1/notifications", { key })).body.items).toEqual([])
  expect(await reported()).toEqual([])
  expect(await rows("job_hooks")).toEqual([])
  const again = await crawl({ url, events: ["completed"] })
  expect(again.webhookSecret).toMatch(/./)
  expect(again.webhookSecret).not.toBe(webhookSecret)
  expect(bodies(await reported()).map(({ type }) => type)).toEqual(["crawl.completed"])
})

test("a batch by the official client: failed pages have their reason, and more pages than fit one event arrive", async () => {
  const many = Array.from({ length: 25 }, (_, n) => `${page("rope")}?n=${n}`)
  const { id } = await client.startBatchScrape(["https://nowhere.test/", ...many, page("rope")], {
    webhook: { url, events: ["page", "failed", "completed"], metadata: {} },
  })
  await here.app.runs.wait(id, 60_000)
  const stated = bodies(await reported())
  expect(stated).toHaveLength(28)
  expect(stated[0]).toMatchObject({
    success: false,
    type: "batch_scrape.page",
    data: [{ metadata: { sourceURL: "https://nowhere.test/" } }],
    error: expect.stringContaining("nowhere.test"),
  })
  expect(stated.at(-2).data[0].metadata.title).toBe("Rope")
  expect(stated.at(-1)).toMatchObject({ type: "batch_scrape.completed", success: true, data: [] })
})

test("pages arrive in order, and none is skipped while others are running", async () => {
  const { id } = await client.startBatchScrape([page("stalls"), page("rope")], { webhook: { url } })
  for (let done = 0; done < 1; await Bun.sleep(20)) {
    done = ((await here.app.get(`/api/v1/runs/${id}`, { key })).body as { itemCount: number })
      .itemCount
  }
  expect(bodies(await reported()).map(({ type }) => type)).toEqual(["batch_scrape.started"])
  await client.cancelBatchScrape(id)
  await here.app.runs.wait(id, 60_000)
  expect(bodies(await reported()).map(({ type, error }) => [type, error])).toEqual([
    ["batch_scrape.page", undefined],
    ["batch_scrape.failed", "The job was cancelled."],
  ])
})

test("a receiver that accepts nothing gets no events after a day", async () => {
  await crawl({ url })
  receiver.status = 500
  const tries = []
  for (let day = 0; day < 40; day++) {
    tries.push((await reported()).length)
    receiver.later += 5 * 3_600_000
  }
  receiver.status = 200
  expect(tries[0]).toBe(5)
  expect(tries.at(-1)).toBe(0)
  expect(await rows("job_hooks")).toEqual([])
  receiver.later = 0
})

test("webhooks of jobs are deleted some days after them", async () => {
  expect((await rows("webhooks")).length).toBeGreaterThan(3)
  const purged = async (days: number) => {
    const now = new Date(Date.now() + days * 86_400_000).toISOString()
    await here.app.store.write("store.purge", { now, runDays: 0, logDays: 0 })
    return rows("webhooks")
  }
  expect((await purged(1)).length).toBeGreaterThan(3)
  expect(await purged(4)).toEqual([])
})

test("unsupported events are refused before anything starts", async () => {
  const runs = (await rows("runs")).length
  const refusal = async (webhook: object) => (await crawl(webhook)).error
  expect(await refusal({ url: "http://127.0.0.1/x" })).toContain("127.0.0.1")
  expect(await refusal({ url, events: ["done"] })).toContain("started, page, completed, failed")
  expect(await refusal({ url, metadata: { a: "x".repeat(5000) } })).toContain("webhook.metadata")
  expect(await refusal({ url, headers: { Host: "a" } })).toContain('"Host"')
  expect(await refusal({})).toContain('"url"')
  expect(await rows("runs")).toHaveLength(runs)
})
