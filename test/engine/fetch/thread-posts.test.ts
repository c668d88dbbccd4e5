import { expect, test } from "bun:test"
import type { Context } from "../../../src/catalogue/kit/index.ts"
import { openWithPosts } from "../../../src/catalogue/web/page/open.ts"
import { reported } from "../../../src/catalogue/web/page/readable.ts"
import { Robots } from "../../../src/engine/net/http/robots.ts"
import { pageMarkdown } from "../../../src/extract/article/index.ts"
import { site } from "./good-pages.ts"
import { scraped, type Upstream, worldOf } from "./world.ts"

const shell = (inner = "", generator = "Discourse 2026.2.0 - https://github.com/discourse") =>
  `<!doctype html><title>Which boat</title><meta name=generator content="${generator}">
  <body><div id="data-preloaded"></div><section id=main>${inner}</section>
  <script src="/app.js"></script></body>`
const texts = [
  "Which boat would you take for a week on the canals, with two children and a dog?",
  "A narrow one with a cabin at each end, so that the dog has a place of its own.",
  "Ask the yard for the one with the high rails, and take life jackets for all of you.",
]
const state = JSON.stringify({
  title: "Which boat",
  post_stream: {
    posts: texts.map((text, index) => ({
      username: `user${index}`,
      created_at: "2026-03-01T10:00:00Z",
      post_number: index + 1,
      cooked: `<p>${text} ${"It is a quiet week in spring. ".repeat(4)}</p>`,
    })),
  },
})
const rendered = shell(texts.map((text) => `<div class=topic-post><p>${text}</p></div>`).join(""))

async function read(upstream: Upstream, options = {}) {
  const pages: string[] = []
  const plain = worldOf(upstream)
  const { http, clock } = plain.environment
  const world = worldOf(upstream, { robots: new Robots(http, clock) })
  const run = await scraped(world, async function* (_: string, ctx: Context) {
    const { response } = await openWithPosts(`${site}/t/boat/5?page=2`, ctx, options)
    pages.push(pageMarkdown(response.document, response.url, true).markdown)
    yield { via: response.via }
  })
  return { ...run, markdown: pages.join("") }
}

const forum =
  (html: string, json: string | number = state): Upstream =>
  ({ pathname }, method) => {
    if (pathname === "/robots.txt") return { html: "", status: 404 }
    if (method === "browser") return { html: rendered }
    if (!pathname.endsWith(".json")) return { html }
    return typeof json === "number" ? { html: "{}", status: json } : { html: json }
  }

test.each([
  ["that accepts any page", {}],
  ["that requires text", reported],
])(
  "a thread without its posts gets them by one more request, for a reader %s",
  async (_, options) => {
    const { markdown, via, requested, pages } = await read(forum(shell()), options)
    for (const text of texts) expect(markdown).toContain(text)
    expect(markdown.indexOf(texts[0]!)).toBeLessThan(markdown.indexOf(texts[2]!))
    expect(via).toEqual(["http"])
    expect(requested.filter((one) => !one.endsWith("robots.txt"))).toEqual([
      "http /t/boat/5",
      "http /t/boat/5.json",
    ])
    // The number of charged pages is the same as if Chrome loads the shell after plain HTTP.
    const byChrome = await read(forum(shell("", "Another forum")), reported)
    expect(byChrome.via).toEqual(["browser"])
    expect(pages).toBe(byChrome.pages)
  },
)

test.each([
  ["a thread with its posts", rendered],
  ["a page of other software", shell("<p>Loading the forum.</p>", "Flarum")],
])("%s is one request", async (_, html) => {
  const { requested } = await read(forum(html))
  expect(requested).toEqual(["http /t/boat/5"])
})

test.each([
  ["are refused", 403],
  ["are not there", 404],
  ["are not a thread", '{"errors": ["none"]}'],
])("if the posts %s, Chrome loads the page", async (_, json) => {
  const { markdown, via } = await read(forum(shell(), json), reported)
  expect(via).toEqual(["browser"])
  for (const text of texts) expect(markdown).toContain(text)
})

test("a robots.txt that disallows the posts is obeyed", async () => {
  const { requested, via } = await read((url, method) => {
    if (url.pathname === "/robots.txt") return { html: "User-agent: *\nDisallow: /t/*.json" }
    return forum(shell())(url, method)
  }, reported)
  expect(via).toEqual(["browser"])
  expect(requested).not.toContain("http /t/boat/5.json")
})
