import { afterAll, beforeAll, expect, test } from "bun:test"
import { Images } from "../../../src/api/console/images.ts"
import type { RateLimitBroker } from "../../../src/engine/net/rate-limits/channel.ts"
import { TestApp } from "../app.ts"

/** One pixel. */
const image = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)
const drawing = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"

let requested: string[] = []
const site = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url)
    requested.push(pathname)
    if (pathname === "/moved") return Response.redirect("/lamp.png", 302)
    if (pathname === "/round") return Response.redirect("/round", 302)
    if (pathname === "/inside") return Response.redirect("http://10.0.0.1/lamp.png", 302)
    if (pathname === "/large") return new Response(Buffer.concat([image, Buffer.alloc(5e6)]))
    const body = pathname === "/drawing.svg" ? drawing : image
    // The site's content type is not trusted.
    return new Response(body, { headers: { "content-type": "text/html" } })
  },
})
const at = (path: string) => `http://127.0.0.1:${site.port}${path}`
const allowed = { egressAllow: ["127.0.0.1/32"], proxyUrls: [], replay: [], hostRateLimits: [] }
const { signal } = new AbortController()

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ egressAllow: ["127.0.0.1/32"] })
})
afterAll(async () => {
  await app.close()
  await site.stop(true)
})

test("an image comes through the service, to signed-in users, and cannot run", async () => {
  const path = (url: string) => `/console/picture?${new URLSearchParams({ url })}`
  expect((await app.get(path(at("/lamp.png")))).status).toBe(401)
  const made = await app.post("/api/account", {
    body: { email: "ada@example.com", password: "long enough" },
  })
  const headers = { cookie: made.headers.get("set-cookie")!.split(";")[0]! }
  const visible = await app.get(path(at("/lamp.png")), { headers })
  expect([visible.status, visible.headers.get("content-type")]).toEqual([200, "image/png"])
  expect(visible.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'")
  expect(visible.headers.get("x-content-type-options")).toBe("nosniff")
  expect((await app.get(path(at("/drawing.svg")), { headers })).status).toBe(204)
  expect((await app.get(path("file:///etc/passwd"), { headers })).status).toBe(400)
})

test("files that are not images, are too large, or are not on the public internet are refused", async () => {
  const images = new Images(allowed)
  const seen = async (path: string) => (await images.of(at(path), "acc_1", signal))?.type
  expect(await seen("/moved")).toBe("image/png")
  for (const path of ["/drawing.svg", "/round", "/inside", "/large"]) {
    expect(await seen(path), path).toBeUndefined()
  }
  const guarded = new Images({ ...allowed, egressAllow: [] })
  requested = []
  expect(await guarded.of(at("/lamp.png"), "acc_1", signal)).toBeUndefined()
  expect(requested).toEqual([])
})

test("no site sees this machine if the operator's proxies are used, or in replay", async () => {
  requested = []
  for (const settings of [{ proxyUrls: ["http://proxy.test:8080"] }, { replay: ["case"] }]) {
    const images = new Images({ ...allowed, ...settings })
    expect(await images.of(at("/lamp.png"), "acc_1", signal)).toBeUndefined()
  }
  expect(requested).toEqual([])
})

test("one account is limited per minute, and another still gets its images", async () => {
  let sent = 0
  const images = new Images(allowed, undefined, {
    send: async () => {
      sent++
      return { status: 200, headers: new Headers(), bytes: image, via: "http", firstByte: 0 }
    },
  })
  const all = await Promise.all(
    Array.from({ length: 206 }, () => images.of(at("/lamp.png"), "acc_1", signal)),
  )
  // This number waits; further images are not shown.
  expect(all.filter(Boolean)).toHaveLength(206)
  for (let more = 0; more < 60; more++) await images.of(at("/lamp.png"), "acc_1", signal)
  expect(sent).toBeLessThan(246)
  expect(await images.of(at("/lamp.png"), "acc_2", signal)).toBeDefined()
})

test("image requests keep to the host's rate limit, and their refusals suspend no run", async () => {
  const turns: unknown[] = []
  const hostRateLimits: RateLimitBroker = {
    async acquire({ host, limits }) {
      turns.push([host, limits.perSecond])
      return { release: (report) => turns.push(report) }
    },
  }
  const [challenge, lamp] = ["https://shop.test/challenge", "https://img.shop.test/lamp.png"]
  const headers = new Headers({ "cf-mitigated": "challenge", "content-type": "text/html" })
  const common = { via: "http", firstByte: 0 } as const
  const images = new Images({ ...allowed, hostRateLimits: ["img.shop.test=0.5"] }, hostRateLimits, {
    send: async ({ url }) =>
      url === lamp
        ? { ...common, status: 200, headers: new Headers(), bytes: image }
        : {
            ...common,
            status: 403,
            headers,
            bytes: Buffer.from("Attention Required! | Cloudflare"),
          },
  })
  expect(await images.of(lamp, "acc_1", signal)).toBeDefined()
  expect(await images.of(challenge, "acc_1", signal)).toBeUndefined()
  expect(turns).toEqual([["img.shop.test", 0.5], "ok", ["shop.test", 5], "failed"])
})
