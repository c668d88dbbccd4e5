import { Type } from "@sinclair/typebox"
import { distinct } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import {
  assertScrapeError,
  BadInput,
  Changed,
  type Context,
  decodedPath,
  defineScraper,
  distinctTargets,
  eachOf,
  Forbidden,
  failsRun,
  field,
  inputs,
  itemObject,
  items,
  NotFound,
  once,
  type RequestOptions,
  readRows,
  record,
  recordFields,
  required,
  type ScrapeError,
  Unreachable,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { blueskyEmbed } from "./embed.ts"

const hosts = ["https://public.api.bsky.app", "https://api.bsky.app"]
const site = "https://bsky.app/profile"
const actorsPerCall = 25
/** Label that hides an account from visitors who are not signed in. */
const membersOnly = "!no-unauthenticated"

const filters = {
  posts: "posts_with_replies",
  no_replies: "posts_no_replies",
  media: "posts_with_media",
  threads: "posts_and_author_threads",
  video: "posts_with_video",
} as const
type Filter = keyof typeof filters

const account = record({
  description: field.trimmed("description", "Text about the account."),
  avatarUrl: field.trimmed("avatar", "URL of the image."),
  bannerUrl: field.trimmed("banner", "URL of the banner image."),
  followersCount: field.integer("followersCount", "Number of followers."),
  followingCount: field.integer("followsCount", "Number of accounts that it follows."),
  postsCount: field.integer("postsCount", "Number of posts."),
  createdAt: field.time("createdAt", "Time of creation of the account (ISO 8601, UTC)."),
  indexedAt: field.time(
    "indexedAt",
    "Time at which the network last indexed the profile (ISO 8601, UTC).",
  ),
  lists: field.integer("associated.lists", "Number of lists created by the account."),
  feedgens: field.integer("associated.feedgens", "Number of feeds created by the account."),
  starterPacks: field.integer(
    "associated.starterPacks",
    "Number of starter packs created by the account.",
  ),
  isLabeler: field.boolean("associated.labeler", "Whether the account labels posts and accounts."),
  chatAllowIncoming: field.trimmed(
    "associated.chat.allowIncoming",
    "Accounts that may send messages to the account: all, none or following.",
  ),
  labels: field.texts(labelsOf, "Labels."),
  verification: field.object("verification", "Verification.", {
    verifiedStatus: field.trimmed("verifiedStatus", "Verification: valid, invalid or none."),
    trustedVerifierStatus: field.trimmed(
      "trustedVerifierStatus",
      "Status as a trusted verifier: valid, invalid or none.",
    ),
  }),
  pinnedPostUri: field.trimmed("pinnedPost.uri", "URL of the pinned post."),
  noUnauthenticated: field.flag(
    (profile) => labelsOf(profile).includes(membersOnly),
    "Whether the account is hidden from signed-out visitors; if so, no posts are returned.",
  ),
})

/** A feed entry: the post and the reason why it is in the feed. */
const content = record({
  author: required(
    field.object("post.author", "Name of the author.", {
      did: field.trimmed("did", "Permanent ID (DID)."),
      handle: field.trimmed("handle", "Handle, for example alice.bsky.social."),
      displayName: field.trimmed("displayName", "Display name."),
      avatarUrl: field.trimmed("avatar", "URL of the image."),
    }),
  ),
  isRepost: field.flag(isRepost, "Whether the entry is a repost of another account's post."),
  repostedAt: field.time(
    (entry) => (isRepost(entry) ? at(entry, "reason", "indexedAt") : null),
    "Time of the repost (ISO 8601, UTC).",
  ),
  isPinned: field.flag(
    (entry) => reasonOf(entry).endsWith("#reasonPin"),
    "Whether the post is pinned to the profile.",
  ),
  text: field.trimmed("post.record.text", "Text."),
  langs: field.texts("post.record.langs", "Languages."),
  createdAt: field.time(
    "post.record.createdAt",
    "Time of writing according to the client (ISO 8601, UTC).",
  ),
  indexedAt: field.time(
    "post.indexedAt",
    "Time at which the network indexed the post (ISO 8601, UTC).",
  ),
  isReply: field.flag(
    (entry) => at(entry, "post", "record", "reply") != null,
    "Whether the post is a reply.",
  ),
  replyParentUri: field.trimmed(
    "post.record.reply.parent.uri",
    "URL of the post that this post replies to.",
  ),
  replyRootUri: field.trimmed("post.record.reply.root.uri", "URL of the thread's first post."),
  likesCount: field.integer("post.likeCount", "Number of likes."),
  repostsCount: field.integer("post.repostCount", "Number of reposts."),
  repliesCount: field.integer("post.replyCount", "Number of replies."),
  quotesCount: field.integer("post.quoteCount", "Number of quotes."),
  bookmarksCount: field.integer("post.bookmarkCount", "Number of bookmarks."),
  links: field.texts((entry) => namedIn(entry, "#link", "uri"), "Links in the text."),
  mentions: field.texts(
    (entry) => namedIn(entry, "#mention", "did"),
    "DIDs of the mentioned accounts.",
  ),
  tags: field.texts(tagsOf, "Hashtags without #."),
  embed: blueskyEmbed,
  labels: field.texts((entry) => labelsOf(at(entry, "post")), "Labels."),
})

const profile = itemObject({
  ...recordFields("profile"),
  did: items.requiredText("Permanent ID (DID)."),
  handle: items.requiredText("Name."),
  displayName: items.text("Display name."),
  ...account.fields,
})
const post = itemObject({
  ...recordFields("post"),
  uri: items.requiredText("Permanent URL, at://…."),
  cid: items.text("Hash of this version of the post (CID)."),
  rkey: items.requiredText("Last part of the URL."),
  ...content.fields,
})

export default defineScraper({
  slug: "bluesky-profile-scraper",
  name: "Bluesky Profiles",
  tagline: "Bluesky profiles and their posts through the public AppView.",
  notServed: ["search posts"],
  category: "social",
  input: {
    actors: inputs.texts("Handles, for example bsky.app, DIDs or profile URLs.", { max: 500 }),
    postsPerActor: inputs.count("Maximum posts per account", { min: 0, max: 1000, or: 20 }),
    feedFilter: inputs.choice(filters, "Types of posts to include.", "posts"),
  },
  item: Type.Union([profile, post]),
  example: { actors: ["bsky.app"], postsPerActor: 5 },
  probe: {
    input: { actors: ["bsky.app"], postsPerActor: 3 },
    expect: [
      "items.length gte 2",
      'items[*].handle equals "bsky.app"',
      'items[0].did equals "did:plc:z72i7hdynmk6r22z27h6tvur"',
      "items[0].followersCount gte 1000000",
      "items[*].text share 0.4",
      "?items[*].likesCount share 0.4",
    ],
  },
  rateLimit: {
    "public.api.bsky.app": { perSecond: 10, concurrency: 4 },
    "api.bsky.app": { perSecond: 10 },
  },
  targets: ({ actors }) => distinctTargets(actors, actorOf),
  failsRun,

  async *scrape(target, ctx) {
    const { postsPerActor: wanted, feedFilter } = ctx.input
    const facts = await readProfile(actorOf(target), ctx)
    const item = described(facts)
    yield { type: "profile" as const, input: target, ...item }
    if (wanted === 0 || item.noUnauthenticated) return
    const read = (entry: JsonReader) => ({ type: "post" as const, input: target, ...postOf(entry) })
    yield* readRows(feed(item.did, feedFilter, wanted, ctx), read, ctx)
  },
})

/** Returns a handle or DID. Throws BadInput. */
function actorOf(target: string): string {
  const text = target.trim()
  const url =
    /^(?:https?:\/\/)?bsky\.app\/profile\/([^/?#]+)/i.exec(text)?.[1] ??
    /^at:\/\/([^/]+)/i.exec(text)?.[1]
  const actor = decodedPath(url ?? text).replace(/^@/, "")
  if (/^did:(?:plc:[a-z2-7]{24}|web:[\w.:%-]+)$/.test(actor)) return actor
  const handle = (actor.includes(".") ? actor : `${actor}.bsky.social`).toLowerCase()
  if (/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(handle)) return handle
  throw new BadInput(`"${target}" is not a Bluesky handle or DID.`)
}

/** Returns the actor's profile from a call that is shared with neighboring actors. */
async function readProfile(actor: string, ctx: Context<{ actors: string[] }>): Promise<JsonReader> {
  const all = distinct(ctx.input.actors.flatMap(readable))
  const chunk = Math.floor(all.indexOf(actor) / actorsPerCall)
  const actors = all.slice(chunk * actorsPerCall, (chunk + 1) * actorsPerCall)
  const profiles = await once(ctx, `bluesky.profiles ${chunk}`, () => readProfiles(actors, ctx))
  return profiles.get(actor) ?? (await singleProfile(actor, ctx))
}

function readable(target: string): string[] {
  try {
    return [actorOf(target)]
  } catch (error) {
    if (error instanceof BadInput) return []
    throw error
  }
}

/** Returns profiles by DID and by handle; unknown and deleted actors are missing. */
async function readProfiles(actors: string[], ctx: Context): Promise<Map<string, JsonReader>> {
  const response = await xrpc("app.bsky.actor.getProfiles", { actors }, ctx)
  const profiles = new Map<string, JsonReader>()
  // One invalid name fails the call for all, so each is then requested separately.
  if (response.status === 400) return profiles
  const body = new JsonReader(response.json())
  if (!body.has("profiles")) throw response.explainMissing("a list of profiles")
  for (const profile of body.list("profiles")) {
    const did = profile.text("did")
    const handle = profile.text("handle")
    if (!did || !handle) continue
    profiles.set(did, profile)
    profiles.set(handle.toLowerCase(), profile)
  }
  return profiles
}

/** Returns the profile of one actor. Throws the reason why it is missing. */
async function singleProfile(actor: string, ctx: Context): Promise<JsonReader> {
  const missing = new NotFound("No such account on Bluesky.")
  const response = await xrpc("app.bsky.actor.getProfile", { actor }, ctx).catch((error) => {
    assertScrapeError(error, ctx)
    ctx.log(`Why ${actor} is missing is unknown: ${error.message}`)
    throw missing
  })
  const body = new JsonReader(response.json())
  if (response.status < 400 && body.has("did")) return body
  throw refusal(body, response) ?? missing
}

function refusal(body: JsonReader, response: UpstreamResponse): ScrapeError | null {
  const message = body.text("message") ?? ""
  switch (body.text("error")) {
    case "AccountTakedown":
      return new Forbidden("Bluesky has suspended this account.", { response, code: "suspended" })
    case "AccountDeactivated":
      return new Forbidden("The account's user has deactivated it.", {
        response,
        code: "unavailable",
      })
    case "InvalidRequest":
      return /valid did or a handle/i.test(message)
        ? new BadInput(`Bluesky reports: ${message}`, { response })
        : new NotFound(`Bluesky reports: ${message || "not found"}.`, { response })
    default:
      return null
  }
}

/** Calls the public AppView; if its first host fails, calls the second. */
async function xrpc(method: string, query: RequestOptions["query"], ctx: Context) {
  const options = { query, accept: [400], headers: { accept: "application/json" } }
  try {
    return await ctx.get(`${hosts[0]}/xrpc/${method}`, options)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof UpstreamError)) throw error
    return ctx.get(`${hosts[1]}/xrpc/${method}`, options).catch((other) => {
      // The first host's failure is more specific than an unreachable second one.
      throw other instanceof Unreachable ? error : other
    })
  }
}

async function* feed(actor: string, filter: Filter, wanted: number, ctx: Context) {
  let provided = 0
  for (let cursor: string | undefined; ; ) {
    const limit = Math.min(100, wanted - provided)
    const query = { actor, limit, filter: filters[filter], cursor }
    const response = await xrpc("app.bsky.feed.getAuthorFeed", query, ctx)
    const body = new JsonReader(response.json())
    if (response.status === 400)
      throw refusal(body, response) ?? response.explainMissing("the posts")
    if (!body.has("feed")) throw response.explainMissing("the posts")
    const entries = body.list("feed")
    for (const entry of entries) {
      yield entry
      if (entry.has("post", "uri") && ++provided >= wanted) return
    }
    const next = body.text("cursor")
    if (!next || next === cursor || entries.length === 0) return
    cursor = next
  }
}

function described(profile: JsonReader) {
  const did = profile.text("did")
  const handle = profile.text("handle")
  if (!did || !handle) throw new Changed("Bluesky's response has a profile without an ID.")
  return {
    did,
    handle,
    displayName: profile.text("displayName"),
    url: pageOf(handle, did),
    ...account.read(profile.root),
  }
}

function postOf(entry: JsonReader) {
  const uri = entry.text("post", "uri")
  const handle = entry.text("post", "author", "handle")
  if (!uri || !handle) throw new Changed("Bluesky's feed has a post without a URL or author.")
  const rkey = uri.split("/").at(-1)!
  return {
    uri,
    cid: entry.text("post", "cid"),
    rkey,
    url: `${pageOf(handle, entry.text("post", "author", "did"))}/post/${rkey}`,
    ...content.read(entry.root),
  }
}

/** An expired handle has a placeholder; the DID never changes. */
const pageOf = (handle: string, did: string | null) =>
  `${site}/${handle === "handle.invalid" && did ? did : handle}`

const reasonOf = (entry: unknown) => String(at(entry, "reason", "$type") ?? "")

function isRepost(entry: unknown): boolean {
  return reasonOf(entry).endsWith("#reasonRepost")
}

/** Returns the links, mentions or tags of a post's text. */
function namedIn(entry: unknown, kind: string, key: string): string[] {
  const facets = new JsonReader(entry).list("post", "record", "facets")
  const features = facets.flatMap((facet) => facet.list("features"))
  const named = features.filter((feature) => feature.text("$type")?.endsWith(kind))
  return distinct(named.flatMap((feature) => feature.text(key) ?? []))
}

function tagsOf(entry: unknown): string[] {
  const beside = new JsonReader(entry).texts("post", "record", "tags")
  return distinct([...namedIn(entry, "#tag", "tag"), ...beside])
}

function labelsOf(thing: unknown): string[] {
  return distinct(eachOf("labels", "val")(thing))
}
