import { htmlToText, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  numbered,
  type Row,
  readRows,
  record,
  required,
  ScrapeError,
  type UpstreamResponse,
} from "../kit/index.ts"

const root = "https://lobste.rs"
const pageSize = 25

type Story = Row & { short_id: string }

const submitter = "submitter_user|submitter_user.username"

/** Current responses; those before 2020 have the submitter as an object, and upvotes. */
const storyRecord = record({
  shortId: required(field.text("short_id", "ID of the story.")),
  title: required(field.text("title", "Title.")),
  url: field.text("url", "URL that the story links to; null for text posts."),
  domain: field.text("url", "Host of the URL.", (url) => URL.parse(url)?.hostname ?? null),
  discussionUrl: field.text("comments_url", "URL of the discussion."),
  shortUrl: field.text("short_id_url", "Short URL of the discussion."),
  score: field.integer("score", "Number of points."),
  upvotes: field.integer("upvotes", "Number of upvotes; only in old responses."),
  flags: field.integer("flags", "Number of flags; only in new responses."),
  commentsCount: field.integer("comment_count", "Number of comments."),
  tags: field.texts("tags", "Tags."),
  author: field.text(submitter, "Submitter."),
  authorUrl: field.text(submitter, "URL of the author's page.", (name) => `${root}/~${name}`),
  authorKarma: field.integer("submitter_user.karma", "The author's karma; only in old responses."),
  userIsAuthor: field.boolean(
    "user_is_author",
    "Whether the submitter also wrote the linked page.",
  ),
  description: field.text(
    (story: Row) => textOrNull(story.description_plain)?.trim() ?? htmlToText(story.description),
    "Text of the post as plain text.",
  ),
  descriptionMarkdown: field.markdown(
    "description",
    "Text of the post as Markdown.",
    "comments_url",
  ),
  createdAt: field.time("created_at", "Time of posting (ISO 8601, UTC)."),
})
const { shortId, ...otherFields } = storyRecord.fields

export default defineScraper({
  slug: "lobsters-scraper",
  name: "Lobsters",
  tagline: "Stories from the Lobsters link aggregator: hottest, newest, active or by tag.",
  category: "news",
  input: {
    feed: inputs.choice(
      ["hottest", "newest", "active", "tag"],
      "Story list; tag requires the field `tag`.",
      "hottest",
    ),
    tag: inputs.optionalText("Tag, or comma-separated tags, for example rust,go.", {
      pattern: "^[a-z0-9.+_-]+(,[a-z0-9.+_-]+)*$",
    }),
    limit: inputs.count("Maximum stories", { max: 500, or: 25 }),
  },
  item: {
    shortId,
    position: items.requiredInteger("Position in the list, from 1."),
    ...otherFields,
    feed: items.requiredText("Name of the list."),
    tag: items.text("Requested tag."),
  },
  example: { feed: "hottest", limit: 10 },
  probe: {
    input: { feed: "hottest", limit: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].score share 1",
      "items[*].tags share 1",
      "items[*].createdAt fresh 30",
    ],
  },
  rateLimit: { "lobste.rs": { perSecond: 1, concurrency: 1 } },
  pages: { rows: 25 },
  targets: (input) => [input.feed],
  maxItems: (input) => input.limit,
  identify: (feed, { tag }) => ({ input: feed === "tag" ? (tag ?? feed) : feed }),

  async *scrape(feed, ctx) {
    const { tag, limit } = ctx.input
    if (feed === "tag" && !tag) throw new BadInput('"tag" is required if feed is "tag".')
    let full = true
    const request = async (page: number) => {
      try {
        const stories = await readPage(pageUrl(feed, tag, page), ctx, tag)
        full = stories.length >= pageSize
        return stories
      } catch (error) {
        ctx.signal.throwIfAborted()
        // A page that is not full is the last one.
        const isEnd = page > 1 && (error instanceof NotFound || !full)
        if (isEnd && error instanceof ScrapeError) return []
        throw error
      }
    }
    let position = 0
    const stories = numbered(request, { cap: limit, keyOf: (story) => story.short_id })
    const read = (story: Story) => ({
      ...storyRecord.read(story),
      position: ++position,
      feed,
      tag: feed === "tag" ? tag! : null,
    })
    yield* readRows(stories, read, ctx)
  },
})

function pageUrl(feed: string, tag: string | undefined, page: number): string {
  if (feed === "tag") return `${root}/t/${tag}${page > 1 ? `/page/${page}` : ""}.json`
  if (page === 1) return `${root}/${feed}.json`
  return `${root}${feed === "hottest" ? "" : `/${feed}`}/page/${page}.json`
}

/** Sign of a refusal: a page instead of JSON. */
const refusal = { sign: ({ contentType }: UpstreamResponse) => /html/.test(contentType) }

async function readPage(url: string, ctx: Context, tag: string | undefined): Promise<Story[]> {
  const response = await ctx.data(url, { what: "the list of stories", refusal }).catch((error) => {
    if (error instanceof NotFound && url.includes("/t/"))
      throw new NotFound(`Unknown tag: ${tag}`, { url, statusCode: error.statusCode })
    throw error
  })
  const stories = response.json<Story[]>()
  if (!Array.isArray(stories)) throw new Changed("Lobsters' response is not a list of stories.")
  return stories
}
