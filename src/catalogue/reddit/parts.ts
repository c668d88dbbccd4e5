import { Blocked, type Context, EmptyShell, NotFound } from "../kit/index.ts"
import { postsOn } from "./page.ts"
import type { Post } from "./reddit.ts"

const site = "https://www.reddit.com"
const root = "/svc/shreddit/"

/** The part of a community's page that brings more posts when one scrolls down. */
export function communityPart(community: string, sort: string, span?: string): string {
  const query = new URLSearchParams({ name: community, ...(span ? { t: span.toUpperCase() } : {}) })
  return `${root}community-more-posts/${sort}/?${query}`
}

/** Whether a list goes on at such a part, and not at a thing's name. */
export const isPart = (after: string | undefined) => after?.startsWith(root) === true

/**
 * The posts of a part, and the part after them. Reddit gives parts to what greets it as a browser
 * does, so that only Chrome's connection gets them.
 */
export async function partPosts(
  part: string,
  ctx: Context,
): Promise<{ rows: Post[]; next: string | null }> {
  const answer = await ctx.get(`${site}${part}`, {
    identity: "browser",
    headers: {
      accept: "text/vnd.reddit.partial+html, text/html;q=0.9",
      referer: `${site}/`,
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
    },
    accept: [403, 404],
  })
  const details = { url: answer.url, statusCode: answer.status }
  if (answer.status === 403)
    throw new Blocked("Reddit refuses a part of its page.", "Reddit", details)
  if (answer.status === 404) throw new NotFound("Reddit has no such community.", details)
  const rows = postsOn(answer.document)
  if (rows.length === 0) throw new EmptyShell("A part of Reddit's page holds no posts.", details)
  return { rows, next: nextOf(answer.document) }
}

function nextOf(document: Document): string | null {
  const more = document.querySelector("faceplate-partial[src*='-more-posts/']")?.getAttribute("src")
  const url = URL.parse(more ?? "", site)
  return url?.origin === site && url.pathname.startsWith(root) ? url.pathname + url.search : null
}
