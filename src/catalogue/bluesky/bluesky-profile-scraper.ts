import { type Static, Type } from "@sinclair/typebox"
import { distinct } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import {
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
  inputObject,
  inputs,
  itemObject,
  NotFound,
  once,
  type RequestOptions,
  readRows,
  record,
  recordFields,
  required,
  ScrapeError,
  textField,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { blueskyEmbed } from "./embed.ts"

const hosts = ["https://public.api.bsky.app", "https://api.bsky.app"]
const site = "https://bsky.app/profile"
const actorsPerCall = 25
/** Asks apps not to show the account to those who are not signed in. */
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
  description: field.trimmed("description", "About text."),
  avatarUrl: field.trimmed("avatar", "Image."),
  bannerUrl: field.trimmed("banner", "Banner."),
  followersCount: field.integer("followersCount", "Followers."),
  followingCount: field.integer("followsCount", "Accounts followed."),
  postsCount: field.integer("postsCount", "Posts."),
  createdAt: field.time("createdAt", "When the account was made (ISO 8601, UTC)."),
  indexedAt: field.time("indexedAt", "When the network last read the profile."),
  lists: field.integer("associated.lists", "Lists that it made."),
  feedgens: field.integer("associated.feedgens", "Feeds that it made."),
  starterPacks: field.integer("associated.starterPacks", "Starter packs that it made."),
  isLabeler: field.boolean("associated.labeler", "Whether the account labels posts and accounts."),
  chatAllowIncoming: field.trimmed(
    "associated.chat.allowIncoming",
    "People who may write to it: all, none or following.",
  ),
  labels: field.texts(labelsOf, "Labels."),
  verification: field.object("verification", "Verification.", {
    verifiedStatus: field.trimmed("verifiedStatus", "valid, invalid or none."),
    trustedVerifierStatus: field.trimmed("trustedVerifierStatus", "valid, invalid or none."),
  }),
  pinnedPostUri: field.trimmed("pinnedPost.uri", "URL of the pinned post."),
  noUnauthenticated: field.flag(
    (profile) => labelsOf(profile).includes(membersOnly),
    "Whether the account asks not to be shown to signed-out visitors; no posts are returned.",
  ),
})

/** Of a feed's entry: the post, and why it is there. */
const content = record({
  author: required(
    field.object("post.author", "Author.", {
      did: field.trimmed("did", "Lasting id."),
      handle: field.trimmed("handle", "Name."),
      displayName: field.trimmed("displayName", "Name that is shown."),
      avatarUrl: field.trimmed("avatar", "Image."),
    }),
  ),
  isRepost: field.flag(isRepost, "The account repeats another's post."),
  repostedAt: field.time(
    (entry) => (isRepost(entry) ? at(entry, "reason", "indexedAt") : null),
    "When it was repeated.",
  ),
  isPinned: field.flag((entry) => reasonOf(entry).endsWith("#reasonPin"), "Pinned to the profile."),
  text: field.trimmed("post.record.text", "Text."),
  langs: field.texts("post.record.langs", "Languages."),
  createdAt: field.time(
    "post.record.createdAt",
    "When it was written, as the client says (ISO 8601, UTC).",
  ),
  indexedAt: field.time("post.indexedAt", "When the network read it."),
  isReply: field.flag(
    (entry) => at(entry, "post", "record", "reply") != null,
    "Whether it is a reply.",
  ),
  replyParentUri: field.trimmed(
    "post.record.reply.parent.uri",
    "URL of the post that it replies to.",
  ),
  replyRootUri: field.trimmed("post.record.reply.root.uri", "URL of the thread's first post."),
  likesCount: field.integer("post.likeCount", "Likes."),
  repostsCount: field.integer("post.repostCount", "Reposts."),
  repliesCount: field.integer("post.replyCount", "Replies."),
  quotesCount: field.integer("post.quoteCount", "Quotes."),
  bookmarksCount: field.integer("post.bookmarkCount", "Bookmarks."),
  links: field.texts((entry) => namedIn(entry, "#link", "uri"), "Links in the text."),
  mentions: field.texts((entry) => namedIn(entry, "#mention", "did"), "Ids of accounts mentioned."),
  tags: field.texts(tagsOf, "Hashtags without #."),
  embed: blueskyEmbed,
  labels: field.texts((entry) => labelsOf(at(entry, "post")), "Labels."),
})

const profile = itemObject({
  ...recordFields("profile"),
  did: Type.String({ description: "Lasting id." }),
  handle: Type.String({ description: "Name." }),
  displayName: textField("Name that is shown."),
  ...account.fields,
})
const post = itemObject({
  ...recordFields("post"),
  uri: Type.String({ description: "Permanent URL, at://…." }),
  cid: textField("Hash of this version."),
  rkey: Type.String({ description: "Last part of the URL." }),
  ...content.fields,
})

const input = inputObject({
  actors: inputs.texts("Handles, for example bsky.app, DIDs or profile URLs.", { max: 500 }),
  postsPerActor: inputs.count("Maximum posts per account", { min: 0, max: 1000, or: 20 }),
  feedFilter: inputs.choice(
    ["posts", "no_replies", "media", "threads", "video"],
    "Posts to include.",
    "posts",
  ),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "bluesky-profile-scraper",
  name: "Bluesky Profiles",
  tagline: "Bluesky profiles and their posts through the public AppView.",
  serves: [
    "posts of a Bluesky user",
    "Bluesky followers and bio",
    "what someone says on Bluesky",
    "follower count on Bluesky",
    "what did a person post on Bluesky",
    "handle at bsky.social",
  ],
  notServed: ["search posts"],
  category: "social",
  tier: "free",
  input,
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
    const read = (entry: JsonReader) => ({
      type: "post" as const,
      input: target,
      ...postOf(entry),
    })
    yield* readRows(feed(item.did, feedFilter, wanted, ctx), read, ctx)
  },
})

/** A handle or DID. @throws BadInput */
function actorOf(target: string): string {
  const text = target.trim()
  const address =
    /^(?:https?:\/\/)?bsky\.app\/profile\/([^/?#]+)/i.exec(text)?.[1] ??
    /^at:\/\/([^/]+)/i.exec(text)?.[1]
  const actor = decodedPath(address ?? text).replace(/^@/, "")
  if (/^did:(?:plc:[a-z2-7]{24}|web:[\w.:%-]+)$/.test(actor)) return actor
  const handle = (actor.includes(".") ? actor : `${actor}.bsky.social`).toLowerCase()
  if (/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(handle)) return handle
  throw new BadInput(`"${target}" is not a Bluesky handle or DID.`)
}

/** The actor's profile, out of the call that serves the actors around it too. */
async function readProfile(actor: string, ctx: Context<Input>): Promise<JsonReader> {
  const all = distinct(ctx.input.actors.flatMap(readable))
  const chunk = Math.floor(all.indexOf(actor) / actorsPerCall)
  const actors = all.slice(chunk * actorsPerCall, (chunk + 1) * actorsPerCall)
  const profiles = await once(ctx, `bluesky.profiles ${chunk}`, () => readProfiles(actors, ctx))
  return profiles.get(actor) ?? (await alone(actor, ctx))
}

function readable(target: string): string[] {
  try {
    return [actorOf(target)]
  } catch (error) {
    if (error instanceof BadInput) return []
    throw error
  }
}

/** Profiles by DID and by handle; actors that are unknown or gone are left out. */
async function readProfiles(actors: string[], ctx: Context): Promise<Map<string, JsonReader>> {
  const response = await xrpc("app.bsky.actor.getProfiles", { actors }, ctx)
  const profiles = new Map<string, JsonReader>()
  // One bad name fails the call for all: then each is asked alone.
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

/** Why a profile was left out, or the profile after all. */
async function alone(actor: string, ctx: Context): Promise<JsonReader> {
  const missing = new NotFound("Bluesky knows no such account.")
  let response: UpstreamResponse
  try {
    response = await xrpc("app.bsky.actor.getProfile", { actor }, ctx)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof ScrapeError)) throw error
    ctx.log(`Why ${actor} is missing could not be learnt: ${error.message}`)
    throw missing
  }
  const body = new JsonReader(response.json())
  if (response.status < 400 && body.has("did")) return body
  throw refusal(body, response) ?? missing
}

function refusal(body: JsonReader, response: UpstreamResponse): ScrapeError | null {
  const details = { url: response.url, statusCode: response.status }
  const message = body.text("message") ?? ""
  switch (body.text("error")) {
    case "AccountTakedown":
      return new Forbidden("Bluesky has suspended this account.", { ...details, code: "suspended" })
    case "AccountDeactivated":
      return new Forbidden("The account's owner has deactivated it.", {
        ...details,
        code: "unavailable",
      })
    case "InvalidRequest":
      return /valid did or a handle/i.test(message)
        ? new BadInput(`Bluesky says: ${message}`, details)
        : new NotFound(`Bluesky says: ${message || "not found"}.`, details)
    default:
      return null
  }
}

/** A call of the public AppView; its second host answers where the first fails. */
async function xrpc(
  method: string,
  query: RequestOptions["query"],
  ctx: Context,
): Promise<UpstreamResponse> {
  const options = { query, accept: [400], headers: { accept: "application/json" } }
  try {
    return await ctx.get(`${hosts[0]}/xrpc/${method}`, options)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof UpstreamError)) throw error
    return ctx.get(`${hosts[1]}/xrpc/${method}`, options)
  }
}

async function* feed(
  actor: string,
  filter: Filter,
  wanted: number,
  ctx: Context,
): AsyncGenerator<JsonReader> {
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
  if (!did || !handle) throw new Changed("Bluesky's answer holds a profile without id.")
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
  if (!uri || !handle) throw new Changed("Bluesky's feed holds a post without address or author.")
  const rkey = uri.split("/").at(-1)!
  return {
    uri,
    cid: entry.text("post", "cid"),
    rkey,
    url: `${pageOf(handle, entry.text("post", "author", "did"))}/post/${rkey}`,
    ...content.read(entry.root),
  }
}

/** A handle that has lapsed is written so; the id holds for ever. */
const pageOf = (handle: string, did: string | null) =>
  `${site}/${handle === "handle.invalid" && did ? did : handle}`

function reasonOf(entry: unknown): string {
  return String(at(entry, "reason", "$type") ?? "")
}

function isRepost(entry: unknown): boolean {
  return reasonOf(entry).endsWith("#reasonRepost")
}

/** What a post's text names: links, mentions or tags. */
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
