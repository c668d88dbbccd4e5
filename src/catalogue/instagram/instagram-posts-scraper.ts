import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  type Context,
  defineScraper,
  distinctTargets,
  EmptyShell,
  Forbidden,
  inputs,
  orNull,
  readRows,
  recordFields,
} from "../kit/index.ts"
import {
  type InstagramProfile,
  instagramName,
  instagramProfile,
  instagramScraper,
  instagramSite,
} from "./instagram.ts"
import { instagramPost, instagramPostFields } from "./post.ts"

/** Number of posts that signed-out visitors see. */
const postsVisible = 12

export default defineScraper({
  slug: "instagram-posts-scraper",
  name: "Instagram Posts",
  tagline: "The latest posts and reels of public Instagram profiles.",
  notServed: ["followers list", "comments"],
  ...instagramScraper,
  input: {
    usernames: inputs.texts("Usernames, with or without @, or profile URLs.", { max: 200 }),
    maxPostsPerProfile: inputs.count("Maximum posts per profile; more require a login", {
      max: postsVisible,
      or: postsVisible,
    }),
  },
  item: { ...recordFields("post"), ...instagramPostFields },
  example: { usernames: ["instagram"] },
  probe: {
    expect: [
      "items.length gte 3",
      "items[*].shortcode share 1",
      'items[*].username equals "instagram"',
      "?items[*].publishedAt fresh 30",
      "?items[*].likesCount share 0.8",
    ],
  },
  targets: ({ usernames }) => distinctTargets(usernames, instagramName),

  async *scrape(target, ctx) {
    const { maxPostsPerProfile: limit } = ctx.input
    const name = instagramName(target)
    const profile = await instagramProfile(name, ctx, requirePosts)
    if (postCount(profile) === 0) return
    const { user, posts, head } = profile
    const username = user.text("username") ?? head?.username ?? name
    let completes = true
    const read = (node: JsonReader) => ({
      isOfPage: node.has("code"),
      post: { type: "post" as const, input: target, ...instagramPost(node, username) },
    })
    let provided = 0
    for await (const { post, isOfPage } of readRows(posts ?? [], read, ctx)) {
      if (++provided > limit) return
      // Nodes of the page have fewer fields than those of the API.
      if (completes && isOfPage && post.likesCount === null) {
        const counts = await orNull(ctx, `counts of ${post.shortcode}`, () =>
          embedCounts(post.shortcode, ctx),
        )
        completes = counts !== null
        yield {
          ...post,
          likesCount: counts?.likes ?? null,
          commentsCount: post.commentsCount ?? counts?.comments ?? null,
          viewsCount: post.viewsCount ?? counts?.views ?? null,
        }
      } else {
        yield post
      }
    }
  },
})

const postCount = ({ user, head }: InstagramProfile) =>
  user.integer("edge_owner_to_timeline_media", "count") ??
  user.integer("all_media_count") ??
  head?.posts

function requirePosts(profile: InstagramProfile): void {
  const { user, posts, url } = profile
  if (user.flag("is_private"))
    throw new Forbidden("This profile is private.", { code: "private", url })
  const count = postCount(profile)
  if (count === 0 || (posts && (posts.length > 0 || !count))) return
  throw new EmptyShell(
    "Instagram returned this profile without its posts. The operator can set INSTAGRAM_COOKIE.",
    { code: "login_required", url },
  )
}

/** Returns the counts of the embed page, which needs no login. */
async function embedCounts(code: string, ctx: Context) {
  const response = await ctx.get(`${instagramSite}/p/${code}/embed/captioned/`, {
    identity: "browser",
    retries: 0,
  })
  const count = (key: string, inner = "") => {
    const digits = new RegExp(`\\\\*"${key}\\\\*":${inner}(\\d+)`).exec(response.text())?.[1]
    return digits === undefined ? null : Number(digits)
  }
  const inner = '\\{\\\\*"count\\\\*":'
  const likes = count("edge_liked_by", inner)
  const comments = count("edge_media_to_comment", inner)
  if (likes === null && comments === null) throw response.explainMissing("the post's counts")
  return { likes, comments, views: count("video_view_count") }
}
