import { expect, test } from "bun:test"
import { replayClock } from "../../../src/base/clock.ts"
import { searchPins } from "../../../src/catalogue/pinterest/pinterest.ts"
import { contextIn } from "../../context.ts"

test("the token and the handler of a search are those of its page", async () => {
  const requested: [string, string | null, string | null][] = []
  const ctx = contextIn({
    clock: replayClock(0),
    http: {
      async send({ method, url, headers }) {
        const { pathname } = new URL(url)
        const names = ["x-pinterest-pws-handler", "x-csrftoken"] as const
        requested.push([`${method} ${pathname}`, headers.get(names[0]), headers.get(names[1])])
        const isPage = pathname.startsWith("/search/")
        const isRefused = method === "GET" && !isPage
        const body = isPage
          ? `<html><script>{"handlers":["www/search/[scope]/next.js"]}</script></html>`
          : JSON.stringify({ resource_response: { data: { results: [{ type: "pin", id: "1" }] } } })
        return {
          status: isRefused ? 403 : 200,
          headers: new Headers({
            "content-type": isPage ? "text/html" : "application/json",
            ...(isPage ? { "set-cookie": "csrftoken=0123456789abcdef; Path=/" } : {}),
          }),
          bytes: new TextEncoder().encode(isRefused ? "{}" : body),
          via: "http",
          firstByte: null,
        }
      },
    },
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: {},
  })
  const pins = await Array.fromAsync(searchPins("lamp", 1, ctx))
  expect(pins.map((pin) => pin.text("id"))).toEqual(["1"])
  expect(requested).toEqual([
    ["GET /resource/BaseSearchResource/get/", "www/search/[scope].js", null],
    ["GET /search/pins/", null, null],
    ["POST /resource/BaseSearchResource/get/", "www/search/[scope]/next.js", "0123456789abcdef"],
  ])
})
