import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type Firecrawl from "firecrawl"
import { cronOfText } from "../../../src/api/compat/firecrawl/schedule-text.ts"
import { changing, DropIn } from "./compat.ts"

let here: DropIn
let client: Firecrawl
let key: string
beforeAll(async () => {
  here = await DropIn.open({ freeDaily: 1000 })
  ;({ key } = await here.app.account({ unlimited: true }))
  client = here.firecrawl(`fc-${key}`)
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`

async function ended(id: string): Promise<void> {
  await here.app.runs.wait(id, 60_000)
}

describe("monitors", () => {
  test("the client creates, checks, changes and deletes a monitor", async () => {
    changing[0] = "10"
    const schema = {
      type: "object",
      properties: { board: { type: "string", "x-selector": "main p:last-of-type" } },
    }
    const formats = [{ type: "changeTracking", modes: ["git-diff", "json"], schema }]
    const urls = [page("changes"), page("rope"), "https://nowhere.test/"]
    const made = await client.createMonitor({
      name: "Board",
      schedule: { text: "every 30 minutes", timezone: "Europe/Berlin" },
      targets: [{ type: "scrape", urls, scrapeOptions: { formats: formats as never } }],
    })
    expect(made).toMatchObject({
      name: "Board",
      status: "active",
      schedule: { cron: "*/30 * * * *", timezone: "Europe/Berlin" },
      targets: [{ type: "scrape", urls }],
      nextRunAt: expect.stringMatching(/^20/),
    })
    // It checks once when it is created, so that the next check has a value to compare with.
    const [first] = await client.listMonitorChecks(made.id)
    await ended(first!.id)
    changing[0] = "12"
    const started = await client.runMonitor(made.id)
    expect(started).toMatchObject({ monitorId: made.id, trigger: "manual" })
    await ended(started.id)
    const check = await client.getMonitorCheck(made.id, started.id)
    expect(check).toMatchObject({
      status: "partial",
      summary: { totalPages: 3, changed: 1, same: 1, error: 1, new: 0, removed: 0 },
    })
    const pages = new Map(check.pages.map((one) => [one.url, one]))
    expect(pages.get(page("rope"))).toMatchObject({ status: "same", diff: null })
    expect(pages.get("https://nowhere.test/")).toMatchObject({ status: "error" })
    const board = pages.get(page("changes"))!
    expect(board.diff?.text).toContain("+Rope: 12 EUR")
    expect(board.diff?.json).toEqual({
      board: { previous: "Rope: 10 EUR", current: "Rope: 12 EUR" },
    })
    expect(board.snapshot).toEqual({ json: { board: "Rope: 12 EUR" } })
    const paged = await client.getMonitorCheck(made.id, started.id, { limit: 1 })
    expect(paged.pages.map(({ url }) => url)).toEqual(check.pages.map(({ url }) => url))
    const changed = await client.getMonitorCheck(made.id, started.id, { status: "changed" })
    expect(changed.pages.map(({ url }) => url)).toEqual([page("changes")])
    const checks = await client.listMonitorChecks(made.id, { limit: 1 })
    expect(checks.map(({ id }) => id)).toEqual([started.id])

    const paused = await client.updateMonitor(made.id, { status: "paused", name: "Boards" })
    expect(paused).toMatchObject({ name: "Boards", status: "paused", nextRunAt: null })
    const resumed = await client.updateMonitor(made.id, {
      status: "active",
      schedule: { cron: "0 7 * * *" },
      targets: [{ type: "scrape", urls: [page("hook")] }],
    })
    expect(resumed).toMatchObject({
      status: "active",
      schedule: { cron: "0 7 * * *" },
      targets: [{ urls: [page("hook")] }],
      lastCheckSummary: { totalPages: 3 },
    })
    expect((await client.listMonitors()).map(({ id }) => id)).toEqual([made.id])
    expect((await client.getMonitor(made.id)).name).toBe("Boards")
    // It is listed like every other monitor of the account.
    const own = await here.app.get(`/api/v1/monitors/${made.id}`, { key })
    expect(own.body.conditions).toEqual([{ when: "changed", field: "markdown" }])

    const { key: other } = await here.app.account()
    await expect(here.firecrawl(other).getMonitor(made.id)).rejects.toThrow("There is no monitor")
    const remembered = () =>
      here.app.store.db
        .selectFrom("memory")
        .select("key")
        .where("key", "like", "changes %")
        .execute()
    await client.scrape(page("rope"), { formats: ["markdown", "changeTracking"] })
    expect(await remembered()).toHaveLength(3)
    expect(await client.deleteMonitor(made.id)).toBe(true)
    // The account's other monitors remain.
    expect(await remembered()).toHaveLength(1)
    expect(await client.listMonitors()).toEqual([])
    await expect(client.getMonitor(made.id)).rejects.toThrow("There is no monitor")
  })

  test("a monitor of a crawl compares each page of the site", async () => {
    changing[0] = "20"
    const made = await client.createMonitor({
      name: "Site",
      schedule: { cron: "0 7 * * *" },
      targets: [{ type: "crawl", url: page("changes"), crawlOptions: { limit: 3 } as never }],
    })
    expect(made.targets).toMatchObject([
      { type: "crawl", url: page("changes"), crawlOptions: { limit: 3 } },
    ])
    const [first] = await client.listMonitorChecks(made.id)
    await ended(first!.id)
    changing[0] = "21"
    const started = await client.runMonitor(made.id)
    await ended(started.id)
    const check = await client.getMonitorCheck(made.id, started.id, { status: "changed" })
    expect(check.pages.map(({ url }) => url)).toEqual([page("changes")])
    expect(check.targetResults).toMatchObject([{ type: "crawl", crawlId: started.id }])
    const search = { name: "S", schedule: { cron: "0 7 * * *" } }
    await expect(
      client.createMonitor({ ...search, targets: [{ type: "search", queries: ["rope"] }] }),
    ).rejects.toThrow("Supported targets: scrape and crawl")
    const own = await here.app.get(`/api/v1/monitors/${made.id}`, { key })
    expect(own.status).toBe(200)
    await client.deleteMonitor(made.id)
  })

  test("unsupported options are refused by name, and a goal is reported as without effect", async () => {
    const body = {
      name: "Rope",
      schedule: { cron: "0 * * * *" },
      targets: [{ type: "scrape", urls: [page("rope")] }],
    }
    const refused = (more: object) =>
      client.createMonitor({ ...body, ...more } as never).then(
        () => "made",
        (error: Error) => error.message,
      )
    expect(await refused({ name: "" })).toContain('"name"')
    expect(await refused({ schedule: { text: "at full moon" } })).toContain('"at full moon"')
    expect(await refused({ schedule: { cron: "x" } })).toContain("valid cron expression")
    expect(await refused({ targets: [] })).toContain('"targets"')
    const search = [{ type: "search", queries: ["rope"] }]
    expect(await refused({ targets: search })).toContain(`"search"`)
    expect(await refused({ webhook: { url: "https://site.test/" } })).toContain("monitor.changed")
    expect(
      await refused({ notification: { email: { enabled: true, recipients: ["a@b.test"] } } }),
    ).toContain("notification.email")
    const { body: made } = await here.app.post("/v2/monitor", {
      key,
      body: { ...body, goal: "A new price", retentionDays: 3 },
    })
    expect(made.warning).toBe("Ignored options: goal, retentionDays.")
    await client.deleteMonitor(made.data.id)
  })

  test.each([
    ["every 30 minutes", "*/30 * * * *"],
    ["Every hour", "0 * * * *"],
    ["hourly", "0 * * * *"],
    ["every 120 minutes", "0 */2 * * *"],
    ["every 6 hours", "0 */6 * * *"],
    ["every 24h", "0 0 * * *"],
    ["daily at 9:30", "30 9 * * *"],
    ["every day at 12am", "0 0 * * *"],
    ["weekdays at 5 pm", "0 17 * * 1-5"],
    ["every monday at 9am", "0 9 * * 1"],
    ["weekly", "0 0 * * 1"],
    ["monthly", "0 0 1 * *"],
  ])("the schedule %j is the cron expression %j", (text, cron) => {
    expect(cronOfText(text)).toBe(cron)
  })

  test.each(["every 7 minutes", "every 5 hours", "daily at 25", "daily at 13pm", "every", ""])(
    "the schedule %j is refused",
    (text) => {
      expect(() => cronOfText(text)).toThrow("schedule.text")
    },
  )
})
