import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { FreeQuota } from "../../../src/accounts/free-quota.ts"
import * as outcomes from "../../../src/catalogue/kit/core/errors.ts"
import {
  type AnyScraper,
  defineScraper,
  inputObject,
  itemObject,
} from "../../../src/catalogue/kit/index.ts"
import { openStore } from "../../../src/store/store.ts"
import { TestApp } from "../app.ts"

const endings: Record<string, () => Error> = {
  wrong: () => new outcomes.BadInput('"wrong" is not a target.'),
  dns: () => new outcomes.Unreachable("No such host.", "dns"),
  connection: () => new outcomes.Unreachable("Refused.", "connection"),
  tls: () => new outcomes.Unreachable("A bad certificate.", "tls"),
  denied: () => new outcomes.EgressDenied("A private address."),
  timeout: () => new outcomes.Timeout("No answer in time."),
  server: () => new outcomes.UpstreamError("Status 503."),
  blocked: () => new outcomes.Blocked("A challenge."),
  limited: () => new outcomes.RateLimited("Too many."),
  changed: () => new outcomes.Changed("Not as it was."),
  ours: () => new TypeError("an error in the scraper"),
  missing: () => new outcomes.NotFound("There is none."),
  forbidden: () => new outcomes.Forbidden("It is private.", { code: "private" }),
}

const endsBadly = defineScraper({
  slug: "ends-badly-scraper",
  name: "Ends badly",
  tagline: "Ends as its targets say",
  category: "data",
  tier: "free",
  input: inputObject({
    note: Type.Optional(Type.String()),
    targets: Type.Array(Type.String(), { minItems: 1, maxItems: 10, description: "What happens." }),
  }),
  item: itemObject({ target: Type.String() }),
  example: { targets: ["well"] },
  targets: (input) => input.targets,
  async *scrape(target) {
    const ending = endings[target.replace(/\d+$/, "")]
    if (ending) throw ending()
    yield { target }
  },
}) as AnyScraper

const url = "/api/scrape/ends-badly-scraper"
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 1000 }, [endsBadly])
})
afterAll(() => app.close())

const used = async (path: string) => {
  const { body } = await app.get(path)
  return { status: body.status, used: body.free.used as number, body }
}

test("a call is answered even if its cost cannot be settled", async () => {
  const { freeQuota: allowance } = app.service
  const giveBack = allowance.refund
  allowance.refund = () => new Promise(() => {})
  try {
    const { body } = await app.get(`${url}?targets=dns0`)
    expect(body.status).toBe("ERROR")
  } finally {
    allowance.refund = giveBack
  }
})

describe("a call costs", () => {
  const rows: [targets: string, status: string, cost: 0 | 1][] = [
    ["well", "SUCCEEDED", 1],
    ["well|dns", "SUCCEEDED", 1],
    ["missing", "ERROR", 1],
    ["forbidden", "ERROR", 1],
    ["missing|dns", "ERROR", 1],
    ["wrong", "INVALID_INPUT", 0],
    ["wrong|wrong2", "INVALID_INPUT", 0],
    ["dns", "ERROR", 0],
    ["connection", "ERROR", 0],
    ["tls", "ERROR", 0],
    ["denied", "ERROR", 0],
    ["timeout", "ERROR", 0],
    ["server", "ERROR", 0],
    ["blocked", "ERROR", 0],
    ["limited", "ERROR", 0],
    ["changed", "ERROR", 0],
    ["ours", "ERROR", 0],
    ["dns|timeout|wrong", "ERROR", 0],
  ]
  for (const [targets, status, cost] of rows) {
    test(`${cost} if targets end as ${targets}`, async () => {
      const before = (await used(`${url}`)).used
      const response = await used(`${url}?targets=${targets}`)
      expect([response.status, response.used - before]).toEqual([status, cost])
    })
  }

  test("nothing while the service stops", async () => {
    const own = await TestApp.open({ freeDaily: 10 }, [endsBadly])
    await own.runs.stop(0)
    const { body } = await own.get(`${url}?targets=well`)
    expect([body.status, body.free.used]).toEqual(["ERROR", 0])
    await own.close()
  })
})

describe("a wrong target is reported with field and position", () => {
  test("on GET", async () => {
    const { body } = await app.get(`${url}?note=wrong&targets=wrong`)
    expect(body.error.details).toEqual([
      {
        field: "targets[0]",
        index: 0,
        message: '"wrong" is not a target.',
        expected: "What happens.",
        actual: "wrong",
      },
    ])
  })

  test("by the parameter that the caller used", async () => {
    const { default: markdown } = await import(
      "../../../src/catalogue/web/url-to-markdown-scraper.ts"
    )
    const own = await TestApp.open({ freeDaily: 10 }, [markdown])
    for (const path of ["/api/scrape?url=not a page", "/api/tools/markdown?url=not a page"]) {
      const { body } = await own.get(path)
      expect([body.status, body.free.used]).toEqual(["INVALID_INPUT", 0])
      expect(body.error.details[0]).toMatchObject({ field: "url", actual: "not a page" })
    }
    await own.close()
  })

  test("on the POST of agents, with status 400 and each position", async () => {
    const response = await app.post("/api/agent/scrape", {
      body: { scraper: endsBadly.slug, input: { targets: ["wrong3", "wrong", "wrong4"] } },
    })
    expect([response.status, response.body.status]).toEqual([400, "INVALID_INPUT"])
    const { details } = response.body.error
    expect(details.map((issue: { field: string }) => issue.field)).toEqual([
      "targets[0]",
      "targets[1]",
      "targets[2]",
    ])
  })

  test("an account is not charged", async () => {
    const { key } = await app.account({ credits: 5 })
    const { body } = await app.get(`${url}?targets=wrong&token=${key}`)
    expect(body).toMatchObject({
      status: "INVALID_INPUT",
      free: { billedTo: "account", creditsCharged: 0, creditsRemaining: 5 },
    })
  })

  test("a refusal before a run names the field", async () => {
    const { default: webScraper } = await import("../../../src/catalogue/web/web-scraper.ts")
    const own = await TestApp.open({ freeDaily: 10 }, [webScraper])
    const { key } = await own.account()
    const input = { urls: ["https://example.com"], fields: ["a: b", "h1"] }
    const page = await own.get("/api/scrape?url=https://example.com&fields=a: b|h1")
    expect([page.status, page.body.status, page.body.free.used]).toEqual([200, "INVALID_INPUT", 0])
    const agent = await own.post("/api/agent/scrape", { body: { scraper: "web-scraper", input } })
    expect([agent.status, agent.body.status, agent.body.free.used]).toEqual([
      400,
      "INVALID_INPUT",
      0,
    ])
    const run = await own.post("/api/v1/scrapers/web-scraper/runs", { key, body: input })
    const batch = await own.post("/api/v1/batches", {
      key,
      body: { scraper: "web-scraper", inputs: [{ ...input, fields: ["a: b"] }, input] },
    })
    const schedule = await own.post("/api/v1/schedules", {
      key,
      body: { scraper: "web-scraper", input, cron: "@daily" },
    })
    for (const { status } of [run, batch, schedule]) expect(status).toBe(400)
    const issues = [page, agent, run, batch, schedule].map(({ body }) => body.error.details[0])
    expect(issues.map(({ field }) => field)).toEqual([
      "fields[1]",
      "fields[1]",
      "fields[1]",
      "inputs[1].fields[1]",
      "input.fields[1]",
    ])
    for (const issue of issues) {
      expect(issue).toMatchObject({ index: 1, actual: "h1" })
      expect(issue.message).toContain("name: selector")
    }
    expect((await own.get("/api/v1/runs", { key })).body.total).toBe(0)
    await own.close()
  })
})

test("failed calls are refunded up to ten minutes of work a day", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-held-"))
  const store = openStore(folder)
  const allowance = await FreeQuota.open(store, { freeDaily: 50 })
  const caller = allowance.caller("192.0.2.1", "agt_hanging", new Date("2026-01-31T12:00:00Z"))
  for (let call = 0; call < 12; call++) await allowance.take(caller)
  const provided = []
  for (let call = 0; call < 12; call++) provided.push(await allowance.refund(caller, 60_000))
  expect(provided).toEqual([...Array(10).fill(true), false, false])
  expect(await allowance.status(caller)).toMatchObject({ used: 2 })
  // The next day and another IP address have their own ten minutes.
  for (const [address, day] of [
    ["192.0.2.1", "2026-02-01"],
    ["192.0.2.2", "2026-01-31"],
  ]) {
    const other = allowance.caller(address!, "agt_hanging", new Date(`${day}T12:00:00Z`))
    expect(await allowance.refund(other, 60_000)).toBe(true)
  }
  await store.close()
  rmSync(folder, { recursive: true })
})

describe("more results are announced", () => {
  const rows: [name: string, query: string, notice: string | undefined][] = [
    ["if the keyless cap ended it", "targets=a|b|c|d", "end at 3 items"],
    ["not if there are no more", "targets=a|b|c", undefined],
    ["not where fewer were asked for", "targets=a", undefined],
  ]
  for (const [name, query, notice] of rows) {
    test(name, async () => {
      const own = await TestApp.open({ keylessItems: 3 }, [endsBadly])
      const { body } = await own.get(`${url}?${query}`)
      expect(body.status).toBe("SUCCEEDED")
      if (notice) expect(body.notice).toContain(notice)
      else expect(body.notice).toBeUndefined()
      await own.close()
    })
  }

  test("unless the input's own limit ended the run, also with a key", async () => {
    const limited: AnyScraper = { ...endsBadly, maxItems: () => 2 }
    const own = await TestApp.open({ keylessItems: 3 }, [limited])
    const { body } = await own.get(`${url}?targets=a|b|c|d`)
    expect([body.status, body.itemCount, body.notice]).toEqual(["SUCCEEDED", 2, undefined])
    const { key } = await own.account()
    const run = async (query: string) => {
      const path = `/api/v1/scrapers/ends-badly-scraper/runs?waitForFinish=300${query}`
      const response = await own.post(path, { key, body: { targets: ["a", "b", "c"] } })
      return response.body.capped
    }
    expect(await run("")).toBeNull()
    expect(await run("&maxItems=2")).toBeNull()
    expect(await run("&maxItems=1")).toBe("items")
    expect(await run("&maxItems=100")).toBeNull()
    await own.close()
  })
})
