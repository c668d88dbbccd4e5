import { describe, expect, test } from "bun:test"
import type {
  Context,
  FetchMethod,
  RequestOptions,
  UpstreamResponse,
} from "../../../src/catalogue/kit/index.ts"
import { scraped, type Upstream, worldOf } from "./world.ts"

const challenge = {
  status: 403,
  headers: { "cf-mitigated": "challenge" },
  html: "<!doctype html><title>Just a moment...</title><p>Checking</p><script>1</script>",
}
const data = { html: '{"ok":true}' }
const fetchMethods: readonly FetchMethod[] = ["browser-http", "http", "browser"]

/** API requests get data once Chrome has cleared the challenge, if it can. */
function site(isClearable: boolean): Upstream {
  let isCleared = false
  return (_, via) => {
    if (via !== "browser") return isCleared ? data : challenge
    isCleared = isClearable
    return isCleared ? { html: `<main>${"It is here. ".repeat(60)}</main>` } : challenge
  }
}

const run = (upstream: Upstream, ask: (ctx: Context, url: string) => Promise<UpstreamResponse>) =>
  scraped(
    worldOf(upstream, { chromeNet: true, pageWaitMs: 10 }),
    async function* (_: string, ctx: Context) {
      const response = await ask(ctx, "https://a.example/api")
      yield { via: `${response.status} ${response.via}` }
    },
    { fetchMethods },
  )
const any: RequestOptions = { accept: "any", retries: 0 }

describe("a call that meets a challenge", () => {
  test.each([
    ["fails for it", {}],
    ["accepts every status", any],
  ])("is repeated once Chrome has cleared it: one that %s", async (_, options) => {
    const { via, requested } = await run(site(true), (ctx, url) => ctx.get(url, options))
    expect(via).toEqual(["200 browser-http"])
    expect(requested).toEqual(["browser-http /api", "browser /api", "browser-http /api"])
  })

  test("is blocked if Chrome does not clear it, whatever the call accepts", async () => {
    const { errors } = await run(site(false), (ctx, url) => ctx.get(url, any))
    expect(errors).toMatchObject([{ code: "blocked" }])
  })

  test("continues with the next step of the scraper, whatever the call accepts", async () => {
    const { via } = await run(site(true), (ctx, url) =>
      ctx.escalate(url, { http: (ctx) => ctx.get(url, any), browser: (ctx) => ctx.page(url) }),
    )
    expect(via).toEqual(["200 browser"])
  })

  test("is not a refusal of the site itself", async () => {
    const refusal = { status: 403, html: '{"error":"members only"}' }
    const { via } = await run(
      () => refusal,
      (ctx, url) => ctx.get(url, any),
    )
    expect(via).toEqual(["403 browser-http"])
  })
})

test("a page that accepts the status of a challenge is blocked by it", async () => {
  const has = () => true
  const { errors } = await run(
    () => challenge,
    (ctx, url) => ctx.page(url, { has, accept: [403] }),
  )
  expect(errors).toMatchObject([{ code: "blocked" }])
})

describe("a redirect to the sign-in page", () => {
  const signIn = { html: "<title>Site</title><form><input type=email><input type=password></form>" }
  const upstream: Upstream = ({ pathname }) =>
    pathname === "/login" ? signIn : { status: 302, headers: { location: "/login" } }

  test.each([
    ["whatever a scraper finds there", { has: () => true }],
    ["if any page will do", {}],
  ])("requires a login, %s", async (_, options) => {
    const { errors } = await run(upstream, (ctx, url) => ctx.page(url, options))
    expect(errors).toMatchObject([{ code: "login_required" }])
  })

  test("is the requested page if that is a sign-in page", async () => {
    const has = () => true
    const { via } = await run(upstream, (ctx) => ctx.page("https://a.example/login", { has }))
    expect(via).toEqual(["200 browser-http"])
  })
})

test("a notice to other countries is an error, if any page would be accepted", async () => {
  const notice = {
    html: "<title>Site</title><p>This content is not available in your country.</p>",
  }
  const { errors } = await run(
    () => notice,
    (ctx, url) => ctx.page(url),
  )
  expect(errors).toMatchObject([{ code: "geo_blocked" }])
})
