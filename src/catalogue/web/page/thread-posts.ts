import { metaContent, readMeta } from "../../../extract/page/index.ts"
import {
  assertScrapeError,
  type Context,
  type PageOptions,
  type UpstreamResponse,
} from "../../kit/index.ts"
import { openPage } from "./open.ts"

const postsMs = 10_000
const maxBytes = 5_000_000
/** Posts that the server sent: as elements, or in the state of the page's scripts. */
const sentPosts =
  ".topic-post, .topic-body, .crawler-post, .cooked, [data-preloaded]:not([data-preloaded=''])"

/**
 * Returns a page like `openPage`. A page of a Discourse thread that the server sent without its posts
 * gets them as the state that its scripts would load, by one more request to the same site. If that
 * fails, the page is opened as any other app shell.
 */
export async function openWithPosts(written: string, ctx: Context, options: PageOptions = {}) {
  const { has } = options
  if (typeof has !== "function") {
    const opened = await openPage(written, ctx, options)
    await addPosts(opened.response, ctx)
    return opened
  }
  const opened = await openPage(written, ctx, {
    ...options,
    has: (response) => has(response) || postsUrl(response) !== null,
  })
  const { response } = opened
  if (!(await addPosts(response, ctx)) || has(response)) return opened
  return openPage(written, ctx, options)
}

/** Adds the posts to a page that is a thread without them. Returns whether it is one. */
async function addPosts(response: UpstreamResponse, ctx: Context): Promise<boolean> {
  const url = postsUrl(response)
  if (url === null) return false
  try {
    const limits = { retries: 0, timeoutMs: postsMs, maxBytes, robots: true, isPart: true }
    const state = await ctx.json(url, limits)
    const { document } = response
    const script = document.createElement("script")
    script.setAttribute("type", "application/json")
    script.textContent = JSON.stringify(state)
    document.body.append(script)
  } catch (error) {
    assertScrapeError(error, ctx)
    ctx.log(`The posts of ${response.url} are not available: ${error.message}`)
  }
  return true
}

/** Returns the URL of the posts that a page of a Discourse thread is missing; null for other pages. */
function postsUrl({ url, status, via, file, contentType, document }: UpstreamResponse) {
  if (via === "browser" || status !== 200 || file || !/html/.test(contentType)) return null
  const address = new URL(url)
  const path = /^(.*\/t\/(?:[^/]+\/)?\d+(?:\/\d+)?)\/?$/.exec(address.pathname)?.[1]
  if (path === undefined) return null
  const generator = metaContent(readMeta(document), "generator") ?? ""
  if (!/^discourse\b/i.test(generator) || document.querySelector(sentPosts) !== null) return null
  address.pathname = `${path}.json`
  return address.href
}
