import { afterAll, beforeAll, expect, test } from "bun:test"
import { tokensOf } from "../../../src/api/items/tokens.ts"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, catalogue)
})
afterAll(() => app.close())

const find = async (need: string) =>
  app.get(`/api/scrape?find=${encodeURIComponent(need)}&agentId=finder`)

test("a need returns at most three cards in 400 tokens, free of charge", async () => {
  const { body, text } = await find("what do customers say about this company")
  expect(body).toMatchObject({ status: "SUCCEEDED", tool: "find", free: { used: 0 } })
  expect(body.items[0]).toMatchObject({
    slug: "trustpilot-reviews-scraper",
    requiredParams: ["companies"],
  })
  expect(tokensOf(text)).toBeLessThanOrEqual(400)
})

test("a need filters and ranks the tools as it does the scrapers", async () => {
  const { body } = await app.get("/api/tools?q=who+owns+a+domain")
  expect(body.tools[0].tool).toBe("whois-lookup")
  expect(body.tools.length).toBeLessThan((await app.get("/api/tools")).body.tools.length)
})

test("the URL of a page finds the scrapers made for it", async () => {
  const { body } = await find("https://www.amazon.com/dp/B08N5WRWNW")
  expect(body.items[0].slug).toBe("amazon-product-scraper")
  const call = new URL(body.items[0].url)
  expect(call.searchParams.getAll("products")).toEqual(["https://www.amazon.com/dp/B08N5WRWNW"])
})

test("a URL among words is put into the call, unless the scraper accepts no such URL", async () => {
  const { body } = await find("how many views has https://www.youtube.com/watch?v=dQw4w9WgXcQ")
  const calls = body.items.map(({ slug, url }: { slug: string; url: string }) => [slug, url])
  const videos = "https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ"
  expect(Object.fromEntries(calls)["youtube-video-metadata"]).toEndWith(`?videos=${videos}`)
})

test("only the first scraper of a site gets the URL of the need", async () => {
  const page = "https://www.youtube.com/playlist?list=PL8dPuuaLjXtOAKed_MxxWBNaPno5h3Zs8"
  const { body } = await find(`titles of the videos in ${page}`)
  const [first, ...others] = body.items.map(({ url }: { url: string }) => decodeURIComponent(url))
  expect(first).toContain(page)
  for (const url of others) expect(url).not.toContain(page)
})

test("a URL of another site is not put into the call", async () => {
  const { body } = await find("all answers of stackexchange to https://other.example/questions/1")
  expect(body.items[0].slug).toBe("stackexchange-answers-scraper")
  expect(body.items[0].url).not.toContain("other.example")
})

test("weak matches have a notice with the other ways to an answer", async () => {
  const weak = await find("plant tomatoes on a balcony")
  expect(weak.body.notice).toContain("/api/search?q=")
  expect((await find("views of a YouTube video")).body.notice).toBeUndefined()
})

test("a card names what its scraper lacks", async () => {
  const { body } = await find("views of a YouTube video")
  expect(body.items[0]).toMatchObject({ slug: "youtube-video-metadata" })
  expect(body.items[0].notServed).toContain("transcript")
  const card = (await app.get("/api/scrape/youtube-video-metadata")).body
  expect(card.notServed).toContain("transcript")
})

test("any scraper's card fits the 400 tokens of three", async () => {
  for (const { tagline, slug } of catalogue) {
    const { text, body } = await find(`${slug} ${tagline}`)
    expect([slug, body.status, tokensOf(text) <= 400]).toEqual([slug, "SUCCEEDED", true])
  }
})

test("an unserved need and an empty one are refused with a next step", async () => {
  const none = (await find("weather in Berlin")).body
  expect(none).toMatchObject({ status: "ERROR", itemCount: 0 })
  expect(none.error.message).toContain("/api/scrape?url=")
  for (const query of ["find=", "find=%20", `find=${"x".repeat(2001)}`, "find=x&words=y"]) {
    const { body } = await app.get(`/api/scrape?${query}`)
    expect([query.slice(0, 20), body.status]).toEqual([query.slice(0, 20), "INVALID_INPUT"])
  }
})
