import { Type } from "@sinclair/typebox"
import {
  holdsWords,
  integerOrNull,
  isoDate,
  objectList,
  textOrNull,
} from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  type Row,
  record,
  required,
} from "../kit/index.ts"
import {
  algolia,
  hackerNewsId,
  hackerNewsRateLimit,
  itemUrl,
  postText,
  searchByDate,
} from "./hacker-news.ts"
import { readJobPost } from "./hiring-post.ts"

const maxHits = 1000

type Thread = { id: number; title: string | null }

const urlOf = ({ id }: { id: number }) => itemUrl(id)

const item = record({
  id: items.requiredInteger("ID of the post."),
  storyId: items.requiredInteger("ID of the thread."),
  storyTitle: items.text("Title of the thread."),
  author: items.requiredText("Author."),
  url: required(field.text(urlOf, "URL of the post.")),
  createdAt: items.text("Time of posting (ISO 8601, UTC)."),
  header: items.text("First line of the post."),
  company: items.text("Company in the header; null if it has none."),
  title: items.text("Role."),
  location: items.text("Location, as displayed."),
  remote: items.requiredBoolean("Whether remote work is offered."),
  onsite: items.requiredBoolean("Whether the header mentions on-site work."),
  hybrid: items.requiredBoolean("Whether the header mentions hybrid work."),
  employmentType: items.texts("Employment types: full-time, part-time, contract or intern."),
  salary: items.text("Pay range, as written."),
  visa: items.requiredBoolean("Whether the header mentions a visa."),
  links: items.texts("URLs in the post."),
  emails: items.texts("Email addresses in the post."),
  applyUrl: items.text("URL for applications: the first one other than the company's front page."),
  technologies: items.texts("Technologies mentioned in the post."),
  text: items.text("Text without markup."),
  textHtml: field.text("html", "Text as HTML."),
  textMarkdown: field.markdown("html", "Text as Markdown.", urlOf),
})

export default defineScraper({
  slug: "hacker-news-hiring-scraper",
  name: "Hacker News: Who is hiring?",
  tagline:
    'Job posts from the monthly "Ask HN: Who is hiring?" thread, split into company, role, location and remote flag.',
  category: "jobs",
  input: {
    storyId: Type.Optional(inputs.text("Thread ID or URL (default: the newest hiring thread).")),
    query: inputs.optionalText("Words that the post must contain, ignoring case."),
    limit: inputs.count("Maximum posts", { max: 1000, or: 100 }),
  },
  item,
  example: { query: "remote typescript", limit: 10 },
  probe: {
    input: { limit: 5 },
    expect: [
      "items.length equals 5",
      "items[*].text share 1",
      "items[*].author share 1",
      "items[*].createdAt fresh 45",
      "?items[*].company share 0.5",
    ],
  },
  rateLimit: hackerNewsRateLimit,
  targets: (input) => [input.storyId ?? "newest"],
  maxItems: (input) => input.limit,
  identify: (target, { query }) => ({ input: target === "newest" ? (query ?? target) : target }),

  async *scrape(target, ctx) {
    const { query, limit } = ctx.input
    const thread = target === "newest" ? await newestThread(ctx) : providedThread(target)
    const { posts, title } = await readPosts(thread, ctx)
    if (posts.length === 0) throw new Changed(`The thread ${thread.id} has no readable posts.`)
    let provided = 0
    for (const post of posts) {
      const text = postText(post.html)
      if (!holdsWords(query, text)) continue
      if (++provided > limit) return
      yield item.read({
        ...post,
        storyId: thread.id,
        storyTitle: title,
        ...readJobPost(post.html, text),
        text,
      })
    }
  },
})

function providedThread(written: string): Thread {
  const id = hackerNewsId(written)
  if (id === null) {
    throw new BadInput(`"${written}" is not a Hacker News thread. Use a thread ID or URL.`)
  }
  return { id, title: null }
}

/** Searches by date and by the bot's name, because other searches return old, popular threads. */
async function newestThread(ctx: Context): Promise<Thread> {
  const search = { tags: "story,author_whoishiring", query: "hiring", hitsPerPage: 12 }
  const { hits } = await searchByDate(search, ctx)
  const thread = hits.find((hit) => /^Ask HN: Who is hiring\?/i.test(textOrNull(hit.title) ?? ""))
  if (!thread) throw new Changed('None of the newest threads is a "Who is hiring?" thread.')
  return { id: Number(thread.objectID), title: textOrNull(thread.title) }
}

async function readPosts(thread: Thread, ctx: Context) {
  const search = { tags: `comment,story_${thread.id}`, hitsPerPage: maxHits, page: 0 }
  const { hits, total } = await searchByDate(search, ctx)
  if (total > maxHits || total === 0) return readTree(thread, ctx)
  return {
    posts: hits
      .filter((hit) => integerOrNull(hit.parent_id) === thread.id)
      .flatMap((hit) => postOf({ ...hit, id: hit.objectID, text: hit.comment_text })),
    title: textOrNull(hits[0]?.story_title) ?? thread.title,
  }
}

function postOf(row: Row) {
  const id = integerOrNull(row.id)
  const html = textOrNull(row.text)
  const author = textOrNull(row.author)
  if (id === null || !html || !author) return []
  return [{ id, author, html, createdAt: isoDate(row.created_at) }]
}

/** Returns the whole thread in one call, for threads with more comments than a search returns. */
async function readTree(thread: Thread, ctx: Context) {
  const url = `${algolia}/items/${thread.id}`
  const root = await ctx
    .json<{ title?: string; children?: Row[] }>(url, { timeoutMs: 60_000 })
    .catch((error) => {
      if (error instanceof NotFound) {
        throw new NotFound(`Story not found: ${thread.id}`, { url, statusCode: error.statusCode })
      }
      throw error
    })
  if (!Array.isArray(root?.children))
    throw new Changed("Algolia's response is not an item with children.")
  const posts = objectList(root.children).flatMap(postOf)
  posts.sort((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? ""))
  return { posts, title: textOrNull(root.title) ?? thread.title }
}
