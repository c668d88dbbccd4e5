import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { distinct } from "../../extract/text.ts"
import { once, partFailed } from "../calls.ts"
import type { Answer, Context, RequestOptions } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, Forbidden, NotFound, Outcome, UpstreamError } from "../outcome.ts"
import { blueskyEmbed, blueskyEmbedField } from "./bluesky-embed.ts"
import { decodedPath, distinctTargets, failsRun, recordFields } from "./social.ts"

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

const profile = itemObject({
  ...recordFields("profile"),
  did: Type.String({ description: "Lasting id." }),
  handle: Type.String({ description: "Name." }),
  displayName: textField("Name that is shown."),
  description: textField("About text."),
  avatarUrl: textField("Picture."),
  bannerUrl: textField("Banner."),
  followersCount: integerField("Followers."),
  followsCount: integerField("Accounts followed."),
  postsCount: integerField("Posts."),
  createdAt: textField("When the account was made (ISO 8601, UTC)."),
  indexedAt: textField("When the network last read the profile."),
  lists: integerField("Lists that it made."),
  feedgens: integerField("Feeds that it made."),
  starterPacks: integerField("Starter packs that it made."),
  isLabeler: booleanField("It labels posts and accounts."),
  chatAllowIncoming: textField("Who may write to it: all, none or following."),
  labels: textsField("Labels."),
  verification: nullable(
    itemObject(
      {
        verifiedStatus: textField("valid, invalid or none."),
        trustedVerifierStatus: textField("valid, invalid or none."),
      },
      { description: "Verification." },
    ),
  ),
  pinnedPostUri: textField("Address of the pinned post."),
  noUnauthenticated: Type.Boolean({
    description: "It asks not to be shown to those who are not signed in; no posts are given.",
  }),
})
const post = itemObject({
  ...recordFields("post"),
  uri: Type.String({ description: "Lasting address, at://…." }),
  cid: textField("Hash of this version."),
  rkey: Type.String({ description: "Last part of the address." }),
  author: itemObject(
    {
      did: textField("Lasting id."),
      handle: textField("Name."),
      displayName: textField("Name that is shown."),
      avatarUrl: textField("Picture."),
    },
    { description: "Who wrote it." },
  ),
  isRepost: Type.Boolean({ description: "The account repeats another's post." }),
  repostedAt: textField("When it was repeated."),
  isPinned: Type.Boolean({ description: "Pinned to the profile." }),
  text: textField("Text."),
  langs: textsField("Languages."),
  createdAt: textField("When it was written, as the client says (ISO 8601, UTC)."),
  indexedAt: textField("When the network read it."),
  isReply: Type.Boolean({ description: "It is a reply." }),
  replyParentUri: textField("Address of the post that it replies to."),
  replyRootUri: textField("Address of the thread's first post."),
  likeCount: integerField("Likes."),
  repostCount: integerField("Reposts."),
  replyCount: integerField("Replies."),
  quoteCount: integerField("Quotes."),
  bookmarkCount: integerField("Bookmarks."),
  links: textsField("Links in the text."),
  mentions: textsField("Ids of accounts mentioned."),
  tags: textsField("Hashtags without #."),
  embed: blueskyEmbedField,
  labels: textsField("Labels."),
})

const input = inputObject({
  actors: inputs.texts("Handles, DIDs or profile addresses.", { max: 500 }),
  postsPerActor: inputs.count("Most posts of an actor.", { min: 0, max: 1000, or: 20 }),
  feedFilter: inputs.choice(
    ["posts", "no_replies", "media", "threads", "video"],
    "Which posts.",
    "posts",
  ),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "bluesky-profile-scraper",
  name: "Bluesky Profiles",
  tagline: "Bluesky profiles and their posts through the public AppView.",
  category: "social",
  tier: "free",
  input,
  item: Type.Union([profile, post]),
  example: { actors: ["bsky.app"], postsPerActor: 5 },
  pace: {
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
    try {
      for await (const entry of feed(item.did, feedFilter, wanted, ctx)) {
        yield { type: "post" as const, input: target, ...postOf(entry) }
      }
    } catch (error) {
      yield partFailed(ctx, error, { input: target })
    }
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
  const answer = await xrpc("app.bsky.actor.getProfiles", { actors }, ctx)
  const profiles = new Map<string, JsonReader>()
  // One bad name fails the call for all: then each is asked alone.
  if (answer.status === 400) return profiles
  const body = new JsonReader(answer.json())
  if (!body.has("profiles")) throw answer.lacks("a list of profiles")
  for (const one of body.list("profiles")) {
    const did = one.text("did")
    const handle = one.text("handle")
    if (!did || !handle) throw new Changed("Bluesky's answer holds a profile without id.")
    profiles.set(did, one)
    profiles.set(handle.toLowerCase(), one)
  }
  return profiles
}

/** Why a profile was left out, or the profile after all. */
async function alone(actor: string, ctx: Context): Promise<JsonReader> {
  const missing = new NotFound("Bluesky knows no such account.")
  let answer: Answer
  try {
    answer = await xrpc("app.bsky.actor.getProfile", { actor }, ctx)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Outcome)) throw error
    ctx.log(`Why ${actor} is missing could not be learnt: ${error.message}`)
    throw missing
  }
  const body = new JsonReader(answer.json())
  if (answer.status < 400 && body.has("did")) return body
  throw refusal(body, answer) ?? missing
}

function refusal(body: JsonReader, answer: Answer): Outcome | null {
  const details = { url: answer.url, statusCode: answer.status }
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
async function xrpc(method: string, query: RequestOptions["query"], ctx: Context): Promise<Answer> {
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
  let given = 0
  for (let cursor: string | undefined; ; ) {
    const limit = Math.min(100, wanted - given)
    const query = { actor, limit, filter: filters[filter], cursor }
    const answer = await xrpc("app.bsky.feed.getAuthorFeed", query, ctx)
    const body = new JsonReader(answer.json())
    if (answer.status === 400) throw refusal(body, answer) ?? answer.lacks("the posts")
    if (!body.has("feed")) throw answer.lacks("the posts")
    const entries = body.list("feed")
    for (const entry of entries) {
      yield entry
      if (++given >= wanted) return
    }
    const next = body.text("cursor")
    if (!next || next === cursor || entries.length === 0) return
    cursor = next
  }
}

function described(facts: JsonReader) {
  const did = facts.text("did")
  const handle = facts.text("handle")
  if (!did || !handle) throw new Changed("Bluesky's answer holds a profile without id.")
  const labels = labelsOf(facts)
  const associated = facts.in("associated")
  const verification = facts.in("verification")
  return {
    did,
    handle,
    displayName: facts.text("displayName"),
    url: `${site}/${handle === "handle.invalid" ? did : handle}`,
    description: facts.text("description"),
    avatarUrl: facts.text("avatar"),
    bannerUrl: facts.text("banner"),
    followersCount: facts.integer("followersCount"),
    followsCount: facts.integer("followsCount"),
    postsCount: facts.integer("postsCount"),
    createdAt: isoDate(facts.text("createdAt")),
    indexedAt: isoDate(facts.text("indexedAt")),
    lists: associated.integer("lists"),
    feedgens: associated.integer("feedgens"),
    starterPacks: associated.integer("starterPacks"),
    isLabeler: associated.flag("labeler"),
    chatAllowIncoming: associated.text("chat", "allowIncoming"),
    labels,
    verification: facts.has("verification")
      ? {
          verifiedStatus: verification.text("verifiedStatus"),
          trustedVerifierStatus: verification.text("trustedVerifierStatus"),
        }
      : null,
    pinnedPostUri: facts.text("pinnedPost", "uri"),
    noUnauthenticated: labels.includes(membersOnly),
  }
}

function postOf(entry: JsonReader) {
  const read = entry.in("post")
  const record = read.in("record")
  const author = read.in("author")
  const uri = read.text("uri")
  const handle = author.text("handle")
  if (!uri || !handle) throw new Changed("Bluesky's feed holds a post without address or author.")
  const rkey = uri.split("/").at(-1)!
  const reason = entry.text("reason", "$type") ?? ""
  const isRepost = reason.endsWith("#reasonRepost")
  const features = record.list("facets").flatMap((facet) => facet.list("features"))
  const named = (kind: string, key: string) =>
    distinct(
      features.flatMap((one) => (one.text("$type")?.endsWith(kind) ? (one.text(key) ?? []) : [])),
    )
  return {
    uri,
    cid: read.text("cid"),
    rkey,
    url: `${site}/${handle === "handle.invalid" ? author.text("did") : handle}/post/${rkey}`,
    author: {
      did: author.text("did"),
      handle,
      displayName: author.text("displayName"),
      avatarUrl: author.text("avatar"),
    },
    isRepost,
    repostedAt: isRepost ? isoDate(entry.text("reason", "indexedAt")) : null,
    isPinned: reason.endsWith("#reasonPin"),
    text: record.text("text"),
    langs: record.texts("langs"),
    createdAt: isoDate(record.text("createdAt")),
    indexedAt: isoDate(read.text("indexedAt")),
    isReply: record.has("reply"),
    replyParentUri: record.text("reply", "parent", "uri"),
    replyRootUri: record.text("reply", "root", "uri"),
    likeCount: read.integer("likeCount"),
    repostCount: read.integer("repostCount"),
    replyCount: read.integer("replyCount"),
    quoteCount: read.integer("quoteCount"),
    bookmarkCount: read.integer("bookmarkCount"),
    links: named("#link", "uri"),
    mentions: named("#mention", "did"),
    tags: distinct([...named("#tag", "tag"), ...record.texts("tags")]),
    embed: blueskyEmbed(read.in("embed")),
    labels: labelsOf(read),
  }
}

const labelsOf = (read: JsonReader) =>
  distinct(read.list("labels").flatMap((label) => label.text("val") ?? []))
