import type { Feed } from "../../../extract/feed/index.ts"
import type { Answer, Context, RequestOptions } from "../context.ts"
import { Blocked, type Outcome } from "../outcome.ts"
import { guarded, type Wall } from "../walls.ts"
import { feedIn } from "./feed-pages.ts"

/** A feed of a search site. @throws Blocked where the site sends a page in its place */
export async function searchFeed(
  url: string,
  site: string,
  ctx: Context,
  options: RequestOptions = {},
  wall: Wall = {},
): Promise<Feed> {
  const ask = () =>
    ctx.get(url, {
      identity: "browser",
      ...options,
      headers: {
        accept: "application/rss+xml, application/xml;q=0.9, */*;q=0.5",
        ...options.headers,
      },
    })
  return requireFeed(await guarded(ctx, url, wall, ask), site, ctx)
}

export function requireFeed(answer: Answer, site: string, ctx: Context): Feed {
  const feed = feedIn(answer)
  if (!feed) throw noFeed(answer, site)
  if (feed.broken) ctx.log("The feed's XML is broken; entries may be missing.", "warning")
  return feed
}

/** These sites have no page at a feed's address, and no feed without channel, but for robots. */
function noFeed(answer: Answer, site: string): Outcome {
  const outcome = answer.lacks("a feed")
  const isPage = /<(?:html|rss)\b/i.test(answer.text().slice(0, 2000))
  if (!isPage || outcome instanceof Blocked) return outcome
  return new Blocked(`${site} answered with a page in place of the feed.`, site, {
    url: answer.url,
    statusCode: answer.status,
  })
}
