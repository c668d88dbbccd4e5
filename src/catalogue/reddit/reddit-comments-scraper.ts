import { Type } from "@sinclair/typebox"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  distinctTargets,
  failsRun,
  field,
  inputObject,
  inputs,
  itemObject,
  NotFound,
  readRows,
  record,
  recordFields,
} from "../kit/index.ts"
import { asApp, withApp } from "./app.ts"
import { partThread, visibleThread } from "./comment-thread.ts"
import { feedThread } from "./feed.ts"
import { person, redditPost, redditPostFields } from "./post.ts"
import {
  type Ask,
  asAnonymousCaller,
  type Listing,
  listingOf,
  redditRateLimit,
  site,
} from "./reddit.ts"
import { CommentTree, type Reply } from "./thread.ts"

const post = itemObject({ ...recordFields("post"), ...redditPostFields })

const reply = record({
  parentId: field.text(
    "parent",
    "Parent: t1_… for a comment, t3_… for the post; null if the feed was the source.",
  ),
  depth: field.integer(
    "depth",
    "Level in the tree; 0 replies to the post; null if the feed was the source.",
  ),
  author: field.trimmed("data.author", "Author's name; null when deleted.", person),
  authorId: field.trimmed("data.author_fullname", "Author's id, t2_…."),
  isSubmitter: field.boolean("data.is_submitter", "The post's author wrote it."),
  distinguished: field.trimmed(
    "data.distinguished",
    "The author speaks as moderator, admin or such.",
  ),
  stickied: field.boolean("data.stickied", "Whether it is pinned to the top."),
  locked: field.boolean("data.locked", "Replies are closed."),
  collapsed: field.boolean("data.collapsed", "Whether it is folded on the page."),
  isDeleted: field.flag(
    ({ data }: Reply) => data.body === "[deleted]" || data.body === "[removed]",
    "Its text was deleted or removed.",
  ),
  text: field.text("data.body", "Text, in Markdown."),
  textHtml: field.text("data.body_html", "Text, in HTML."),
  textMarkdown: field.text("data.body_markdown|data.body", "Text, as Markdown."),
  score: field.integer("data.score", "Votes up less votes down."),
  scoreHidden: field.boolean("data.score_hidden", "The score is not shown yet."),
  controversiality: field.integer(
    "data.controversiality",
    "1 when votes up and down are many and even.",
  ),
  createdAt: field.unixTime("data.created_utc", "When it was written (ISO 8601, UTC)."),
  editedAt: field.unixTime("data.edited", "When it was last edited; null when never."),
  repliesCount: field.integer("replyCount", "Direct replies, with those that Reddit folded away."),
  awards: field.integer("data.total_awards_received", "Awards received."),
  authorFlair: field.trimmed("data.author_flair_text", "Label of the author in this community."),
})
const comment = itemObject({
  ...recordFields("comment"),
  id: Type.String({ description: "Short id." }),
  fullName: Type.String({ description: "Id with its kind, t1_…." }),
  postId: Type.String({ description: "Short id of the post." }),
  postUrl: Type.String({ description: "The post's page." }),
  ...reply.fields,
})

export default defineScraper({
  slug: "reddit-comments-scraper",
  name: "Reddit Comments",
  tagline: "A Reddit post with its comment tree, flattened with depth and parent.",
  serves: [
    "comments on a Reddit post",
    "what redditors answer in a thread",
    "discussion under a Reddit submission",
    "answers under a reddit link",
    "what do people reply in a Reddit thread",
    "summarise a Reddit discussion",
    "what did redditors reply in a thread",
  ],
  notServed: ["search posts"],
  category: "social",
  tier: "premium",
  input: inputObject({
    postUrls: inputs.texts("Post URLs, short or share links, or post IDs.", { max: 200 }),
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
  }),
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
  rateLimit: redditRateLimit,
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  unverified: ["parts of the page", "page in Chrome", "feed"],
  targets: ({ postUrls }) => distinctTargets(postUrls, (target) => postId(target) ?? target),
  failsRun,

  async *scrape(target, ctx) {
    const { sort, maxComments, maxDepth } = ctx.input
    const id = postId(target) ?? (await sharedPostId(target, ctx))
    const order = sort === "best" ? "confidence" : sort
    const { posts, comments, ask } = await thread(id, order, maxDepth, ctx)
    const described = redditPost(posts.things.find(({ kind }) => kind === "t3")?.data ?? {})
    yield { type: "post" as const, input: target, ...described }

    const read = (found: Reply | FlatReply) => {
      const fields = commentFields(found, id, described.url)
      return { type: "comment" as const, input: target, ...fields }
    }
    if (ask === null) {
      const replies = comments.things.slice(0, maxComments).map(({ data }) => ({ data }))
      yield* readRows(replies, read, ctx)
      return
    }
    const tree = new CommentTree(id, comments.things, ask)
    await tree.grow({ maxComments, maxDepth, sort: order }, ctx)
    yield* readRows(tree.replies(maxDepth, maxComments), read, ctx)
  },
})

/** The id in an address; null for a share link. @throws BadInput */
function postId(target: string): string | null {
  const text = target.trim()
  const plain = /^(?:t3_)?([a-z0-9]{4,10})$/i.exec(text)
  if (plain) return plain[1]!.toLowerCase()
  const address =
    /^(?:https?:\/\/)?(?:[\w-]+\.)?(?:reddit\.com\/(?:(?:r|u|user)\/[^/]+\/)?(?:comments|gallery)|redd\.it)\/([a-z0-9]{4,10})(?:[/?#]|$)/i.exec(
      text,
    )
  if (address) return address[1]!.toLowerCase()
  if (shareLink.test(text)) return null
  throw new BadInput(`"${target}" is not the address of a Reddit post.`)
}

const shareLink = /^(?:https?:\/\/)?(?:[\w-]+\.)?reddit\.com\/(?:r|u|user)\/[^/]+\/s\/\w+/i

async function sharedPostId(target: string, ctx: Context): Promise<string> {
  const url = target.trim().replace(/^(?!https?:\/\/)/i, "https://")
  const response = await ctx.get(url, { redirect: "manual", identity: "browser" })
  const location = response.headers.get("location")
  if (!location) throw response.explainMissing("the post that a share link leads to")
  const id = /\/comments\/([a-z0-9]+)/i.exec(location)?.[1]
  if (!id) throw new NotFound("This share link leads to no post.", { url })
  return id.toLowerCase()
}

interface Thread {
  posts: Listing
  comments: Listing
  /** How the folded comments are asked for; null if nothing says what a comment replies to. */
  ask: Ask | null
}

/** A comment of which its place in the tree is not known. */
type FlatReply = Pick<Reply, "data">

function thread(id: string, sort: string, maxDepth: number, ctx: Context): Promise<Thread> {
  const asData = (ask: Ask) => async (ctx: Context) => {
    const query = { sort, limit: 500, depth: maxDepth + 1 }
    const response = await ask(`/comments/${id}`, query, ctx)
    const lists = response.json<unknown[]>()
    if (!Array.isArray(lists)) {
      throw new Changed("Reddit's answer is not a thread.", { url: response.url })
    }
    return {
      posts: listingOf(lists[0], response.url),
      comments: listingOf(lists[1], response.url),
      ask,
    }
  }
  const asPage = async (read: Promise<[Listing, Listing]>) => {
    const [posts, comments] = await read
    return { posts, comments, ask: asAnonymousCaller }
  }
  return ctx.escalate<Thread>(site, {
    http: asData(asAnonymousCaller),
    "browser-http": (ctx) => asPage(partThread(id, sort, ctx)),
    browser: (ctx) => asPage(visibleThread(id, sort, ctx)),
    feed: async (ctx) => {
      const [posts, comments] = await feedThread(id, sort, ctx)
      ctx.log("Reddit refuses its data; its feed has no scores and no tree.", "warning")
      return { posts, comments, ask: null }
    },
    keys: withApp(asData(asApp)),
  })
}

function commentFields(found: Reply | FlatReply, postId: string, postUrl: string) {
  const data = new JsonReader(found.data)
  const id = data.text("id")
  if (!id) throw new Changed("Reddit's thread holds a comment without id.")
  const permalink = data.text("permalink")
  return {
    id,
    fullName: data.text("name") ?? `t1_${id}`,
    postId,
    postUrl,
    ...reply.read(found),
    url: permalink ? `${site}${permalink}` : `${postUrl}${id}/`,
  }
}
