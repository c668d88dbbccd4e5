import { describe, expect, test } from "bun:test"
import { type Reply, runAgainst, type Sent } from "./mock-site.ts"

const json = (value: unknown): Reply => ({ text: JSON.stringify(value), type: "application/json" })
const page = (body: string): Reply => ({
  text: `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`,
})
const renders = (sent: readonly Sent[]) => sent.some(({ via }) => via === "browser")

describe("Chrome renders the page after a refusal that is only a status", () => {
  test.each([
    ["amazon-product-scraper", 403],
    ["amazon-product-scraper", 503],
    ["amazon-search-scraper", 403],
    ["amazon-search-scraper", 503],
    ["google-maps-scraper", 403],
    ["google-maps-scraper", 503],
    ["booking-hotel-scraper", 403],
    ["booking-hotel-scraper", 503],
    ["reddit-user-scraper", 403],
  ])("%s, status %d", async (slug, status) => {
    const { sent } = await runAgainst(slug, () => ({ status }))
    expect(renders(sent)).toBeTrue()
  })

  test.each([
    "bing-search-scraper",
    "bing-news-scraper",
    "amazon-product-scraper",
    "imdb-title-scraper",
    "instagram-posts-scraper",
    "instagram-profile-scraper",
    "pinterest-search-scraper",
    "target-product-scraper",
  ])("%s, status 200 with an empty body", async (slug) => {
    const { sent } = await runAgainst(slug, () => ({}))
    expect(renders(sent)).toBeTrue()
  })

  test("Bing's results page with an empty list and no notice", async () => {
    const { sent } = await runAgainst("bing-search-scraper", ({ url }) =>
      url.includes("format=rss")
        ? { text: "<?xml version='1.0'?><rss><channel><title>Bing</title></channel></rss>" }
        : page('<ol id="b_results"></ol>'),
    )
    expect(renders(sent)).toBeTrue()
  })

  test("Bing News: an empty feed is checked against the list", async () => {
    const row =
      '<div class="newsitem"><a class="title" href="https://news.example/a">Headline</a></div>'
    const { items } = await runAgainst("bing-news-scraper", ({ url }) =>
      url.includes("format=rss")
        ? { text: "<?xml version='1.0'?><rss><channel><title>Bing</title></channel></rss>" }
        : page(row),
    )
    expect(items).toMatchObject([{ title: "Headline", url: "https://news.example/a" }])
  })

  test("Home Depot does not respond", async () => {
    const { sent, error } = await runAgainst("homedepot-product-scraper", () => "stall")
    expect(renders(sent)).toBeTrue()
    expect(error).toMatchObject({ code: "blocked" })
  })

  test("IMDb's pages have status 202 and no content", async () => {
    const { sent } = await runAgainst("imdb-title-scraper", () => ({ status: 202 }))
    expect(sent.map(({ via, host }) => `${via} ${host}`)).toEqual([
      "browser-http api.graphql.imdb.com",
      "browser-http www.imdb.com",
      "browser www.imdb.com",
    ])
  })

  test("YouTube asks for a proof that the visitor is not a bot", async () => {
    const refusal = {
      playabilityStatus: {
        status: "LOGIN_REQUIRED",
        reason: "Sign in to confirm you’re not a bot",
      },
    }
    const { sent } = await runAgainst("youtube-video-metadata", ({ path }) =>
      path === "/watch"
        ? page(`<script>var ytInitialPlayerResponse = ${JSON.stringify(refusal)};</script>`)
        : path.endsWith("/player")
          ? json(refusal)
          : { status: 404 },
    )
    const clients = sent
      .filter(({ path }) => path.endsWith("/player"))
      .map(({ body }) => JSON.parse(body).context.client.clientName)
    expect(clients).toEqual(["WEB", "VISIONOS", "TVHTML5_SIMPLY", "WEB_EMBEDDED_PLAYER", "MWEB"])
    expect(sent.filter(({ path }) => path === "/watch").map(({ via }) => via)).toEqual([
      "http",
      "browser-http",
      "browser",
    ])
  })
})

describe("the first request", () => {
  test("X's search is a POST", async () => {
    const env = { X_AUTH_TOKEN: "a", X_CT0: "b" }
    const { sent } = await runAgainst("twitter-search-scraper", () => ({ status: 403 }), { env })
    const searches = sent.filter(({ path }) => path.endsWith("/SearchTimeline"))
    expect(searches.map(({ method }) => method)[0]).toBe("POST")
  })

  test.each(["duckduckgo-search-scraper", "google-search-scraper"])(
    "%s uses Chrome's connection",
    async (slug) => {
      const { sent } = await runAgainst(slug, () => ({ status: 403 }))
      expect(["browser-http", "browser"]).toContain(sent[0]!.via)
    },
  )
})

test("TikTok's page without its state is requested again with the cookies that it set", async () => {
  const { sent } = await runAgainst("tiktok-profile-scraper", ({ path }) =>
    path === "/@tiktok"
      ? { ...(page('<div id="app"></div>') as object), headers: { "set-cookie": "ttwid=fresh" } }
      : { status: 404 },
  )
  const own = sent.filter(({ path }) => path === "/@tiktok")
  expect(own.map(({ via }) => via)).toEqual(["browser-http", "browser-http", "browser"])
  expect(own[0]!.headers.get("cookie") ?? "").not.toContain("ttwid")
  expect(own[1]!.headers.get("cookie")).toContain("ttwid=fresh")
})

test("Pinterest's calls have the handler and the token of its page", async () => {
  const { sent } = await runAgainst("pinterest-search-scraper", ({ path, method }) => {
    if (path.startsWith("/resource/")) return { status: method === "POST" ? 200 : 403, text: "{}" }
    return {
      ...(page('<script>"www/search/[scope]-of-test.js"</script>') as object),
      headers: { "set-cookie": "csrftoken=0123456789abcdef; Path=/" },
    }
  })
  const call = sent.find(({ method }) => method === "POST")!
  expect(call.headers.get("x-pinterest-pws-handler")).toBe("www/search/[scope]-of-test.js")
  expect(call.headers.get("x-csrftoken")).toBe("0123456789abcdef")
})

test.each(["sec-filings-scraper", "sec-company-facts-scraper"])(
  "%s names TRAWL_CONTACT if the SEC refuses access",
  async (slug) => {
    const { error, items } = await runAgainst(slug, () => ({ status: 403 }))
    expect(JSON.stringify([error, items])).toContain("TRAWL_CONTACT")
  },
)
