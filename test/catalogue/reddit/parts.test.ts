import { expect, test } from "bun:test"
import { replayClock } from "../../../src/base/clock.ts"
import { scraperBySlug } from "../../../src/catalogue/index.ts"
import type { Environment } from "../../../src/engine/fetch/environment.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"

const response = (status: number, html: string) => ({
  status,
  headers: new Headers({ "content-type": "text/html" }),
  bytes: new TextEncoder().encode(html),
  firstByte: null,
})

const post = (id: string) =>
  `<shreddit-post id="t3_${id}" post-title="Post ${id}" permalink="/r/gardening/comments/${id}/x/" score="7" comment-count="2"></shreddit-post>`

// The parts have the form of Reddit's pages in September 2026, as public clients read them.
const part = "/svc/shreddit/community-more-posts/hot/?name=gardening"
const more = `${part}&after=dDNfYWEwMDAy&feedLength=25`
const parts: Record<string, string> = {
  [part]: `${post("aa1")}${post("aa2")}<faceplate-partial slot="load-after" src="${more.replaceAll("&", "&amp;")}"></faceplate-partial>`,
  [more]: `${post("aa2")}${post("aa3")}`,
}

test("if Reddit refuses its data, Chrome's connection brings the parts of its page", async () => {
  const byChrome: string[] = []
  const environment: Environment = {
    clock: replayClock(0),
    http: { send: async () => ({ ...response(403, "<title>Blocked</title>"), via: "http" }) },
    browser: {
      lease: () => Promise.reject(new Error("no page is rendered")),
      async fetch(_lease, { url }) {
        const { pathname, search } = new URL(url)
        byChrome.push(pathname + search)
        return { ...response(200, parts[pathname + search] ?? ""), via: "browser-http" }
      },
    },
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: {},
  }
  const scraper = scraperBySlug("reddit-scraper")!
  const checkpoint = new MemoryCheckpoints(["gardening"])
  await executeRun({
    scraper,
    input: { subreddits: ["gardening"], sort: "hot", timeframe: "day", limit: 25 },
    checkpoint,
    environment,
    signal: new AbortController().signal,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  expect(items.map(({ id, title, score }) => [id, title, score])).toEqual([
    ["aa1", "Post aa1", 7],
    ["aa2", "Post aa2", 7],
    ["aa3", "Post aa3", 7],
  ])
  expect(byChrome).toEqual([part, more])
})
