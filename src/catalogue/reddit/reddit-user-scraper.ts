import { Type } from "@sinclair/typebox"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  distinctTargets,
  type ErrorItem,
  field,
  inputs,
  itemObject,
  items,
  NotFound,
  partFailed,
  type Row,
  readRows,
  record,
  recordFields,
} from "../kit/index.ts"
import { asApp, withApp, withSession } from "./app.ts"
import { feedUser } from "./feed.ts"
import { browserPosts, userPage } from "./page.ts"
import { redditPosts } from "./parts.ts"
import { redditPost, redditPostFields } from "./post.ts"
import { asMember, type RedditRequest, redditPath, redditScraper, site } from "./reddit.ts"

const facts = record({
  displayName: field.trimmed("subreddit.title", "Title of the profile."),
  description: field.trimmed("subreddit.public_description", "About text of the profile."),
  linkKarma: field.integer("link_karma", "Karma from posts."),
  commentKarma: field.integer("comment_karma", "Karma from comments."),
  totalKarma: field.integer("total_karma", "Total karma of all kinds."),
  awardeeKarma: field.integer("awardee_karma", "Karma from awards received."),
  awarderKarma: field.integer("awarder_karma", "Karma from awards given."),
  createdAt: field.unixTime("created_utc", "Time of the account's creation (ISO 8601, UTC)."),
  isMod: field.boolean("is_mod", "Whether the user moderates a community."),
  isEmployee: field.boolean("is_employee", "Whether the user works at Reddit."),
  isGold: field.boolean("is_gold", "Whether the user has Reddit Premium."),
  verified: field.boolean("verified", "Whether Reddit has verified the user."),
  hasVerifiedEmail: field.boolean(
    "has_verified_email",
    "Whether the user has a confirmed email address.",
  ),
  isNsfw: field.boolean("subreddit.over_18", "Whether the profile is for adults only."),
  isSuspended: field.flag("is_suspended", "Whether the account is suspended."),
  followersCount: field.integer("subreddit.subscribers", "Number of followers."),
  avatarUrl: field.trimmed("snoovatar_img|icon_img|subreddit.icon_img", "URL of the user's image."),
  bannerUrl: field.trimmed("subreddit.banner_img", "URL of the profile's banner image."),
  acceptsFollowers: field.boolean("accept_followers", "Whether others can follow the account."),
  acceptsChats: field.boolean(
    "accept_chats",
    "Whether others can send chat messages to the account.",
  ),
})
const user = itemObject({
  ...recordFields("user"),
  username: items.requiredText("Username, as Reddit writes it."),
  id: items.text("Account ID without the prefix of its kind."),
  ...facts.fields,
})
const post = itemObject({ ...recordFields("post"), ...redditPostFields })

export default defineScraper({
  slug: "reddit-user-scraper",
  name: "Reddit Users",
  tagline: "Reddit user profiles with karma, age and, if wanted, their posts.",
  ...redditScraper,
  input: {
    usernames: inputs.texts("Usernames, for example spez or u/spez, or profile URLs.", {
      max: 200,
    }),
    includePosts: inputs.flag("Whether to include the posts, newest first."),
    maxPosts: inputs.count("Maximum posts per user", { max: 1000, or: 25 }),
  },
  item: Type.Union([user, post]),
  example: { usernames: ["spez"] },
  probe: {
    expect: [
      "items.length gte 1",
      'items[0].username equals "spez"',
      '?items[0].createdAt matches "^2005-06-0"',
      "?items[0].totalKarma gte 500000",
      '?items[0].id equals "1w72"',
    ],
  },
  unverified: ["page in Chrome", "feed"],
  targets: ({ usernames }) => distinctTargets(usernames, userName),

  async *scrape(target, ctx) {
    const { includePosts, maxPosts } = ctx.input
    const name = userName(target)
    let profileFailed: ErrorItem | undefined
    try {
      const profile = await profileOf(name, ctx)
      yield { type: "user" as const, input: target, ...profile }
      if (profile.isSuspended) return
    } catch (error) {
      if (error instanceof NotFound || !includePosts) throw error
      profileFailed = partFailed(ctx, error, { input: target, url: `${site}/user/${name}` })
    }
    if (!includePosts) return
    try {
      let provided = 0
      for await (const post of readRows(postsOf(name, maxPosts, ctx), redditPost, ctx)) {
        if (profileFailed && provided === 0) yield profileFailed
        provided++
        yield { type: "post" as const, input: target, ...post }
      }
      if (profileFailed && provided === 0) yield profileFailed
    } catch (error) {
      yield profileFailed ?? partFailed(ctx, error, { input: target })
    }
  },
})

function userName(target: string): string {
  const name = redditPath(target, "u|user") ?? target.trim().replace(/^@/, "")
  if (/^[\w-]{1,40}$/.test(name) && name.toLowerCase() !== "me") return name
  throw new BadInput(`"${target}" is not a valid Reddit username.`)
}

async function profileOf(name: string, ctx: Context) {
  const asData = (ask: RedditRequest) => async (ctx: Context) => {
    const response = await ask(`/user/${name}/about`, {}, ctx)
    const { kind, data } = response.json<{ kind?: string; data?: unknown }>()
    if (kind !== "t2") throw new Changed("Reddit's response is not a user.", { url: response.url })
    return data
  }
  const reported = await ctx.escalate<unknown>(site, {
    http: withSession(asData(asMember)),
    "browser-http": (ctx) => userPage(name, ctx),
    browser: (ctx) => userPage(name, ctx),
    unlocker: (ctx) => userPage(name, ctx),
    feed: async (ctx) => {
      const result = await feedUser(name, ctx)
      ctx.log("Reddit refuses its data. The feed has only the username.", "warning")
      return result
    },
    keys: withApp(asData(asApp)),
  })
  const user = new JsonReader(reported)
  const username = user.text("name")
  if (!username) throw new Changed("Reddit's response has a user without a name.")
  return {
    username,
    id: user.text("id"),
    url: `${site}/user/${username}`,
    ...facts.read(user.root as Row),
  }
}

function postsOf(name: string, limit: number, ctx: Context) {
  const path = `/user/${name}/submitted`
  const inBrowser = (ctx: Context) => browserPosts(`${site}${path}/`, limit, ctx)
  return redditPosts({ path, query: { sort: "new" }, limit, inBrowser }, ctx)
}
