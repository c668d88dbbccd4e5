import { expect, test } from "bun:test"
import { scraperBySlug } from "../../../src/catalogue/index.ts"
import { checkInput } from "../../../src/catalogue/kit/index.ts"
import { replayClock } from "../../../src/engine/environment/clock.ts"
import type { Environment } from "../../../src/engine/environment/environment.ts"
import { executeRun } from "../../../src/engine/run/execute.ts"
import { MemoryJournal } from "../../../src/engine/run/memory-journal.ts"

const answer = (status: number, html: string) => ({
  status,
  headers: new Headers({ "content-type": "text/html" }),
  bytes: new TextEncoder().encode(html),
  firstByte: null,
})

const post = (id: string) =>
  `<shreddit-post id="t3_${id}" post-title="Post ${id}" permalink="/r/gardening/comments/${id}/x/" score="7" comment-count="2"></shreddit-post>`

// The parts' form is that of Reddit's pages in September 2026, as public clients read it.
const part = "/svc/shreddit/community-more-posts/hot/?name=gardening"
const more = `${part}&after=dDNfYWEwMDAy&feedLength=25`
const searched = "/svc/shreddit/r/gardening/search/?q=slugs&type=posts&sort=new&t=week"
const searchedMore = `${searched}&cursor=eyJjIjoxfQ`
const hit = (id: string) =>
  `<search-telemetry-tracker data-testid="search-sdui-post"><a data-testid="post-title" href="/r/gardening/comments/${id}/x/">Post ${id}</a><div data-testid="search-counter-row"><faceplate-number number="7"></faceplate-number> votes · <faceplate-number number="2"></faceplate-number> comments</div></search-telemetry-tracker>`

const comment = (id: string, parent: string, text: string, inner = "") =>
  `<shreddit-comment thingId="t1_${id}" parentId="${parent}" postId="t3_aa1x" author="snail" score="3" permalink="/r/gardening/comments/aa1x/comment/${id}/"><div slot="commentMeta"><faceplate-timeago ts="2026-09-02T08:00:00.000Z"></faceplate-timeago></div><div slot="comment"><div id="t1_${id}-comment-rtjson-content"><p>${text}</p></div></div>${inner}</shreddit-comment>`
const thread = "/svc/shreddit/comments/r/gardening/t3_aa1x?render-mode=partial&sort=top"

const parts: Record<string, string> = {
  [searched]: `${hit("bb1")}<faceplate-partial src="${searchedMore.replaceAll("&", "&amp;")}"></faceplate-partial>`,
  [searchedMore]: hit("bb2"),
  "/comments/aa1x/?sort=top": `<shreddit-post id="t3_aa1x" post-title="Slugs" subreddit-prefixed-name="r/gardening" permalink="/r/gardening/comments/aa1x/slugs/" score="9" comment-count="2"><div slot="text-body"><div class="md"><p>They eat <b>all</b>.</p></div></div></shreddit-post>`,
  [thread]: comment("c1", "t3_aa1x", "Beer.", comment("c2", "t1_c1", "A waste.")),
  [part]: `${post("aa1")}${post("aa2")}<faceplate-partial slot="load-after" src="${more.replaceAll("&", "&amp;")}"></faceplate-partial>`,
  [more]: `${post("aa2")}${post("aa3")}`,
}

/** The items of a run whose requests only Chrome's connection gets through, and what that asked for. */
async function byParts(slug: string, input: Record<string, unknown>) {
  const byChrome: string[] = []
  const environment: Environment = {
    clock: replayClock(0),
    http: { send: async () => ({ ...answer(403, "<title>Blocked</title>"), via: "http" }) },
    browser: {
      lease: () => Promise.reject(new Error("no page is rendered")),
      async fetch(_lease, { url }) {
        const { pathname, search } = new URL(url)
        byChrome.push(pathname + search)
        return { ...answer(200, parts[pathname + search] ?? ""), via: "chrome-net" }
      },
    },
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: {},
  }
  const scraper = scraperBySlug(slug)!
  const checked = checkInput(scraper.input, input)
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults))
  const journal = new MemoryJournal(scraper.targets(checked.input))
  const signal = AbortSignal.timeout(20_000)
  const parted = { scraper, input: checked.input, journal, environment, signal, checkItems: true }
  await executeRun(parted)
  const items: Record<string, unknown>[] = []
  for await (const item of journal.items()) items.push(item)
  return { items, byChrome }
}

test("where Reddit refuses its data, Chrome's connection brings the parts of its page", async () => {
  const { items, byChrome } = await byParts("reddit-scraper", { subreddits: ["gardening"] })
  expect(items.map(({ id, title, score }) => [id, title, score])).toEqual([
    ["aa1", "Post aa1", 7],
    ["aa2", "Post aa2", 7],
    ["aa3", "Post aa3", 7],
  ])
  expect(byChrome).toEqual([part, more])
})

test("so do the parts of a search's page", async () => {
  const input = { queries: ["slugs"], subreddit: "gardening", sort: "new", timeframe: "week" }
  const { items, byChrome } = await byParts("reddit-search-scraper", input)
  expect(
    items.map(({ id, title, score, commentsCount }) => [id, title, score, commentsCount]),
  ).toEqual([
    ["bb1", "Post bb1", 7, 2],
    ["bb2", "Post bb2", 7, 2],
  ])
  expect(byChrome).toEqual([searched, searchedMore])
})

test("so do a thread's page and the part with its comments", async () => {
  const input = { postUrls: ["https://redd.it/aa1x"], sort: "top" }
  const { items, byChrome } = await byParts("reddit-comments-scraper", input)
  expect(items).toMatchObject([
    {
      type: "post",
      id: "aa1x",
      subreddit: "gardening",
      text: "They eat all.",
      textMarkdown: "They eat **all**.",
    },
    {
      type: "comment",
      id: "c1",
      parentId: "t3_aa1x",
      depth: 0,
      text: "Beer.",
      score: 3,
      repliesCount: 1,
      createdAt: "2026-09-02T08:00:00.000Z",
    },
    { type: "comment", id: "c2", parentId: "t1_c1", depth: 1, text: "A waste.", repliesCount: 0 },
  ])
  expect(byChrome).toEqual(["/comments/aa1x/?sort=top", thread])
})
