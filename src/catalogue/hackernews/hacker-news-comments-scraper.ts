import {
  integerOrNull,
  isoDate,
  isoFromUnix,
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
  orNull,
  type Row,
  recordOf,
  required,
  Timeout,
  UpstreamError,
} from "../kit/index.ts"
import {
  algolia,
  firebaseItem,
  hackerNewsId,
  hackerNewsRateLimit,
  itemUrl,
  kidsOf,
  postText,
  searchByDate,
} from "./hacker-news.ts"

/** A post with its replies, from any of the three sources. */
interface Post {
  id: number
  parentId: number | null
  author: string | null
  html: string | null
  points: number | null
  createdAt: string | null
  replies: Post[]
  /** Number of direct replies, if not all were read. */
  answers?: number
}

interface Thread {
  storyId: number
  title: string | null
  url: string | null
  posts: Post[]
}

type Bounds = { maxComments: number; maxDepth: number }
const maxHits = 1000

const comment = recordOf<{ post: Post; thread: Thread }>()({
  input: items.requiredText("Story as written in the input."),
  id: required(field.integer("post.id", "ID of the comment.")),
  storyId: required(field.integer("thread.storyId", "ID of the story.")),
  storyTitle: field.text("thread.title", "Title of the story."),
  storyUrl: field.text("thread.url", "URL that the story links to."),
  parentId: field.integer("post.parentId", "ID of the parent post."),
  depth: items.requiredInteger("Depth in the tree; 0 for direct replies."),
  position: items.requiredInteger("Position in the flattened tree, from 1."),
  author: field.text("post.author", "Name of the author."),
  text: field.text(({ post }) => postText(post.html), "Text without markup."),
  textHtml: field.text("post.html", "Text as HTML."),
  textMarkdown: field.markdown("post.html", "Text as Markdown.", ({ post }) => itemUrl(post.id)),
  repliesCount: items.requiredInteger("Number of direct replies."),
  points: field.integer("post.points", "Points; null if unknown."),
  createdAt: field.text("post.createdAt", "Time of writing (ISO 8601, UTC)."),
  url: required(field.text(({ post }) => itemUrl(post.id), "URL of the comment.")),
})

export default defineScraper({
  slug: "hacker-news-comments-scraper",
  name: "Hacker News Comments",
  tagline: "The whole comment tree of Hacker News threads as flat rows with depth and parent.",
  notServed: ["front page"],
  category: "news",
  input: {
    stories: inputs.texts(
      "Story or comment URLs or IDs; a comment returns the tree of its replies.",
      { max: 50 },
    ),
    maxComments: inputs.count("Maximum comments per story", { max: 5000, or: 200 }),
    maxDepth: inputs.count("Maximum depth of the comments; 0 returns the top level only", {
      min: 0,
      max: 50,
      or: 10,
    }),
  },
  item: comment,
  example: { stories: ["https://news.ycombinator.com/item?id=8863"], maxComments: 20 },
  probe: {
    input: { stories: ["https://news.ycombinator.com/item?id=8863"], maxComments: 10 },
    expect: [
      "items.length equals 10",
      "items[*].storyId equals 8863",
      "items[*].text share 0.8",
      "items[*].createdAt share 1",
    ],
  },
  rateLimit: hackerNewsRateLimit,
  targets: (input) => input.stories,

  async *scrape(target, ctx) {
    const id = hackerNewsId(target)
    if (id === null) {
      throw new BadInput(`"${target}" is not a Hacker News item. Use an item ID or URL.`)
    }
    const { maxComments, maxDepth } = ctx.input
    const thread = await readThread(id, ctx)
    let position = 0
    // Uses a stack instead of recursion, because threads may be very deep.
    const open = thread.posts.map((post) => ({ post, depth: 0 })).reverse()
    for (let next = open.pop(); next && position < maxComments; next = open.pop()) {
      const { post, depth } = next
      if (depth < maxDepth) {
        for (const reply of post.replies.toReversed()) open.push({ post: reply, depth: depth + 1 })
      }
      // A deleted comment has only its replies.
      if (post.author === null && post.html === null) continue
      yield comment.read({
        post,
        thread,
        input: target,
        depth,
        position: ++position,
        repliesCount: post.answers ?? post.replies.length,
      })
    }
  },
})

/**
 * Returns the whole tree in one call. Uses flat hits if that call fails, and the site's own items
 * if it lags.
 */
async function readThread(id: number, ctx: Context<Bounds>): Promise<Thread> {
  try {
    const root = await ctx.json<TreeNode>(`${algolia}/items/${id}`, { timeoutMs: 60_000 })
    if (integerOrNull(root?.id) === null || !Array.isArray(root.children)) {
      throw new Changed("Algolia's response is not an item with its children.")
    }
    const children = childrenOf(root)
    return {
      storyId: integerOrNull(root.story_id ?? children[0]?.story_id) ?? id,
      title: textOrNull(root.title),
      url: textOrNull(root.url),
      posts: children.map(treePost),
    }
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof UpstreamError || error instanceof Timeout) {
      ctx.log(
        `The tree of ${id} could not be read (${error.message}); reading a flat list of comments.`,
      )
      return flatThread(id, ctx)
    }
    if (error instanceof NotFound) return freshThread(id, ctx, error)
    throw error
  }
}

type TreeNode = Row & { children?: TreeNode[] | null }

const childrenOf = ({ children }: TreeNode) =>
  objectList(children).filter(({ id }) => integerOrNull(id) !== null)

const postOf = (node: Row): Post => ({
  id: Number(node.id),
  parentId: integerOrNull(node.parent_id),
  author: textOrNull(node.author),
  html: textOrNull(node.text),
  points: integerOrNull(node.points),
  createdAt: isoDate(node.created_at) ?? isoFromUnix(node.created_at_i),
  replies: [],
})

function treePost(root: TreeNode): Post {
  const top = postOf(root)
  const open: [TreeNode, Post][] = [[root, top]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, post] = next
    for (const child of childrenOf(node)) {
      const reply = postOf(child)
      post.replies.push(reply)
      open.push([child, reply])
    }
  }
  return top
}

async function flatThread(id: number, ctx: Context): Promise<Thread> {
  const search = { tags: `comment,story_${id}`, hitsPerPage: maxHits, page: 0 }
  const { hits, total } = await searchByDate(search, ctx)
  if (total > maxHits)
    ctx.log(`Only the newest ${maxHits} of ${total} comments are available.`, "warning")
  const read = hits.map(({ objectID: id, comment_text: text, parent_id, author, created_at }) =>
    postOf({ id, text, parent_id, author, created_at }),
  )
  const posts = new Map(read.map((post) => [post.id, post]))
  const top: Post[] = []
  for (const post of [...posts.values()].sort((a, b) => a.id - b.id)) {
    if (post.parentId === id) top.push(post)
    else posts.get(post.parentId ?? -1)?.replies.push(post)
  }
  if (hits.length === 0) throw new NotFound(`Story not found: ${id}`)
  return {
    storyId: integerOrNull(hits[0]?.story_id) ?? id,
    title: textOrNull(hits[0]?.story_title),
    url: textOrNull(hits[0]?.story_url),
    posts: top,
  }
}

/** Returns a thread that is minutes old: the site's own API has it before Algolia does. */
async function freshThread(id: number, ctx: Context<Bounds>, cause: NotFound): Promise<Thread> {
  const { maxComments, maxDepth } = ctx.input
  const root = await firebaseItem(id, ctx).catch((error) => {
    ctx.signal.throwIfAborted()
    ctx.log(`Hacker News' own API failed as well: ${(error as Error).message}`)
    return null
  })
  if (!root) {
    throw new NotFound(`Story not found: ${id}`, { url: cause.url, statusCode: cause.statusCode })
  }
  const posts: Post[] = []
  const open = kidsOf(root)
    .map((kid) => ({ kid, into: posts, depth: 0 }))
    .reverse()
  let read = 0
  for (let next = open.pop(); next && read < maxComments; next = open.pop()) {
    const { kid, into, depth } = next
    const item = await orNull(ctx, `comment ${kid}`, () => firebaseItem(kid, ctx))
    if (!item) continue
    const gone = item.deleted || item.dead
    const { id, parent: parent_id, time: created_at_i, by: author, text } = item
    const post = postOf({ id, parent_id, created_at_i, ...(gone ? {} : { author, text }) })
    post.answers = kidsOf(item).length
    if (!gone) read++
    into.push(post)
    if (depth >= maxDepth) continue
    for (const reply of kidsOf(item).toReversed()) {
      open.push({ kid: reply, into: post.replies, depth: depth + 1 })
    }
  }
  return { storyId: root.id, title: textOrNull(root.title), url: textOrNull(root.url), posts }
}
