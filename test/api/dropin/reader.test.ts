import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { accountById } from "../../../src/store/accounts/accounts.ts"
import { DropIn } from "./drop-in.ts"

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
  test("an address behind a slash is a page as text, the same behind /r/", async () => {
    const { response, text } = await read("/https://site.test/rope")
    expect(response.headers.get("content-type")).toStartWith("text/plain")
    expect(text).toStartWith(
      "Title: Rope\n\nURL Source: https://site.test/rope\n\nMarkdown Content:\n# Rope\n\nA windlass",
    )
    expect(text).not.toContain("[Home]")
    expect((await read("/r/https://site.test/rope")).text).toBe(text)
    // As proxies write it that fold slashes, and as clients do that encode an address whole.
    expect((await read("/https:/site.test/rope")).text).toBe(text)
    expect((await read(`/r/${encodeURIComponent("https://site.test/rope")}`)).text).toBe(text)
    expect((await read("/r/site.test/rope")).text).toBe(text)
  })

  test("the address is kept exactly, with its slashes and its query", async () => {
    for (const path of [
      "/https://site.test/a//b?x=1&y=%2F",
      "/r/https://site.test/a//b?x=1&y=%2F",
    ]) {
      expect((await read(path)).text).toContain("URL Source: https://site.test/a//b?x=1&y=%2F")
    }
  })

  test("headers say which part, in which form", async () => {
    const asked = (headers: Record<string, string>) => read("/https://site.test/hook", headers)
    expect((await asked({ "x-target-selector": ".price" })).text).toEndWith("\n9 grams\n")
    const whole = (
      await asked({ "x-respond-with": "markdown", "x-remove-selector": ".advert, nav" })
    ).text
    expect(whole).toContain("9 grams")
    expect(whole).not.toMatch(/Buy|Home|^Title:/)
    expect((await asked({ "x-respond-with": "html" })).text).toStartWith("<!doctype html>")
    expect((await asked({ "x-respond-with": "text" })).text).toStartWith("Home\n\nHook\n")
    const linked = (await read("/https://site.test/", { "x-with-links-summary": "true" })).text
    expect(linked).toContain("Links/Buttons:\n- [Rope](https://site.test/rope)")
  })

  test("headers say how the page is asked for", async () => {
    const { key } = await here.app.account()
    const { text } = await read("/https://site.test/asked", {
      authorization: `Bearer ${key}`,
      "x-set-cookie": "seen=1; Path=/; HttpOnly",
      "x-locale": "fr-FR",
      "x-no-cache": "true",
    })
    expect(text).toContain("- accept-language: fr-FR")
    expect(text).toContain("- cookie: seen=1\n")
    // Without a key only what says nothing of who asks.
    expect((await read("/r/site.test/asked", { "x-locale": "da" })).text).toContain("language: da")
    const { status } = await read("/r/site.test/asked", { "x-set-cookie": "a=b" })
    expect(status).toBe(422)
    const bare = await read("/https://site.test/rope", { "x-retain-images": "none" })
    expect(bare.text).not.toContain("rope.png")
    expect((await read("/r/site.test/rope", { "x-cache-tolerance": "old" })).status).toBe(400)
  })

  test("as JSON and as a stream of events", async () => {
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

  test("a search is its hits, read; a hit that cannot be read keeps its place", async () => {
    const { text } = await read("/s/wind%20lass", { accept: "application/json" })
    const { data } = JSON.parse(text)
    expect(data.map((page: { url: string }) => page.url)).toEqual([
      "https://site.test/rope",
      "https://site.test/hook",
      "https://site.test/gone",
    ])
    expect(data[0].content).toContain("12 metres")
    expect(data[2]).toMatchObject({ title: "gone found", description: "All on gone" })
    expect(data[2].content).toBeUndefined()
    const listed = await read("/s/?q=windlass", { "x-respond-with": "no-content" })
    expect(listed.text).toContain("[2] URL Source: https://site.test/hook")
    expect(listed.text).not.toContain("9 grams")
  })

  test("what goes wrong says so in the reader's form, by its status", async () => {
    const refusal = async (path: string, headers: Record<string, string> = {}) => {
      const { status, text } = await read(path, headers)
      return { http: status, ...JSON.parse(text) }
    }
    expect(await refusal("/https://site.test/missing")).toMatchObject({ http: 404, data: null })
    expect(
      await refusal("/https://site.test/rope", { "x-respond-with": "readerlm-v2" }),
    ).toMatchObject({
      http: 400,
      name: "ParamValidationError",
      message: expect.stringContaining("readerlm-v2 is not offered here"),
    })
    // No Chrome is here.
    expect(
      await refusal("/https://site.test/rope", { "x-respond-with": "screenshot" }),
    ).toMatchObject({ http: 422, message: expect.stringContaining("needs Chrome") })
    expect(await refusal("/https://site.test/rope", { "x-target-selector": "p[" })).toMatchObject({
      http: 400,
      message: expect.stringContaining("no CSS selector"),
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

test("the allowance and the account pay as everywhere", async () => {
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
