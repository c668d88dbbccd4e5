import { Type } from "@sinclair/typebox"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  distinctTargets,
  field,
  inputs,
  itemObject,
  items,
  NotFound,
  readRows,
  record,
  recordFields,
} from "../kit/index.ts"
import { asApp, withApp, withSession } from "./app.ts"
import { browserThread, partThread } from "./comment-thread.ts"
import { feedThread } from "./feed.ts"
import { person, redditPost, redditPostFields } from "./post.ts"
import {
  asMember,
  listingOf,
  type Post,
  type RedditRequest,
  redditScraper,
  site,
  type Thing,
} from "./reddit.ts"
import { CommentTree, type Reply } from "./thread.ts"

const post = itemObject({ ...recordFields("post"), ...redditPostFields })

const reply = record({
  parentId: field.text(
    "parent",
    "ID of the parent: t1_… for a comment, t3_… for the post; null if the feed was the source.",
  ),
  depth: field.integer(
    "depth",
    "Level in the tree; 0 for replies to the post; null if the feed was the source.",
  ),
  author: field.trimmed("data.author", "Username of the author; null if deleted.", person),
  authorId: field.trimmed("data.author_fullname", "ID of the author, with the prefix t2_."),
  isSubmitter: field.boolean("data.is_submitter", "Whether the post's author wrote the comment."),
  distinguished: field.trimmed(
    "data.distinguished",
    "Role in which the author speaks, for example moderator or admin.",
  ),
  stickied: field.boolean("data.stickied", "Whether the comment is pinned to the top."),
  locked: field.boolean("data.locked", "Whether replies are closed."),
  collapsed: field.boolean("data.collapsed", "Whether the comment is collapsed on the page."),
  isDeleted: field.flag(
    ({ data }: Reply) => data.body === "[deleted]" || data.body === "[removed]",
    "Whether the text was deleted or removed.",
  ),
  text: field.text("data.body", "Text of the comment, in Reddit's Markdown."),
  textHtml: field.text("data.body_html", "Text, in HTML."),
  textMarkdown: field.text("data.body_markdown|data.body", "Text of the comment, as Markdown."),
  score: field.integer("data.score", "Upvotes minus downvotes."),
  scoreHidden: field.boolean("data.score_hidden", "Whether the score is still hidden."),
  controversiality: field.integer(
    "data.controversiality",
    "1 if the comment has many votes that are evenly split, else 0.",
  ),
  createdAt: field.unixTime("data.created_utc", "Time of the comment (ISO 8601, UTC)."),
  editedAt: field.unixTime(
    "data.edited",
    "Time of the last edit (ISO 8601, UTC); null if never edited.",
  ),
  repliesCount: field.integer(
    "replyCount",
    "Number of direct replies, including those that Reddit collapses.",
  ),
  awards: field.integer("data.total_awards_received", "Number of awards received."),
  authorFlair: field.trimmed("data.author_flair_text", "Flair of the author in this community."),
})
const comment = itemObject({
  ...recordFields("comment"),
  id: items.requiredText("Short ID of the comment."),
  fullName: items.requiredText("ID with the prefix of its kind, t1_…."),
  postId: items.requiredText("Short ID of the post."),
  postUrl: items.requiredText("URL of the post's page."),
  ...reply.fields,
})

export default defineScraper({
  slug: "reddit-comments-scraper",
  name: "Reddit Comments",
  tagline: "A Reddit post with its comment tree, flattened with depth and parent.",
  notServed: ["search posts"],
  ...redditScraper,
  input: {
    postUrls: inputs.texts(
      "Post URLs, for example https://www.reddit.com/comments/fo7p5b, short or share links, or post IDs.",
      { max: 200 },
    ),
    sort: inputs.choice(
      ["best", "top", "new", "controversial", "old", "qa"],
      "Sort order of the comments.",
      "best",
    ),
    maxComments: inputs.count("Maximum comments per post", { max: 5000, or: 100 }),
    maxDepth: inputs.count("Maximum depth of the comments; 0 returns the top level only", {
      min: 0,
      max: 50,
      or: 10,
    }),
  },
  item: Type.Union([post, comment]),
  example: { postUrls: ["https://www.reddit.com/comments/fo7p5b"], maxComments: 20 },
  probe: {
    input: { postUrls: ["https://www.reddit.com/comments/fo7p5b"], maxComments: 5 },
    expect: [
      "items.length gte 3",
      'items[0].id equals "fo7p5b"',
      "items[*].text share 0.5",
      "?items[*].score share 0.8",
    ],
  },
  unverified: ["parts of the page", "page in Chrome", "feed"],
  targets: ({ postUrls }) => distinctTargets(postUrls, (target) => postId(target) ?? target),

  async *scrape(target, ctx) {
    const { sort, maxComments, maxDepth } = ctx.input
    const id = postId(target) ?? (await sharedPostId(target, ctx))
    const order = sort === "best" ? "confidence" : sort
    const { post, comments, ask } = await thread(id, order, maxDepth, ctx)
    const described = redditPost(post)
    yield { type: "post" as const, input: target, ...described }

    const read = (reply: Reply | FlatReply) => {
      return { type: "comment" as const, input: target, ...commentFields(reply, id, described.url) }
    }
    if (ask === null) {
      const replies = comments.slice(0, maxComments).map(({ data }) => ({ data }))
      yield* readRows(replies, read, ctx)
      return
    }
    const tree = new CommentTree(id, comments, ask)
    await tree.grow({ maxComments, maxDepth, sort: order }, ctx)
    yield* readRows(tree.replies(maxDepth, maxComments), read, ctx)
  },
})

/** Returns the ID in a URL; null for a share link. @throws BadInput */
function postId(target: string): string | null {
  const text = target.trim()
  const plain = /^(?:t3_)?([a-z0-9]{4,10})$/i.exec(text)
  if (plain) return plain[1]!.toLowerCase()
  const url =
    /^(?:https?:\/\/)?(?:[\w-]+\.)?(?:reddit\.com\/(?:(?:r|u|user)\/[^/]+\/)?(?:comments|gallery)|redd\.it)\/([a-z0-9]{4,10})(?:[/?#]|$)/i.exec(
      text,
    )
  if (url) return url[1]!.toLowerCase()
  if (shareLink.test(text)) return null
  throw new BadInput(`"${target}" is not the URL of a Reddit post.`)
}

const shareLink = /^(?:https?:\/\/)?(?:[\w-]+\.)?reddit\.com\/(?:r|u|user)\/[^/]+\/s\/\w+/i

async function sharedPostId(target: string, ctx: Context): Promise<string> {
  const url = target.trim().replace(/^(?!https?:\/\/)/i, "https://")
  const response = await ctx.get(url, { redirect: "manual", identity: "browser" })
  const location = response.headers.get("location")
  if (!location) throw response.explainMissing("the post that a share link leads to")
  const id = /\/comments\/([a-z0-9]+)/i.exec(location)?.[1]
  if (!id) throw new NotFound("This share link does not lead to a post.", { url })
  return id.toLowerCase()
}

interface Thread {
  post: Post
  comments: Thing[]
  /** Requests the collapsed comments; null if the source has no parents of comments. */
  ask: RedditRequest | null
}

/** A comment whose position in the tree is unknown. */
type FlatReply = Pick<Reply, "data">

function thread(id: string, sort: string, maxDepth: number, ctx: Context): Promise<Thread> {
  const asData = (ask: RedditRequest) => async (ctx: Context) => {
    const response = await ask(`/comments/${id}`, { sort, limit: 500, depth: maxDepth + 1 }, ctx)
    const lists = response.json<unknown[]>()
    if (!Array.isArray(lists))
      throw new Changed("Reddit's response is not a thread.", { url: response.url })
    const [posts, comments] = [0, 1].map((at) => listingOf(lists[at], response.url).things)
    return { post: posts!.find(({ kind }) => kind === "t3")?.data ?? {}, comments: comments!, ask }
  }
  const asPage = async (read: Promise<Omit<Thread, "ask">>) => ({ ...(await read), ask: asMember })
  return ctx.escalate<Thread>(site, {
    http: withSession(asData(asMember)),
    "browser-http": (ctx) => asPage(partThread(id, sort, ctx)),
    unlocker: (ctx) => asPage(partThread(id, sort, ctx)),
    browser: (ctx) => asPage(browserThread(id, sort, ctx)),
    feed: async (ctx) => {
      const read = await feedThread(id, sort, ctx)
      ctx.log(
        "Reddit refuses its data. The feed has no scores and no parents of comments.",
        "warning",
      )
      return { ...read, ask: null }
    },
    keys: withApp(asData(asApp)),
  })
}

function commentFields(comment: Reply | FlatReply, postId: string, postUrl: string) {
  const data = new JsonReader(comment.data)
  const id = data.text("id")
  if (!id) throw new Changed("Reddit's thread has a comment without an ID.")
  const permalink = data.text("permalink")
  return {
    id,
    fullName: data.text("name") ?? `t1_${id}`,
    postId,
    postUrl,
    ...reply.read(comment),
    url: permalink ? `${site}${permalink}` : `${postUrl}${id}/`,
  }
}
