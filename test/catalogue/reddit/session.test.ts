import { describe, expect, test } from "bun:test"
import { type Reply, runAgainst, type Sent, type World } from "../mock-site.ts"

const entry = (id: string) =>
  `<entry><author><name>/u/mossy</name></author><id>${id}</id><link href="https://www.reddit.com/r/gardening/comments/fo7p5b/x/"/><title>Moss</title><updated>2026-09-01T00:00:00Z</updated></entry>`
const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${entry("t3_fo7p5b")}${entry("t1_aaaa")}</feed>`

const slugs = [
  "reddit-scraper",
  "reddit-search-scraper",
  "reddit-comments-scraper",
  "reddit-user-scraper",
] as const

const challenge: Reply = {
  status: 403,
  text: "<title>Blocked</title><h1>whoa there, pardner!</h1>",
}
const data = {
  access_token: "token",
  expires_in: 3600,
  kind: "Listing",
  data: { children: [], after: null },
}

interface RedditWorld extends World {
  /** Whether Reddit serves its feeds. */
  hasFeeds?: boolean
}

/**
 * Runs a scraper's example against a fake Reddit that refuses pages and data to anonymous visitors.
 */
function requests(slug: string, { hasFeeds, hasChrome = false, ...world }: RedditWorld = {}) {
  const reply = ({ host, path }: Sent): Reply => {
    if (host === "oauth.reddit.com" || path === "/api/v1/access_token") {
      return { type: "application/json", text: JSON.stringify(data) }
    }
    return hasFeeds && path.endsWith(".rss")
      ? { type: "application/atom+xml", text: feed }
      : challenge
  }
  return runAgainst(slug, reply, { ...world, hasChrome })
}

const agentOf = ({ headers }: Sent) => headers.get("user-agent")

describe.each(slugs)("%s as a signed-out visitor", (slug) => {
  test("without Chrome requests the feed of www.reddit.com first", async () => {
    const { sent, items } = await requests(slug, { hasFeeds: true })
    expect(sent.map(({ host }) => host)).toEqual(sent.map(() => "www.reddit.com"))
    expect(sent.filter(({ path }) => !path.endsWith(".rss"))).toEqual([])
    expect(new Set(sent.map(agentOf))).toEqual(new Set(["Chrome"]))
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
  expect(agentOf(sent.at(-1)!)).toContain("trawl/")
  const found = await requests("reddit-scraper", { env: app, hasFeeds: true })
  expect(found.sent.map(({ host }) => host)).not.toContain("oauth.reddit.com")
})
