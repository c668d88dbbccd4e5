import { Type } from "@sinclair/typebox"
import { integerOrNull, textOrNull } from "../../extract/core/index.ts"
import {
  assertScrapeError,
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  record,
  required,
  siteOf,
} from "../kit/index.ts"
import {
  type FirebaseItem,
  firebaseItem,
  firebaseList,
  hackerNewsRateLimit,
  itemUrl,
  kidsOf,
  postText,
} from "./hacker-news.ts"

/** The lists, each with the maximum of its stories. */
const lists = { top: 500, new: 500, best: 500, ask: 200, show: 200, job: 200 } as const
const storiesAtOnce = 10

const pageOf = ({ id }: FirebaseItem) => itemUrl(id)

const comment = record({
  id: required(field.integer("id", "ID of the comment.")),
  author: field.text("by", "Name of the author."),
  text: field.text("text", "Text without markup.", postText),
  parentId: field.integer("parent", "ID of the story or comment that this item replies to."),
  depth: required(field.integer("depth", "Depth in the discussion; 0 for replies to the story.")),
  createdAt: field.unixTime("time", "Time of posting (ISO 8601, UTC)."),
  url: required(field.text(pageOf, "URL of the comment.")),
  repliesCount: field.of(
    items.requiredInteger("Number of direct replies."),
    (item: FirebaseItem) => kidsOf(item).length,
  ),
})

const story = record({
  id: items.requiredInteger("ID of the story."),
  type: items.requiredText("Type: story, job or poll."),
  position: items.requiredInteger("Position in the list, from 1."),
  feed: items.requiredText("Name of the list."),
  title: required(field.text("title", "Title.")),
  url: field.text("url", "URL that the story links to; null for text posts."),
  domain: field.text("url", "Host of the URL, without www.", siteOf),
  discussionUrl: required(field.text(pageOf, "URL of the discussion.")),
  author: field.text("by", "Name of the author."),
  authorUrl: field.text(
    "by",
    "URL of the author's page.",
    (name) => `https://news.ycombinator.com/user?id=${name}`,
  ),
  score: field.integer("score", "Number of points."),
  commentsCount: field.of(
    items.requiredInteger("Number of comments of all levels."),
    (item: FirebaseItem) => integerOrNull(item.descendants) ?? 0,
  ),
  text: field.text("text", "Text of the post as plain text.", postText),
  textHtml: field.text("text", "Text of the post as HTML."),
  textMarkdown: field.markdown("text", "Text of the post as Markdown.", pageOf),
  createdAt: field.unixTime("time", "Time of posting (ISO 8601, UTC)."),
  comments: Type.Optional(
    items.objects("Comments; missing unless requested with `includeComments`.", comment.fields),
  ),
})

export default defineScraper({
  slug: "hacker-news-scraper",
  name: "Hacker News",
  tagline:
    "Stories from the Hacker News front page and its other lists, with scores, authors and (optionally) comments.",
  notServed: ["search by words"],
  category: "news",
  input: {
    feed: inputs.choice(lists, "Story list.", "top"),
    limit: inputs.count("Maximum stories; ask, show and job have up to 200", { max: 500, or: 30 }),
    includeComments: inputs.flag("Whether to include comments, top level first."),
    maxCommentsPerStory: inputs.count("Maximum comments per story", { max: 500, or: 20 }),
  },
  item: story,
  example: { feed: "top", limit: 10 },
  probe: {
    input: { feed: "top", limit: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].score share 0.8",
      "items[*].createdAt fresh 7",
    ],
  },
  rateLimit: hackerNewsRateLimit,
  targets: (input) => [input.feed],
  maxItems: (input) => input.limit,
  identify: (feed) => ({ input: feed, feed }),

  async *scrape(feed, ctx) {
    const { includeComments, maxCommentsPerStory } = ctx.input
    const max = lists[feed as keyof typeof lists]
    if (!max) throw new BadInput(`No such list on Hacker News: "${feed}".`)
    const ids = (await firebaseList(`${feed}stories`, ctx)).slice(0, Math.min(ctx.input.limit, max))
    let read = 0
    for (let from = 0; from < ids.length; from += storiesAtOnce) {
      const batch = ids.slice(from, from + storiesAtOnce)
      const stories = await Promise.all(batch.map((id) => readable(id, ctx)))
      for (const [index, found] of stories.entries()) {
        if (!found || found.deleted || found.dead || !textOrNull(found.title)) continue
        read++
        yield story.read({
          ...found,
          type: textOrNull(found.type) ?? "story",
          position: from + index + 1,
          feed,
          comments: includeComments ? await comments(found, maxCommentsPerStory, ctx) : undefined,
        })
      }
    }
    if (ids.length > 0 && read === 0) {
      throw new Changed("None of the stories on Hacker News' list is readable.")
    }
  },
})

/** Returns a story, or null if it is unreadable, so that one story does not fail the others. */
async function readable(id: number, ctx: Context): Promise<FirebaseItem | null> {
  try {
    return await firebaseItem(id, ctx)
  } catch (error) {
    assertScrapeError(error, ctx)
    ctx.log(`Item ${id} could not be read: ${error.message}`, "warning")
    return null
  }
}

/** Yields comments level by level, each level in the site's own ranking, up to the limit. */
async function comments(root: FirebaseItem, max: number, ctx: Context) {
  const found: ReturnType<typeof comment.read>[] = []
  let level = kidsOf(root)
  for (let depth = 0; level.length > 0 && found.length < max; depth++) {
    const next: number[] = []
    for (let from = 0; from < level.length && found.length < max; from += storiesAtOnce) {
      const wanted = Math.min(storiesAtOnce, max - found.length)
      const batch = level.slice(from, from + wanted)
      from -= storiesAtOnce - batch.length
      for (const item of await Promise.all(batch.map((id) => readable(id, ctx)))) {
        if (!item || item.deleted || item.dead) continue
        next.push(...kidsOf(item))
        found.push(comment.read({ ...item, depth }))
      }
    }
    level = next
  }
  return found
}
