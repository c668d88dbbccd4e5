import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { accountById } from "../../../src/store/accounts/accounts.ts"
import { DropIn } from "./compat.ts"

let here: DropIn
beforeAll(async () => {
  here = await DropIn.open()
})
afterAll(() => here.stop())

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(here.root + path, { headers })
  return { response, status: response.status, text: await response.text() }
}

describe("the reader form", () => {
  test("a URL after a slash returns the page as text, the same under /r/", async () => {
    const { response, text } = await read("/https://site.test/rope")
    expect(response.headers.get("content-type")).toStartWith("text/plain")
    expect(text).toStartWith(
      "Title: Rope\n\nURL Source: https://site.test/rope\n\nMarkdown Content:\n# Rope\n\nA windlass",
    )
    expect(text).not.toContain("[Home]")
    expect((await read("/r/https://site.test/rope")).text).toBe(text)
    // Some proxies merge slashes, and some clients encode the whole URL.
    expect((await read("/https:/site.test/rope")).text).toBe(text)
    expect((await read(`/r/${encodeURIComponent("https://site.test/rope")}`)).text).toBe(text)
    expect((await read("/r/site.test/rope")).text).toBe(text)
  })

  test("the URL is kept exactly, with its slashes and its query", async () => {
    for (const path of [
      "/https://site.test/a//b?x=1&y=%2F",
      "/r/https://site.test/a//b?x=1&y=%2F",
    ]) {
      expect((await read(path)).text).toContain("URL Source: https://site.test/a//b?x=1&y=%2F")
    }
  })

  test("headers choose the part and the format", async () => {
    const requested = (headers: Record<string, string>) => read("/https://site.test/hook", headers)
    expect((await requested({ "x-target-selector": ".price" })).text).toEndWith("\n9 grams\n")
    const whole = (
      await requested({ "x-respond-with": "markdown", "x-remove-selector": ".advert, nav" })
    ).text
    expect(whole).toContain("9 grams")
    expect(whole).not.toMatch(/Buy|Home|^Title:/)
    expect((await requested({ "x-respond-with": "html" })).text).toStartWith("<!doctype html>")
    expect((await requested({ "x-respond-with": "text" })).text).toStartWith("Home\n\nHook\n")
    const linked = (await read("/https://site.test/", { "x-with-links-summary": "true" })).text
    expect(linked).toContain(
      "Links/Buttons:\n- [Home](https://site.test/)\n- [Rope](https://site.test/rope)\n",
    )
  })

  test("summaries list the whole page even if the content is a part of it", async () => {
    const headers = { "x-with-links-summary": "all", "x-with-images-summary": "true" }
    const { text } = await read("/https://site.test/linked", headers)
    const [content, summary] = text.split("Links/Buttons:")
    expect(content).not.toMatch(/Home|logo/)
    expect(summary).toContain("- [More](https://site.test/1)\n- [More](https://site.test/2)\n")
    expect(summary).toContain("![Image 1: logo](https://site.test/logo.png)")
    const json = async (all: string) =>
      JSON.parse(
        (
          await read("/https://site.test/linked", {
            "x-with-links-summary": all,
            accept: "application/json",
          })
        ).text,
      ).data.links
    expect(await json("all")).toEqual([
      ["Home", "https://site.test/"],
      ["More", "https://site.test/1"],
      ["More", "https://site.test/2"],
    ])
    expect(await json("true")).toEqual({
      Home: "https://site.test/",
      More: "https://site.test/1",
      "More (2)": "https://site.test/2",
    })
    const part = await read("/https://site.test/linked", { ...headers, "x-remove-selector": "nav" })
    expect(part.text).not.toContain("Home")
  })

  test("a token budget, a token limit, and images by their texts", async () => {
    const rope = (headers: Record<string, string>) => read("/https://site.test/rope", headers)
    const refused = await rope({ "x-token-budget": "5" })
    expect(refused.status).toBe(409)
    expect(JSON.parse(refused.text)).toMatchObject({ name: "BudgetExceededError" })
    expect((await rope({ "x-token-budget": "5000" })).status).toBe(200)
    expect((await rope({ "x-token-budget": "many" })).status).toBe(400)
    const cut = await rope({ "x-max-output-tokens": "5", "x-respond-with": "markdown" })
    expect(cut.text).toHaveLength(20)
    const alt = await rope({ "x-retain-images": "alt" })
    expect(alt.text).toContain("(Image 1: A rope)")
    expect(alt.text).not.toContain("rope.png")
  })

  test("options without effect are named, misleading ones are refused", async () => {
    const odd = { "x-with-iframe": "true", "x-engine": "lynx", "x-proxy": "moon" }
    const { response, text } = await read("/https://site.test/rope", odd)
    const warning = "Ignored options: x-with-iframe, x-engine: lynx, x-proxy: moon."
    expect(text).toContain(`Warning: ${warning}\n\nMarkdown Content:`)
    expect(response.headers.get("x-warning")).toBe(warning)
    const trimmed = await read("/https://site.test/rope", { ...odd, "x-respond-with": "text" })
    expect(trimmed.text).not.toContain("Warning")
    expect(trimmed.response.headers.get("x-warning")).toBe(warning)
    expect((await read("/r/site.test/rope", { "x-proxy-url": "http://a.test" })).status).toBe(400)
    const obeyed = await read("/https://site.test/private", { "x-robots-txt": "true" })
    expect(obeyed.status).toBe(422)
    expect(obeyed.text).toContain("robots.txt")
  })

  test("each documented header is honoured, or named as without effect", async () => {
    const { key } = await here.app.account()
    const requested = async (name: string, value: string) => {
      const headers = { "x-no-cache": "true", authorization: `Bearer ${key}`, [name]: value }
      const reply = await read("/https://site.test/rope", headers)
      const { db } = here.app.store
      const last = await db
        .selectFrom("runs")
        .select("input")
        .orderBy("n", "desc")
        .limit(1)
        .execute()
      return { ...reply, input: JSON.parse(last[0]!.input) }
    }
    const honoured: [string, string, object][] = [
      ["x-return-format", "text", { formats: ["text"] }],
      ["x-wait-for-selector", ".price", { waitForSelector: ".price" }],
      ["x-engine", "browser", { renderScripts: true }],
      ["x-engine", "curl", {}],
      ["x-user-agent", "Mine/1", { headers: { "User-Agent": "Mine/1" } }],
      ["x-referer", "https://a.test/", { headers: { Referer: "https://a.test/" } }],
      ["x-set-cookie", "a=1; Path=/, b=2", { headers: { Cookie: "a=1; b=2" } }],
      ["x-proxy", "de", { country: "de" }],
      ["x-robots-txt", "true", { obeyRobots: true }],
      ["x-timeout", "30", {}],
      ["x-cache-tolerance", "60", {}],
    ]
    for (const [name, value, input] of honoured) {
      const reply = await requested(name, value)
      const isRead = reply.status === 200 || reply.text.includes("needs Chrome")
      expect(`${name}: ${value} ${isRead}`).toBe(`${name}: ${value} true`)
      expect(reply.input).toMatchObject(input)
      expect(reply.response.headers.get("x-warning")).toBeNull()
    }
    const ignored =
      "x-base x-keep-img-data-url x-md-bullet-list-marker x-md-em-delimiter x-md-heading-style x-md-hr x-md-link-reference-style x-md-link-style x-md-strong-delimiter x-no-gfm x-respond-timing x-viewport x-with-generated-alt x-with-iframe x-with-shadow-dom"
    for (const name of ignored.split(" ")) {
      const { response } = await requested(name, "true")
      expect(response.headers.get("x-warning")).toBe(`Ignored options: ${name}.`)
    }
  })

  test("POST reads the URL and the options from its body", async () => {
    const post = async (body: string | object, headers: Record<string, string> = {}) => {
      const response = await fetch(here.root, {
        method: "POST",
        headers: {
          "content-type":
            typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      })
      return { status: response.status, text: await response.text() }
    }
    const plain = await post({ url: "https://site.test/rope#knots" })
    expect(plain.text).toStartWith("Title: Rope\n\nURL Source: https://site.test/rope\n")
    expect((await post("url=https%3A%2F%2Fsite.test%2Frope")).text).toStartWith("Title: Rope")
    const options = { targetSelector: [".price"], respondWith: "markdown" }
    expect((await post({ url: "https://site.test/hook", ...options })).text).toBe("9 grams\n")
    const named = await post({ url: "https://site.test/rope", made: "up", tokenBudget: 5000 })
    expect(named.text).toContain("Warning: Ignored options: made.")
    const { db } = here.app.store
    const routed = await post({ url: "https://site.test/#/rope" })
    expect(routed.text).toContain("Chrome")
    const last = await db.selectFrom("runs").select("input").orderBy("n", "desc").limit(1).execute()
    expect(JSON.parse(last[0]!.input)).toMatchObject({ renderScripts: true })
    for (const body of [{}, { url: 1 }, "q=1", { url: "https://site.test/rope", html: "<p>" }]) {
      expect((await post(body)).status).toBe(400)
    }
    expect((await post("{", { "content-type": "application/json" })).status).toBe(400)
    const all = await fetch(here.root, {
      method: "OPTIONS",
      headers: {
        origin: "https://page.test",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-respond-with, x-token-budget, cookie",
      },
    })
    const allowed = all.headers.get("access-control-allow-headers")
    expect(allowed).toEndWith("x-trawl-agent, x-respond-with, x-token-budget")
    expect(all.headers.get("access-control-allow-origin")).toBe("*")
  })

  test("a search of sites, a country and a language", async () => {
    const { response } = await read("/s/rope?site=a.test&site=https://b.test&gl=de&num=3", {
      "x-respond-with": "no-content",
    })
    expect(response.headers.get("x-warning")).toBe("Ignored options: num.")
    const { db } = here.app.store
    const last = await db.selectFrom("runs").select("input").orderBy("n", "desc").limit(2).execute()
    const queries = ["rope (site:a.test OR site:b.test)"]
    expect(last.map(({ input }) => JSON.parse(input))).toMatchObject([
      { queries, market: "de-DE" },
      { queries, region: "de-de" },
    ])
  })

  test("headers control how the page is requested", async () => {
    const { key } = await here.app.account()
    const { text } = await read("/https://site.test/asked", {
      authorization: `Bearer ${key}`,
      "x-set-cookie": "seen=1; Path=/; HttpOnly",
      "x-locale": "fr-FR",
      "x-no-cache": "true",
    })
    expect(text).toContain("- accept-language: fr-FR")
    expect(text).toContain("- cookie: seen=1\n")
    // Without a key, only headers that do not identify the caller are accepted.
    expect((await read("/r/site.test/asked", { "x-locale": "da" })).text).toContain("language: da")
    const { status } = await read("/r/site.test/asked", { "x-set-cookie": "a=b" })
    expect(status).toBe(422)
    const trimmed = await read("/https://site.test/rope", { "x-retain-images": "none" })
    expect(trimmed.text).not.toContain("rope.png")
    expect((await read("/r/site.test/rope", { "x-cache-tolerance": "old" })).status).toBe(400)
  })

  test("an error page is a page, with a warning about its status", async () => {
    const { status, text } = await read("/https://site.test/status/401")
    expect(status).toBe(200)
    expect(text).toStartWith("Title: Members only\n")
    expect(text).toContain(
      "\n\nWarning: Target URL returned error 401: Unauthorized\n\nMarkdown Content:\n",
    )
    expect(text).toContain("Sign in first.")
    const empty = await read("/https://site.test/status/410", { accept: "application/json" })
    expect(JSON.parse(empty.text)).toMatchObject({
      code: 200,
      data: { content: "", warning: "Target URL returned error 410: Gone" },
    })
  })

  test("as JSON and as an event stream", async () => {
    const { text } = await read("/https://site.test/rope", { accept: "application/json" })
    const { code, data } = JSON.parse(text)
    expect(code).toBe(200)
    expect(data).toMatchObject({
      title: "Rope",
      description: "About Rope",
      url: "https://site.test/rope",
      content: expect.stringContaining("12 metres"),
    })
    const stream = await read("/https://site.test/rope", { accept: "text/event-stream" })
    expect(stream.response.headers.get("content-type")).toStartWith("text/event-stream")
    expect(JSON.parse(/^data: (.*)$/m.exec(stream.text)![1]!)).toEqual(data)
  })

  test("a search returns its results with their pages; one that cannot be read keeps its position", async () => {
    const { text } = await read("/s/wind%20lass", { accept: "application/json" })
    const { data } = JSON.parse(text)
    expect(data.map((page: { url: string }) => page.url)).toEqual([
      "https://site.test/rope",
      "https://site.test/1",
      "https://site.test/hook",
      "https://site.test/500",
      "https://site.test/gone",
    ])
    expect(data[0].content).toContain("12 metres")
    expect(data[4]).toMatchObject({ title: "gone found", description: "All on gone" })
    expect(data[4]).toMatchObject({
      content: expect.stringContaining("# Not found"),
      warning: "Target URL returned error 404: Not Found",
    })
    const listed = await read("/s/?q=windlass", { "x-respond-with": "no-content" })
    expect(listed.text).toContain("[3] URL Source: https://site.test/hook")
    expect(listed.text).not.toContain("9 grams")
  })

  test("errors have the reader's form and status", async () => {
    const refusal = async (path: string, headers: Record<string, string> = {}) => {
      const { status, text } = await read(path, headers)
      return { http: status, ...JSON.parse(text) }
    }
    expect(await refusal("/https://nowhere.test/")).toMatchObject({ data: null })
    expect(await refusal("/https://site.test/challenge")).toMatchObject({
      http: 422,
      message: expect.stringContaining("a challenge of Cloudflare"),
    })
    expect(
      await refusal("/https://site.test/rope", { "x-respond-with": "readerlm-v2" }),
    ).toMatchObject({
      http: 400,
      name: "ParamValidationError",
      message: expect.stringContaining("readerlm-v2 is not supported"),
    })
    // There is no Chrome here.
    expect(
      await refusal("/https://site.test/rope", { "x-respond-with": "screenshot" }),
    ).toMatchObject({ http: 422, message: expect.stringContaining("needs Chrome") })
    expect(await refusal("/https://site.test/rope", { "x-target-selector": "p[" })).toMatchObject({
      http: 400,
      message: expect.stringContaining("not a CSS selector"),
    })
    expect(
      await refusal("/https://site.test/rope", { "x-target-selector": ".none" }),
    ).toMatchObject({
      http: 422,
    })
    expect(await refusal("/https://site.test/rope", { "x-timeout": "0" })).toMatchObject({
      http: 400,
    })
    expect(
      await refusal("/https://site.test/rope", { authorization: "Bearer trawl_live_nobody" }),
    ).toMatchObject({ http: 401, name: "AuthenticationFailedError" })
    expect(await refusal("/r/")).toMatchObject({ http: 400 })
  })
})

test("the quota and the account pay as on other surfaces", async () => {
  const spent = await DropIn.open({ freeDaily: 1 })
  try {
    const ask = (path: string, headers = {}) => fetch(spent.root + path, { headers })
    expect((await ask("/https://site.test/rope")).status).toBe(200)
    const refused = await ask("/https://site.test/hook")
    expect(refused.status).toBe(402)
    expect(await refused.text()).toContain("/signup?claim=")
    const { id, key } = await spent.app.account({ credits: 5 })
    const headers = { authorization: `Bearer ${key}` }
    expect((await ask("/https://site.test/hook", headers)).status).toBe(200)
    expect(await accountById(spent.app.store.db, id)).toMatchObject({ balance: 4 })
  } finally {
    await spent.stop()
  }
})
