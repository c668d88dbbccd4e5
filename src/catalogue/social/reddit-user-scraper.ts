import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { partFailed } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { booleanField, inputObject, integerField, itemObject, textField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Blocked, Changed, type ErrorItem, NotFound } from "../outcome.ts"
import { reddit, redditPace, redditPath, redditPosts } from "./reddit.ts"
import { shownPosts, shownUser } from "./reddit-page.ts"
import { redditPost, redditPostFields } from "./reddit-post.ts"
import { distinctTargets, failsRun, nextWay, recordFields } from "./social.ts"

const site = "https://www.reddit.com"

const user = itemObject({
  ...recordFields("user"),
  username: Type.String({ description: "Name, as Reddit writes it." }),
  id: textField("Id without its kind."),
  displayName: textField("Title of the profile."),
  description: textField("About text."),
  linkKarma: integerField("Karma of posts."),
  commentKarma: integerField("Karma of comments."),
  totalKarma: integerField("All karma."),
  awardeeKarma: integerField("Karma of awards received."),
  awarderKarma: integerField("Karma of awards given."),
  createdAt: textField("When the account was made (ISO 8601, UTC)."),
  isMod: booleanField("Moderates a community."),
  isEmployee: booleanField("Works at Reddit."),
  isGold: booleanField("Has Reddit Premium."),
  verified: booleanField("Verified."),
  hasVerifiedEmail: booleanField("Has a confirmed e-mail address."),
  isNsfw: booleanField("The profile is for adults only."),
  isSuspended: Type.Boolean({ description: "The account is suspended." }),
  followersCount: integerField("Followers."),
  avatarUrl: textField("Picture."),
  bannerUrl: textField("Banner."),
  acceptsFollowers: booleanField("Can be followed."),
  acceptsChats: booleanField("Can be written to."),
})
const post = itemObject({ ...recordFields("post"), ...redditPostFields })

export default defineScraper({
  slug: "reddit-user-scraper",
  name: "Reddit Users",
  tagline: "Reddit user profiles with karma, age and, if wanted, their posts.",
  category: "social",
  tier: "premium",
  input: inputObject({
    usernames: inputs.texts("Names, with or without u/, or profile addresses.", { max: 200 }),
    includePosts: inputs.flag("Give the posts too, newest first."),
    maxPosts: inputs.count("Most posts of a user.", { max: 1000, or: 25 }),
  }),
  item: Type.Union([user, post]),
  example: { usernames: ["spez"] },
  pace: redditPace,
  access: ["http", "unlocker"],
  targets: ({ usernames }) => distinctTargets(usernames, userName),
  failsRun,

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
      let given = 0
      for await (const item of postsOf(name, maxPosts, ctx)) {
        if (profileFailed && given === 0) yield profileFailed
        given++
        yield { type: "post" as const, input: target, ...item }
      }
      if (profileFailed && given === 0) yield profileFailed
    } catch (error) {
      yield profileFailed ?? partFailed(ctx, error, { input: target })
    }
  },
})

/** @throws BadInput */
function userName(target: string): string {
  const name = redditPath(target, "u|user") ?? target.trim().replace(/^@/, "")
  if (/^[\w-]{1,40}$/.test(name) && name.toLowerCase() !== "me") return name
  throw new BadInput(`"${target}" is not the name of a Reddit user.`)
}

async function profileOf(name: string, ctx: Context) {
  try {
    const answer = await reddit(`/user/${name}/about`, {}, ctx)
    const { kind, data } = answer.json<{ kind?: string; data?: unknown }>()
    if (kind !== "t2") throw new Changed("Reddit's answer is not a user.", { url: answer.url })
    return described(new JsonReader(data))
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    const data = await nextWay(ctx, error, "Chrome", () => shownUser(name, ctx))
    return described(new JsonReader(data))
  }
}

async function* postsOf(name: string, limit: number, ctx: Context) {
  let given = 0
  try {
    const path = `/user/${name}/submitted`
    for await (const data of redditPosts(path, { sort: "new" }, limit, ctx)) {
      yield redditPost(data)
      given++
    }
  } catch (error) {
    if (!(error instanceof Blocked) || given > 0) throw error
    const url = `${site}/user/${name}/submitted/`
    yield* await nextWay(ctx, error, "Chrome", () => shownPosts(url, limit, ctx))
  }
}

function described(data: JsonReader) {
  const username = data.text("name")
  if (!username) throw new Changed("Reddit's answer holds a user without a name.")
  return {
    username,
    id: data.text("id"),
    url: `${site}/user/${username}`,
    displayName: data.text("subreddit", "title"),
    description: data.text("subreddit", "public_description"),
    linkKarma: data.integer("link_karma"),
    commentKarma: data.integer("comment_karma"),
    totalKarma: data.integer("total_karma"),
    awardeeKarma: data.integer("awardee_karma"),
    awarderKarma: data.integer("awarder_karma"),
    createdAt: isoFromUnix(data.value("created_utc")),
    isMod: data.flag("is_mod"),
    isEmployee: data.flag("is_employee"),
    isGold: data.flag("is_gold"),
    verified: data.flag("verified"),
    hasVerifiedEmail: data.flag("has_verified_email"),
    isNsfw: data.flag("subreddit", "over_18"),
    isSuspended: data.flag("is_suspended") ?? false,
    followersCount: data.integer("subreddit", "subscribers"),
    avatarUrl:
      data.text("snoovatar_img") ?? data.text("icon_img") ?? data.text("subreddit", "icon_img"),
    bannerUrl: data.text("subreddit", "banner_img"),
    acceptsFollowers: data.flag("accept_followers"),
    acceptsChats: data.flag("accept_chats"),
  }
}
