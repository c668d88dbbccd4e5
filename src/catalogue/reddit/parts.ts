import {
  Blocked,
  type Context,
  EmptyShell,
  NotFound,
  type RequestOptions,
  type UpstreamResponse,
} from "../kit/index.ts"
import { hitsOn, postsOn } from "./page.ts"
import { type Post, site } from "./reddit.ts"

const root = "/svc/shreddit/"

/** Returns the part of a community's page that adds more posts on scrolling. */
export function communityPart(community: string, sort: string, span?: string): string {
  const query = new URLSearchParams({ name: community, ...(span ? { t: span.toUpperCase() } : {}) })
  return `${root}community-more-posts/${sort}/?${query}`
}

/** Returns the part of a search's page that contains the hits. */
export const searchPart = (words: URLSearchParams, community: string | null) =>
  `${root}${community ? `r/${community}/` : ""}search/?${words}`

/** Returns whether a list continues at a part of the page instead of after an item's name. */
export const isPart = (after: string | undefined) => after?.startsWith(root) === true

export async function partPosts(part: string, ctx: Context) {
  const response = await pagePart(part, ctx)
  const isSearch = /^[^?]*\/search\//.test(part)
  const rows: Post[] = isSearch ? hitsOn(response.document) : postsOn(response.document)
  if (rows.length === 0) throw emptyPart(response, "posts")
  return { rows, next: nextOf(response.document) }
}

export const emptyPart = ({ url, status }: UpstreamResponse, what: string) =>
  new EmptyShell(`A part of Reddit's page has no ${what}.`, { url, statusCode: status })

/**
 * Requests a part of a page. Reddit returns parts only to browser-like connections, such as those
 * of the method `browser-http`.
 */
export function pagePart(part: string, ctx: Context): Promise<UpstreamResponse> {
  return pageOrError(`${site}${part}`, ctx, {
    headers: {
      accept: "text/vnd.reddit.partial+html, text/html;q=0.9",
      referer: `${site}/`,
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
    },
  }).catch((error) => {
    // Only the page proves that it does not exist: the part may have another URL.
    if (!(error instanceof NotFound)) throw error
    throw new EmptyShell("Reddit's page has no such part.", { url: error.url, statusCode: 404 })
  })
}

/** @throws Blocked, NotFound */
export async function pageOrError(url: string, ctx: Context, options: RequestOptions = {}) {
  const response = await ctx.get(url, { identity: "browser", accept: [403, 404], ...options })
  if (response.status === 403)
    throw new Blocked("Reddit refuses a part of its page (status 403).", "Reddit", { response })
  if (response.status === 404) throw new NotFound("No such page on Reddit.", { response })
  return response
}

function nextOf(document: Document): string | null {
  const more = document
    .querySelector("faceplate-partial[src*='-more-posts/'], faceplate-partial[src*='/search/']")
    ?.getAttribute("src")
  const url = URL.parse(more ?? "", site)
  return url?.origin === site && url.pathname.startsWith(root) ? url.pathname + url.search : null
}
