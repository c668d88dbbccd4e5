import { expect, test } from "bun:test"
import { replayClock } from "../../../../src/base/clock.ts"
import type { RequestOptions } from "../../../../src/catalogue/kit/index.ts"
import { version } from "../../../../src/config/version.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import type { BrowserHeaders } from "../../../../src/engine/net/http/identity.ts"

const both = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/200.0.0.0 Safari/537.36",
  "sec-ch-ua": '"Chromium";v="200"',
  "accept-language": "en-US,en;q=0.9",
}
/** An identity that a future Chrome might have. */
const chrome = {
  navigation: { ...both, accept: "text/html,*/*;q=0.8", "upgrade-insecure-requests": "1" },
  call: { ...both, accept: "*/*" },
}

/** Returns the headers that a request is sent with. */
async function sent(
  url: string,
  options: RequestOptions = {},
  { contact, ...known }: { contact?: string; chrome?: BrowserHeaders } = { chrome },
) {
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
    ...known,
  })
  await http.request("GET", url, options)
  return Object.fromEntries(headers)
}

test("the service sends its name and its contact", async () => {
  expect((await sent("https://a.test/"))["user-agent"]).toBe(`Trawl/${version} (+self-hosted)`)
  expect(
    (await sent("https://a.test/", {}, { contact: "mailto:me@b.test" }))["user-agent"],
  ).toContain("me@b.test")
})

test("a browser's headers are those of the installed Chrome", async () => {
  const page = await sent("https://a.test/", { identity: "browser" })
  expect(page).toMatchObject(chrome.navigation)
  expect([page["sec-fetch-dest"], page["sec-fetch-mode"]]).toEqual(["document", "navigate"])
})

test("without a Chrome, no browser headers are sent", async () => {
  for (const accept of ["text/html", "application/json"]) {
    const headers: Record<string, string> = accept === "text/html" ? {} : { accept }
    const plain = await sent(
      "https://a.test/",
      { identity: "browser", headers },
      { contact: "mailto:me@b.test" },
    )
    expect(plain["user-agent"]).toBe(`Trawl/${version} (+mailto:me@b.test)`)
    expect(Object.keys(plain).filter((name) => name.startsWith("sec-"))).toEqual([])
    expect(plain.accept).toContain(accept)
  }
})

test("a script's call differs from an opened page", async () => {
  const call = await sent("https://a.test/", {
    identity: "browser",
    headers: { accept: "application/json" },
  })
  expect([call["sec-fetch-dest"], call["sec-fetch-mode"]]).toEqual(["empty", "cors"])
  expect(call["upgrade-insecure-requests"]).toBeUndefined()
  expect(call.accept).toBe("application/json")
})

test("client hints are not sent without encryption", async () => {
  const page = await sent("http://a.test/", { identity: "browser" })
  expect(Object.keys(page).filter((name) => name.startsWith("sec-"))).toEqual([])
})

test("a caller's headers take precedence", async () => {
  const page = await sent("https://a.test/", {
    identity: "browser",
    headers: { "User-Agent": "other", "accept-language": "de" },
  })
  expect([page["user-agent"], page["accept-language"]]).toEqual(["other", "de"])
})
