import { type Static, Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { textOrNull } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, textField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, Outcome } from "../outcome.ts"
import {
  authorUrl,
  type FirebaseItem,
  firebaseItem,
  firebaseList,
  hackerNewsPace,
  itemUrl,
  postText,
} from "./hacker-news.ts"

const lists = {
  top: { name: "topstories", most: 500 },
  new: { name: "newstories", most: 500 },
  best: { name: "beststories", most: 500 },
  ask: { name: "askstories", most: 200 },
  show: { name: "showstories", most: 200 },
  job: { name: "jobstories", most: 200 },
} as const
const feeds = ["top", "new", "best", "ask", "show", "job"] as const
const storiesAtOnce = 10

const comment = itemObject({
  id: Type.Integer(),
  author: textField("Who wrote it."),
  text: textField("Plain text."),
  parentId: integerField("The story's or comment's id that it answers."),
  depth: Type.Integer(),
  createdAt: textField("ISO 8601, UTC."),
  url: Type.String(),
  repliesCount: Type.Integer(),
})

const input = inputObject({
  feed: inputs.choice(feeds, "Which list.", "top"),
  limit: inputs.count("Most stories; ask, show and job hold 200 at most.", { max: 500, or: 30 }),
  includeComments: inputs.flag("Adds comments, top level first."),
  maxCommentsPerStory: inputs.count("Most comments a story.", { max: 500, or: 20 }),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "hacker-news-scraper",
  name: "Hacker News",
  tagline:
    "Stories from the Hacker News front page and its other lists, with scores, authors and (optionally) comments.",
  category: "news",
  tier: "free",
  input,
  item: itemObject({
    id: Type.Integer({ description: "Id of the story." }),
    type: Type.String({ description: "story, job or poll." }),
    rank: Type.Integer({ description: "Place in the list, from 1." }),
    feed: Type.String({ description: "The list." }),
    title: Type.String({ description: "Title." }),
    url: textField("Where the story leads; null for posts of text."),
    domain: textField("Host of the address, without www."),
    discussionUrl: Type.String({ description: "The discussion's page." }),
    author: textField("Who posted it."),
    authorUrl: textField("The author's page."),
    score: integerField("Points."),
    commentCount: Type.Integer({ description: "Comments of all levels." }),
    text: textField("Plain text of the post."),
    textHtml: textField("The post's text as HTML."),
    createdAt: textField("When it was posted (ISO 8601, UTC)."),
    comments: Type.Optional(Type.Array(comment, { description: "With includeComments." })),
  }),
  example: { feed: "top", limit: 10 },
  pace: hackerNewsPace,
  targets: (input) => [input.feed],
  maxItems: (input) => input.limit,
  identify: (feed) => ({ input: feed, feed }),

  async *scrape(feed, ctx) {
    const list = lists[feed as keyof typeof lists]
    if (!list) throw new BadInput(`There is no list "${feed}".`)
    const ids = (await firebaseList(list.name, ctx)).slice(0, Math.min(ctx.input.limit, list.most))
    let read = 0
    for (let from = 0; from < ids.length; from += storiesAtOnce) {
      const batch = ids.slice(from, from + storiesAtOnce)
      const stories = await Promise.all(batch.map((id) => readable(id, ctx)))
      for (const [index, found] of stories.entries()) {
        if (!found || found.deleted || found.dead || !textOrNull(found.title)) continue
        read++
        yield { ...story(found, feed, from + index + 1), ...(await comments(found, ctx)) }
      }
    }
    if (ids.length > 0 && read === 0) {
      throw new Changed("None of the stories on Hacker News' list could be read.")
    }
  },
})

/** A story, or null when it cannot be had: one of many is not worth the others. */
async function readable(id: number, ctx: Context): Promise<FirebaseItem | null> {
  try {
    return await firebaseItem(id, ctx)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Outcome)) throw error
    ctx.log(`Item ${id} could not be read: ${error.message}`, "warning")
    return null
  }
}

function story(item: FirebaseItem, feed: string, rank: number) {
  const url = textOrNull(item.url)
  const author = textOrNull(item.by)
  return {
    id: item.id,
    type: item.type ?? "story",
    rank,
    feed,
    title: item.title!,
    url,
    domain: url ? (URL.parse(url)?.hostname.replace(/^www\./, "") ?? null) : null,
    discussionUrl: itemUrl(item.id),
    author,
    authorUrl: authorUrl(author),
    score: item.score ?? null,
    commentCount: item.descendants ?? 0,
    text: postText(item.text),
    textHtml: textOrNull(item.text),
    createdAt: isoFromUnix(item.time),
  }
}

/** Comments level by level, each level in the site's own ranking, up to the cap. */
async function comments(root: FirebaseItem, ctx: Context<Input>) {
  if (!ctx.input.includeComments) return {}
  const most = ctx.input.maxCommentsPerStory
  const found: (typeof comment)["static"][] = []
  let level = root.kids ?? []
  for (let depth = 0; level.length > 0 && found.length < most; depth++) {
    const next: number[] = []
    for (let from = 0; from < level.length && found.length < most; from += storiesAtOnce) {
      const wanted = Math.min(storiesAtOnce, most - found.length)
      const batch = level.slice(from, from + wanted)
      from -= storiesAtOnce - batch.length
      for (const item of await Promise.all(batch.map((id) => readable(id, ctx)))) {
        if (!item || item.deleted || item.dead) continue
        next.push(...(item.kids ?? []))
        found.push({
          id: item.id,
          author: textOrNull(item.by),
          text: postText(item.text),
          parentId: item.parent ?? null,
          depth,
          createdAt: isoFromUnix(item.time),
          url: itemUrl(item.id),
          repliesCount: item.kids?.length ?? 0,
        })
      }
    }
    level = next
  }
  return { comments: found }
}
