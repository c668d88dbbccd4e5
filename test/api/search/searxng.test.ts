import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { root, type TestApp } from "../app.ts"
import { searchApp } from "./upstream.ts"

let app: TestApp
beforeAll(async () => {
  app = await searchApp()
})
afterAll(() => app.close())

const search = (query: string, headers: Record<string, string> = {}) =>
  app.get(`/search?${query}`, { headers })

describe("SearXNG's search", () => {
  test("has all fields that its clients read", async () => {
    const { status, body } = await search("q=lamps&format=json")
    expect(status).toBe(200)
    expect(body).toMatchObject({
      query: "lamps",
      number_of_results: 4,
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    })
    expect(body.results[0]).toEqual({
      url: "https://coast.test/keepers",
      title: "Keepers of the coast",
      content: "Who lights the lamps on this coast, and when.",
      publishedDate: null,
      engine: "bing",
      engines: ["bing", "duckduckgo"],
      score: expect.any(Number),
      category: "general",
      template: "default.html",
      parsed_url: ["https", "coast.test", "/keepers", "", "", ""],
    })
    const scores = body.results.map(({ score }: { score: number }) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
  })

  test("as Open WebUI, LibreChat and LangChain call it", async () => {
    const openWebUi = await search(
      "q=lamps&format=json&pageno=1&safesearch=1&language=en-US&time_range=&categories=&theme=simple&image_proxy=0",
      { accept: "text/html" },
    )
    expect(openWebUi.body.results).toHaveLength(4)
    const { key } = await app.account()
    const libreChat = await search(
      "q=lamps+two&format=json&pageno=1&categories=general&language=all&safesearch=0&engines=google,bing,duckduckgo",
      { "x-api-key": key },
    )
    expect(libreChat.body.results).toHaveLength(4)
    const langChain = await search("language=en&format=json&q=lamps+three&engines=bing,qwant")
    expect(langChain.body.results[0]).toMatchObject({ engines: ["bing"], category: "general" })
  })

  test("a posted form is the same, and bangs choose an engine and a language", async () => {
    const request = new Request(`${root}/search`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "q=%21ddg+%3Ade+lamps&format=json",
    })
    const body = (await (await app.app.handle(request)).json()) as {
      query: string
      results: { engines: string[] }[]
    }
    expect(body.query).toBe("lamps")
    expect(body.results.map(({ engines }) => engines)).toEqual(Array(3).fill(["duckduckgo"]))
    const { db } = app.store
    const last = await db.selectFrom("runs").select("input").orderBy("n", "desc").limit(1).execute()
    expect(JSON.parse(last[0]!.input)).toMatchObject({ queries: ["lamps"], region: "de-de" })
  })

  test.each([
    [0, "off"],
    [1, "moderate"],
    [2, "strict"],
  ] as const)("safesearch=%d is %s at the engines that have it", async (level, name) => {
    const { body } = await search(`q=lamps+${name}&format=json&safesearch=${level}`)
    expect(body.results).toHaveLength(4)
    expect(body.notices).toBeUndefined()
    const { db } = app.store
    const last = await db.selectFrom("runs").select("input").orderBy("n", "desc").limit(2).execute()
    expect(last.map(({ input }) => JSON.parse(input).safeSearch)).toEqual([name, name])
  })

  test("a safesearch that an engine lacks is reported, and strict uses that engine last", async () => {
    const news = await search("q=lamps&format=json&categories=news&safesearch=1")
    expect(news.body.results).toHaveLength(3)
    expect(news.body.notices).toEqual(["Not all engines with results have safeSearch."])
    const off = await search("q=lamps&format=json&categories=news&safesearch=0")
    expect(off.body.notices).toBeUndefined()
    const strict = await search("q=lamps&format=json&engines=wikipedia,bing&safesearch=2")
    expect(strict.body.results.map(({ engine }: { engine: string }) => engine)).toEqual(
      Array(3).fill("bing"),
    )
  })

  test("as LangChain.js calls it: nothing is posted as JSON, the parameters are in the URL", async () => {
    const request = new Request(`${root}/search?q=lamps+four&format=json&engines=duckduckgo,bing`, {
      method: "POST",
      headers: { "content-type": "application/json" },
    })
    const response = await app.app.handle(request)
    expect(response.status).toBe(200)
    expect(((await response.json()) as { results: unknown[] }).results).toHaveLength(4)
  })

  test("returns news, further pages, and pages after the last", async () => {
    const news = await search("q=lamps&format=json&categories=news")
    expect(news.body.results[0]).toMatchObject({ category: "news", engine: "bing news" })
    expect(news.body.results[0].publishedDate).toBeString()
    const second = await search("q=lamps&format=json&pageno=2")
    expect(second.body.results).toEqual([])
    const last = await search("q=lamps&format=json&pageno=500")
    expect([last.status, last.body.results]).toEqual([200, []])
  })

  test("names a failed engine; if all fail, it is an error and not an empty list", async () => {
    const { body } = await search("q=lamps+noduck&format=json")
    expect(body.results).toHaveLength(3)
    expect(body.unresponsive_engines).toEqual([["duckduckgo", expect.any(String)]])
    const failed = await search("q=lamps+noduck+nobing&format=json")
    expect(failed.status).toBe(422)
    expect(failed.body.error).toContain("No search engine returned results.")
    expect(failed.body.unresponsive_engines).toHaveLength(2)
    expect(failed.body.results).toBeUndefined()
  })

  test.each([
    ["q=lamps", 403, "format=json"],
    ["q=lamps&format=rss", 403, '"rss"'],
    ["format=json", 400, "The query is empty"],
    ["q=x&format=json&pageno=0", 400, "pageno"],
    ["q=x&format=json&time_range=all", 400, "time_range"],
    ["q=x&format=json&safesearch=9", 400, "safesearch"],
    [`q=${"x".repeat(500)}&format=json`, 400, '"q"'],
  ])("%s is refused with %d", async (query, status, words) => {
    const refused = await search(query)
    expect([refused.status, refused.body.error]).toEqual([status, expect.stringContaining(words)])
  })

  test("a browser without a format gets the console's search, also with format=html", async () => {
    for (const query of ["", "q=lamps", "q=lamps&format=html"]) {
      const { status, headers, text } = await search(query, { accept: "text/html,*/*" })
      expect([status, headers.get("content-type")]).toEqual([200, "text/html;charset=utf-8"])
      expect(text).toContain('<div id="app">')
    }
  })

  test("a wrong key, a body of another type, and a used-up quota are refused", async () => {
    expect((await search("q=x&format=json", { "x-api-key": "wrong" })).status).toBe(401)
    const body = { q: "x", format: "json" }
    expect((await app.post("/search", { body })).status).toBe(415)
    const poor = await searchApp({ freeDaily: 0 })
    try {
      const { status, body } = await poor.get("/search?q=x&format=json")
      expect([status, body.error]).toEqual([402, expect.stringContaining("/signup?claim=")])
    } finally {
      await poor.close()
    }
  })
})
