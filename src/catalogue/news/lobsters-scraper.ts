import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { htmlToText, textOrNull, unseen } from "../../extract/text.ts"
import { partFailed } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Blocked, Changed, NotFound } from "../outcome.ts"

const root = "https://lobste.rs"
const pageSize = 25
const tagPattern = "^[a-z0-9.+_-]+(,[a-z0-9.+_-]+)*$"

/** Today's answers; those of before 2020 have the submitter as an object, and upvotes. */
interface Story {
  short_id: string
  short_id_url?: string
  created_at?: string
  title: string
  url?: string
  score?: number
  upvotes?: number
  flags?: number
  comment_count?: number
  description?: string
  description_plain?: string
  comments_url?: string
  submitter_user?: string | { username?: string; karma?: number }
  user_is_author?: boolean
  tags?: string[]
}

export default defineScraper({
  slug: "lobsters-scraper",
  name: "Lobsters",
  tagline: "Stories from the Lobsters link aggregator: hottest, newest, active or by tag.",
  category: "news",
  tier: "free",
  input: inputObject({
    feed: inputs.choice(
      ["hottest", "newest", "active", "tag"],
      "Which list; tag needs the field tag.",
      "hottest",
    ),
    tag: Type.Optional(
      Type.String({ pattern: tagPattern, description: "A tag, or several with commas between." }),
    ),
    limit: inputs.count("Most stories.", { max: 500, or: 25 }),
  }),
  item: itemObject({
    shortId: Type.String({ description: "Id of the story." }),
    rank: Type.Integer({ description: "Place in the list, from 1." }),
    title: Type.String({ description: "Title." }),
    url: textField("Where the story leads; null for posts of text."),
    domain: textField("Host of the address."),
    discussionUrl: textField("The discussion's page."),
    shortUrl: textField("Short address of the discussion."),
    score: integerField("Points."),
    upvotes: integerField("Upvotes (old answers)."),
    flags: integerField("Flags (new answers)."),
    commentCount: integerField("Comments."),
    tags: textsField("Tags."),
    author: textField("Who posted it."),
    authorUrl: textField("The author's page."),
    authorKarma: integerField("The author's karma (old answers)."),
    userIsAuthor: booleanField("Whoever posted it also wrote it."),
    description: textField("Plain text of the post."),
    createdAt: textField("When it was posted (ISO 8601, UTC)."),
    feed: Type.String({ description: "The list." }),
    tag: textField("The tag asked for."),
  }),
  example: { feed: "hottest", limit: 10 },
  pace: { "lobste.rs": { perSecond: 1, concurrency: 1 } },
  targets: (input) => [input.feed],
  maxItems: (input) => input.limit,
  identify: (feed, { tag }) => ({ input: feed === "tag" ? (tag ?? feed) : feed }),

  async *scrape(feed, ctx) {
    const { tag, limit } = ctx.input
    if (feed === "tag" && !tag) throw new BadInput('"tag" is required when feed is tag.')
    const seen = new Set<string>()
    let full = true
    try {
      for (let page = 1; seen.size < limit; page++) {
        const stories = await readPage(pageUrl(feed, tag, page), ctx, tag)
        const fresh = unseen(stories, new Set(seen), ({ short_id }) => short_id)
        for (const story of fresh) {
          if (seen.size >= limit) return
          seen.add(story.short_id)
          yield { ...fields(story), rank: seen.size, feed, tag: feed === "tag" ? tag! : null }
        }
        if (fresh.length === 0) return
        full = stories.length >= pageSize
      }
    } catch (error) {
      if (seen.size === 0) throw error
      const failed = partFailed(ctx, error, { input: feed === "tag" ? tag : feed })
      // A page with room left was the last one already.
      if (full && !(error instanceof NotFound)) yield failed
    }
  },
})

function pageUrl(feed: string, tag: string | undefined, page: number): string {
  if (feed === "tag") return `${root}/t/${tag}${page > 1 ? `/page/${page}` : ""}.json`
  if (page === 1) return `${root}/${feed}.json`
  return `${root}${feed === "hottest" ? "" : `/${feed}`}/page/${page}.json`
}

async function readPage(url: string, ctx: Context, tag: string | undefined): Promise<Story[]> {
  const answer = await ctx.get(url, { headers: { accept: "application/json" } }).catch((error) => {
    if (error instanceof NotFound && url.includes("/t/")) {
      throw new NotFound(`Unknown tag: ${tag}`, { url, statusCode: error.statusCode })
    }
    throw error
  })
  if (/html/.test(answer.contentType)) {
    throw new Blocked("lobste.rs answered with a page in place of its JSON.", null, {
      url: answer.url,
      statusCode: answer.status,
    })
  }
  const stories = answer.json<Story[]>()
  if (!Array.isArray(stories)) throw new Changed("Lobsters' answer is no list of stories.")
  if (stories.some((story) => !story?.short_id || !story.title)) {
    throw new Changed("A story of Lobsters' answer has no id or title.")
  }
  return stories
}

function fields(story: Story) {
  const { submitter_user: user } = story
  const author = textOrNull(typeof user === "string" ? user : user?.username)
  const url = textOrNull(story.url)
  return {
    shortId: story.short_id,
    title: story.title,
    url,
    domain: url ? (URL.parse(url)?.hostname ?? null) : null,
    discussionUrl: textOrNull(story.comments_url),
    shortUrl: textOrNull(story.short_id_url),
    score: integerOrNull(story.score),
    upvotes: integerOrNull(story.upvotes),
    flags: integerOrNull(story.flags),
    commentCount: integerOrNull(story.comment_count),
    tags: story.tags ?? [],
    author,
    authorUrl: author === null ? null : `${root}/~${author}`,
    authorKarma: typeof user === "object" ? integerOrNull(user?.karma) : null,
    userIsAuthor: story.user_is_author ?? null,
    description: textOrNull(story.description_plain?.trim()) ?? htmlToText(story.description),
    createdAt: isoDate(story.created_at),
  }
}
