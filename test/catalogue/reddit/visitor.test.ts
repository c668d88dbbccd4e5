import { describe, expect, test } from "bun:test"
import { replayClock } from "../../../src/base/clock.ts"
import { scraperBySlug } from "../../../src/catalogue/index.ts"
import { Blocked, checkInput, type FetchMethod } from "../../../src/catalogue/kit/index.ts"
import type { Environment } from "../../../src/engine/fetch/environment.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"

const challenge = {
  status: 403,
  headers: new Headers({ "content-type": "text/html" }),
  bytes: new TextEncoder().encode("<title>Blocked</title><h1>whoa there, pardner!</h1>"),
}

const entry = (id: string) =>
  `<entry><author><name>/u/mossy</name></author><id>${id}</id><link href="https://www.reddit.com/r/gardening/comments/fo7p5b/x/"/><title>Moss</title><updated>2026-09-01T00:00:00Z</updated></entry>`
const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${entry("t3_fo7p5b")}${entry("t1_aaaa")}</feed>`

const slugs = [
  "reddit-scraper",
  "reddit-search-scraper",
  "reddit-comments-scraper",
  "reddit-user-scraper",
] as const

interface Sent {
  via: string
  host: string
  path: string
  agent: string | null
}

interface World {
  env?: Record<string, string>
  /** What the feeds return: posts, or the challenge. */
  feeds?: "posts" | "challenge"
  hasChrome?: boolean
  onlyMethod?: FetchMethod
}

/** All requests of a run of the scraper's example, to a Reddit that refuses pages and data. */
async function requests(slug: string, { env = {}, feeds, hasChrome, onlyMethod }: World = {}) {
  const sent: Sent[] = []
  const respond = (via: FetchMethod, address: string, headers?: Headers) => {
    const { host, pathname: path } = new URL(address)
    sent.push({ via, host, path, agent: headers?.get("user-agent") ?? null })
    const reply = (type: string, text: string) => ({
      status: 200,
      headers: new Headers({ "content-type": type, "set-cookie": "loid=1" }),
      bytes: new TextEncoder().encode(text),
    })
    const token = { access_token: "token", expires_in: 3600 }
    const listing = { kind: "Listing", data: { children: [], after: null } }
    if (host === "oauth.reddit.com" || path === "/api/v1/access_token") {
      return { ...reply("application/json", JSON.stringify({ ...token, ...listing })), via }
    }
    if (path.endsWith(".rss") && feeds === "posts") {
      return { ...reply("application/atom+xml", feed), via }
    }
    return { ...challenge, via }
  }
  const environment: Environment = {
    clock: replayClock(0),
    http: {
      send: async ({ url, headers }) => ({ ...respond("http", url, headers), firstByte: null }),
    },
    ...(hasChrome && {
      browser: {
        async lease(_lease, steps) {
          const page = (url: string) => {
            respond("browser", url)
            return Promise.reject(new Blocked("Reddit blocks the page.", "Reddit", { url }))
          }
          return steps({ goto: page } as never)
        },
        async fetch(_lease, { url }) {
          return { ...respond("browser-http", url), firstByte: null }
        },
      },
    }),
    chromeHeaders: () => ({
      navigation: { "user-agent": "Chrome" },
      call: { "user-agent": "Chrome" },
    }),
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env,
    keylessSecrets: ["all"],
    ...(onlyMethod && { onlyMethod }),
  }
  const scraper = scraperBySlug(slug)!
  const checked = checkInput(scraper.input, scraper.example)
  if (!checked.ok) throw new Error("The example is not valid.")
  const { input } = checked
  const checkpoint = new MemoryCheckpoints(scraper.targets(input as never), () => {})
  const signal = new AbortController().signal
  const { error } = await executeRun({ scraper, input, checkpoint, environment, signal })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return { sent, items, error }
}

describe.each(slugs)("%s as a signed-out visitor", (slug) => {
  test("without Chrome requests the feed of www.reddit.com first", async () => {
    const { sent, items } = await requests(slug, { feeds: "posts" })
    expect(sent.map(({ host }) => host)).toEqual(sent.map(() => "www.reddit.com"))
    expect(sent.filter(({ path }) => !path.endsWith(".rss"))).toEqual([])
    expect(new Set(sent.map(({ agent }) => agent))).toEqual(new Set(["Chrome"]))
    expect(items[0]).not.toHaveProperty("error")
  })

  test("with Chrome requests pages of www.reddit.com, then feeds, and never data", async () => {
    const { sent } = await requests(slug, { hasChrome: true })
    expect(new Set(sent.map(({ host }) => host))).toEqual(new Set(["www.reddit.com"]))
    expect(sent[0]!.via).toBe("browser-http")
    expect(sent.at(-1)!.path).toEndWith(".rss")
    expect(sent.filter(({ path }) => path.endsWith(".json"))).toEqual([])
  })

  test("reads data with the operator's session", async () => {
    const env = { REDDIT_COOKIE: "reddit_session=1" }
    const { sent } = await requests(slug, { env })
    expect(sent[0]!.path).toEndWith(".json")
  })

  test("names the missing session if only plain HTTP is allowed", async () => {
    const { sent, error } = await requests(slug, { onlyMethod: "http" })
    expect(sent).toEqual([])
    expect(error).toMatchObject({ code: "missing_credentials" })
    expect(error!.message).toContain("REDDIT_COOKIE")
  })
})

const app = { REDDIT_CLIENT_ID: "id", REDDIT_CLIENT_SECRET: "secret" }

test("the operator's app is used last, under its own name", async () => {
  const { sent } = await requests("reddit-scraper", { env: app })
  const [first] = sent
  expect(first!.path).toEndWith(".rss")
  expect(sent.at(-1)!.host).toBe("oauth.reddit.com")
  expect(sent.at(-1)!.agent).toContain("trawl/")
  const found = await requests("reddit-scraper", { env: app, feeds: "posts" })
  expect(found.sent.map(({ host }) => host)).not.toContain("oauth.reddit.com")
})
