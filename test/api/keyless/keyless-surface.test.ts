import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import webScraper from "../../../src/catalogue/web/web-scraper.ts"
import { TestApp } from "../app.ts"

const words = (word: string) => `/api/scrape/words-scraper?words=${word}`

describe("the keyless surface", () => {
  let app: TestApp
  beforeAll(async () => {
    app = await TestApp.open({ freeDaily: 1000 })
  })
  afterAll(() => app.close())

  test("answers HEAD with headers only", async () => {
    const { claim, status } = await app.service.claims.open(new Date())
    const account = await app.account()
    await app.service.claims.complete(claim, account.id, new Date())
    for (const path of [
      words("head"),
      "/api/scrape?url=https://example.com",
      "/api/tools/markdown?url=https://example.com",
      "/api/results/none",
      `/api/agent/claim/${status}`,
    ]) {
      const response = await app.call("HEAD", path)
      expect([path, response.status, response.text]).toEqual([path, 200, ""])
      expect(response.headers.get("content-type")).toStartWith("application/json")
      expect(response.headers.get("access-control-allow-origin")).toBe("*")
    }
    expect((await app.store.db.selectFrom("runs").selectAll().execute()).length).toBe(0)
    expect((await app.get(words(""))).body.free.used).toBe(0)
    expect((await app.get(`/api/agent/claim/${status}`)).body.apiKey).toStartWith("trawl_live_")
  })

  test("suggests the parameter that was meant if no mode is given", async () => {
    const { body } = await app.get("/api/scrape?urls=https://example.com/&depth=2")
    expect(body.status).toBe("INVALID_INPUT")
    expect(body.error.message).toStartWith('Unknown parameter "urls". Did you mean "url"? Set')
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual(["urls", "url"])
  })

  test("does not read a proxy's Basic password as a key", async () => {
    for (const [authorization, status] of [
      ["Basic YWRhOnNlY3JldA==", "SUCCEEDED"],
      ['Digest username="ada"', "SUCCEEDED"],
      ["Bearer trawl_live_x", "ERROR"],
    ] as const) {
      const { body } = await app.get(words("proxied"), { headers: { authorization } })
      expect([authorization, body.status]).toEqual([authorization, status])
    }
  })

  test("lets a page of another site read its errors", async () => {
    const calls: [method: string, path: string, status: number][] = [
      ["GET", "/api/scrape/words-scraper/more", 404],
      ["GET", "/api/agent/nothing", 404],
      ["GET", "/api/tools/markdown/more", 404],
      ["DELETE", "/api/scrape/words-scraper", 405],
      ["POST", "/api/agent/scrape", 400],
    ]
    for (const [method, path, status] of calls) {
      const body = method === "POST" ? "{" : undefined
      const response = await app.call(method, path, body ? { body } : {})
      expect([path, response.status]).toEqual([path, status])
      expect(response.headers.get("access-control-allow-origin"), path).toBe("*")
    }
    for (const path of ["/api/v1/nothing", "/nothing", "/api/scraper"]) {
      const response = await app.get(path)
      expect([path, response.status]).toEqual([path, 404])
      expect(response.headers.get("access-control-allow-origin"), path).toBeNull()
    }
  })

  test("returns what the names of its examples promise", async () => {
    const own = await TestApp.open({ freeDaily: 1000 }, [webScraper])
    const directory = (await own.get("/api/scrape")).body.modes.customExtraction as string
    const llms = (await own.get("/llms.txt")).text
    const card = (await own.get("/api/scrape/web-scraper")).body.exampleUrl as string
    const examples = [directory, llms].map((text) => /fields=(\S+)/.exec(text)![1]!)
    const fields = [...examples, new URL(card).search.slice(1).replace(/.*?fields=/, "")]
    for (const provided of fields) {
      const list = provided.replaceAll("&fields=", "|")
      expect(decodeURIComponent(list.replaceAll("+", " "))).toBe("title: h1|[]links: a @href")
      const { body } = await own.get(`/api/scrape?url=https://example.com&fields=${list}`)
      expect(JSON.parse(body.input).fields).toEqual(["title: h1", "[]links: a @href"])
    }
    await own.close()
  })

  test("returns an account without credits what accounts need", async () => {
    const { id, key } = await app.account({ credits: 0 })
    const { body } = await app.get(`${words("poor")}&token=${key}`)
    expect(body).toMatchObject({ status: "PAYMENT_REQUIRED", limitReached: true })
    expect(body.agentGuidance).toContain(`credits for the account ${id}`)
    expect(JSON.stringify(body)).not.toMatch(/sign ?up for|claim=/i)
    expect(body).not.toHaveProperty("claimUrl")
    expect(body).not.toHaveProperty("claimStatusUrl")
  })
})
