import { expect, test } from "bun:test"
import type { RequestOptions } from "../../../src/catalogue/kit/index.ts"
import { replayClock } from "../../../src/engine/environment/clock.ts"
import { HttpClient } from "../../../src/engine/http/client.ts"
import { version } from "../../../src/version.ts"

/** The headers that a request goes out with. */
async function sent(url: string, options: RequestOptions = {}, contact?: string) {
  let headers = new Headers()
  const http = new HttpClient({
    transport: {
      async send(request) {
        headers = request.headers
        return {
          status: 200,
          headers: new Headers(),
          bytes: new Uint8Array(),
          via: "http",
          firstByte: null,
        }
      },
    },
    clock: replayClock(0),
    signal: new AbortController().signal,
    ...(contact ? { contact } : {}),
  })
  await http.request("GET", url, options)
  return Object.fromEntries(headers)
}

test("the service says its name and its contact", async () => {
  expect((await sent("https://a.test/"))["user-agent"]).toBe(`Trawl/${version} (+self-hosted)`)
  expect((await sent("https://a.test/", {}, "mailto:me@b.test"))["user-agent"]).toContain(
    "me@b.test",
  )
})

test("a browser's headers are of one piece", async () => {
  const page = await sent("https://a.test/", { identity: "browser" })
  const chrome = /Chrome\/(\d+)/.exec(page["user-agent"]!)![1]
  expect(page["sec-ch-ua"]).toContain(`"Chromium";v="${chrome}"`)
  expect(page["user-agent"]).toContain("Linux")
  expect(page["sec-ch-ua-platform"]).toBe('"Linux"')
  expect(page["sec-fetch-dest"]).toBe("document")
  expect(page.accept).toContain("text/html")
})

test("a script's call is no opened page", async () => {
  const call = await sent("https://a.test/", {
    identity: "browser",
    headers: { accept: "application/json" },
  })
  expect([call["sec-fetch-dest"], call["sec-fetch-mode"]]).toEqual(["empty", "cors"])
  expect(call["upgrade-insecure-requests"]).toBeUndefined()
  expect(call.accept).toBe("application/json")
})

test("a browser tells nothing of itself without encryption", async () => {
  const page = await sent("http://a.test/", { identity: "browser" })
  expect(Object.keys(page).filter((name) => name.startsWith("sec-"))).toEqual([])
})

test("a caller's headers win", async () => {
  const page = await sent("https://a.test/", {
    identity: "browser",
    headers: { "User-Agent": "other", "accept-language": "de" },
  })
  expect([page["user-agent"], page["accept-language"]]).toEqual(["other", "de"])
})
