import { JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import { allSchemaNodes, type SchemaReader } from "../../extract/structured/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  distinctTargets,
  EmptyShell,
  Forbidden,
  field,
  having,
  inputs,
  items,
  NotFound,
  orNull,
  readPage,
  record,
  recordFields,
  ScrapeError,
  Timeout,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { xAuthor } from "./user.ts"
import {
  hasXSession,
  loginRequired,
  type XCall,
  type XMode,
  xCookies,
  xGraphql,
  xScraper,
  xSite,
} from "./x.ts"

const pathsOfTheSite = new Set(
  "i home search explore hashtag intent share settings login messages notifications".split(" "),
)

const affiliation = having("affiliates_highlighted_label.label", "description")

const facts = record({
  descriptionUrls: field.of(
    items.objects("Links in the account's description.", {
      url: items.text("Short URL in the text."),
      expandedUrl: items.requiredText("URL that the link leads to."),
    }),
    linksOf,
  ),
  website: field.trimmed(
    "profile_bio.entities.url.urls.0.expanded_url|legacy.entities.url.urls.0.expanded_url|website.url|legacy.url",
    "URL that the profile links to.",
  ),
  mediaCount: field.integer(
    "tweet_counts.media_tweets|legacy.media_count",
    "Number of posts with images or videos.",
  ),
  likesCount: field.integer(
    "action_counts.favorites_count|legacy.favourites_count",
    "Number of posts that the account liked.",
  ),
  listedCount: field.integer("legacy.listed_count", "Number of lists that contain the account."),
  isVerified: field.boolean(
    "verification.verified|legacy.verified",
    "Whether the account was verified before paid verification.",
  ),
  verifiedSince: field.unixTime(
    "verification_info.reason.verified_since_msec",
    "Time of the verification (ISO 8601, UTC).",
  ),
  isProtected: field.boolean(isProtected, "Whether only followers can see the posts."),
  bannerUrl: field.trimmed(
    "banner.image_url|legacy.profile_banner_url",
    "URL of the account's banner image.",
  ),
  pinnedTweetIds: field.texts(pinnedOf, "IDs of the pinned posts."),
  professionalType: field.trimmed(
    "professional.professional_type",
    "Kind of professional account: Business or Creator.",
  ),
  category: field.trimmed("professional.category.0.name", "Category of a professional account."),
  affiliation: field.object(affiliation, "Organisation that the account belongs to.", {
    name: field.trimmed("description", "Name of the organisation."),
    url: field.trimmed("url.url", "URL of the organisation's profile."),
    badgeUrl: field.trimmed("badge.url", "URL of the organisation's badge."),
  }),
  canDm: field.boolean(
    "dm_permissions.can_dm|legacy.can_dm",
    "Whether others can send direct messages to the account.",
  ),
  possiblySensitive: field.boolean(
    "possibly_sensitive|legacy.possibly_sensitive",
    "Whether the account is marked as sensitive.",
  ),
  isTranslatable: field.boolean(
    "is_profile_translatable",
    "Whether X can translate the account's description.",
  ),
})

export default defineScraper({
  slug: "twitter-profile-scraper",
  name: "X (Twitter) Profiles",
  tagline: "X (Twitter) profile facts: counts, bio, links, verification.",
  notServed: ["tweets about a topic", "followers list"],
  ...xScraper,
  input: {
    handles: inputs.texts("Usernames, for example XDevelopers or @XDevelopers, or profile URLs.", {
      max: 200,
    }),
  },
  item: {
    ...recordFields("profile"),
    ...xAuthor.fields,
    handle: items.requiredText("Username without @, as X writes it."),
    ...facts.fields,
    source: items.requiredText("Source of the item: graphql, page, guest, syndication or chrome."),
  },
  example: { handles: ["XDevelopers"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].handle matches "^XDevelopers$"',
      'items[0].id equals "2244994945"',
      "items[0].followersCount gte 300000",
      'items[0].createdAt matches "^2013-12"',
      "?items[0].postsCount gte 1000",
      '?items[0].source matches "graphql|page"',
    ],
  },
  unverified: ["Chrome"],
  targets: ({ handles }) =>
    distinctTargets(handles, (target) => Object.values(nameOf(target)).join()),

  async *scrape(target, ctx) {
    yield { type: "profile" as const, input: target, ...(await profileOf(nameOf(target), ctx)) }
  },
})

/** A user by username, or by the ID in URLs such as x.com/i/user/1. */
type Name = { handle: string } | { id: string }

function nameOf(target: string): Name {
  const text = target.trim()
  const url = /^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/(.+)$/i.exec(text)?.[1]
  const id = /^i\/user\/(\d+)/.exec(url ?? "")?.[1]
  if (id) return { id }
  const handle = url?.split(/[/?#]/)[0]?.replace(/^@/, "") ?? text.replace(/^@/, "")
  const reserved = url !== undefined && pathsOfTheSite.has(handle.toLowerCase())
  if (/^\w{1,15}$/.test(handle) && !reserved) return { handle }
  throw new BadInput(`"${target}" is not an X profile. Write its username or URL.`)
}

async function profileOf(name: Name, ctx: Context) {
  try {
    return await ctx.escalate(xSite, { http: (ctx) => firstForm(name, ctx) })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof ScrapeError) || isResponse(error)) throw error
    const visible = await orNull(ctx, "profile in Chrome", () => byChrome(name, ctx))
    if (!visible) throw error
    return { ...visible, source: "chrome" }
  }
}

/** Reads the page in Chrome, from the responses that its own scripts loaded. */
async function byChrome(name: Name, ctx: Context): Promise<Profile> {
  const what = "the profile"
  const path = "handle" in name ? name.handle : `i/user/${name.id}`
  const page = await ctx.page(`${xSite}/${path}`, {
    has: (page) => page.captured.length > 0,
    what,
    scripted: true,
    ...(hasXSession(ctx) ? { cookies: xCookies(ctx) } : {}),
    capture: /\/UserBy(?:ScreenName|RestId)\b/,
  })
  const response = page.captured.find(({ status }) => status < 400) ?? page.captured[0]
  if (!response) throw page.explainMissing(what)
  return userIn(new JsonReader(response.json({ bigIntegers: true })).in("data"))
}

/** Reads a user from the forms that X offers, in order. If one is refused, tries the next. */
async function firstForm(name: Name, ctx: Context) {
  const forms: [string, () => Promise<Profile>][] = [["guest", () => byGraphql(name, "guest", ctx)]]
  if ("handle" in name) {
    forms.unshift(["page", () => byPage(name.handle, ctx)])
    forms.push(["syndication", () => bySyndication(name.handle, ctx)])
  }
  if (hasXSession(ctx)) forms.unshift(["graphql", () => byGraphql(name, "session", ctx)])
  const failures: ScrapeError[] = []
  for (const [source, request] of forms) {
    try {
      return { ...(await request()), source }
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof ScrapeError) || isResponse(error)) throw error
      failures.push(error)
      ctx.log(`X by ${source}: ${error.message}`)
    }
  }
  const informative = failures.find((error) => !uninformative.some((kind) => error instanceof kind))
  if (informative) throw informative
  const isShell = failures.some((error) => error instanceof EmptyShell)
  if (!isShell || hasXSession(ctx)) throw failures[0]
  throw loginRequired("X shows this profile only to members.")
}

/** Errors without information about the user: only the page's shell, or no response. */
const uninformative = [EmptyShell, Unreachable, Timeout]

/** Returns whether X reported an error about the user, which is final in all forms. */
const isResponse = (error: ScrapeError) =>
  error instanceof NotFound || error.code === "suspended" || error.code === "unavailable"

type Profile = ReturnType<typeof described>

async function byGraphql(name: Name, mode: XMode, ctx: Context): Promise<Profile> {
  const call: XCall = {
    operation: "handle" in name ? "UserByScreenName" : "UserByRestId",
    variables: {
      ...("handle" in name ? { screen_name: name.handle } : { userId: name.id }),
      withSafetyModeUserFields: true,
    },
    toggles: { withAuxiliaryUserLabels: false },
    mode,
  }
  return userIn(await xGraphql(call, ctx))
}

/** @throws Forbidden, NotFound, Changed */
function userIn(data: JsonReader): Profile {
  const user = data.in("user", "result")
  if (user.text("__typename") === "UserUnavailable") throw unavailable(user)
  if (!user.has("rest_id")) {
    const saysNone = data.root !== undefined && data.entries().every(([key]) => key === "user")
    if (saysNone && data.entries("user", "result").length === 0)
      throw new NotFound("No such user on X.")
    throw new Changed("X's response has no user.")
  }
  return described(user)
}

function unavailable(user: JsonReader): Forbidden {
  const reason = user.text("reason")
  const stated = user.text("message") ?? "The account is not available"
  const why = reason && !user.has("message") ? ` (${reason})` : ""
  const code = reason === "Suspended" ? "suspended" : "unavailable"
  return new Forbidden(`X reports: ${stated}${why}.`, { code })
}

/** Reads the structured data of the profile's page, which is meant for search engines. */
async function byPage(handle: string, ctx: Context): Promise<Profile> {
  const options = { what: "the profile", retries: 0 }
  return described(await readPage(ctx, `${xSite}/${handle}`, userOn, options))
}

function userOn(response: UpstreamResponse) {
  for (const page of allSchemaNodes(response.document)) {
    const entity = page.in("mainEntity")
    if (!page.isOfType("ProfilePage")) continue
    if (entity.has("identifier") && entity.has("additionalName"))
      return new JsonReader(userOfPage(page, entity))
  }
  const isUnknown = /This account doesn[’']t exist/.test(response.text())
  return isUnknown ? new NotFound("No such user on X.", { url: response.url }) : null
}

/** Returns the page's structured data in the form of the API. */
function userOfPage(page: SchemaReader, entity: SchemaReader) {
  const count = (action: string) =>
    entity
      .list("interactionStatistic")
      .find((statistic) =>
        JSON.stringify(statistic.value("interactionType") ?? "").includes(action),
      )
      ?.integer("userInteractionCount") ?? null
  return {
    rest_id: entity.text("identifier"),
    core: {
      screen_name: entity.text("additionalName"),
      name: entity.text("name"),
      created_at: page.text("dateCreated"),
    },
    profile_bio: { description: entity.text("description") },
    location: { location: entity.text("homeLocation", "name") },
    website: { url: entity.text("sameAs") },
    avatar: { image_url: entity.text("image", "contentUrl") },
    relationship_counts: { followers: count("FollowAction"), following: count("SubscribeAction") },
    tweet_counts: { tweets: count("WriteAction") },
  }
}

/** Reads the timeline for other sites; its posts contain the user. */
async function bySyndication(handle: string, ctx: Context): Promise<Profile> {
  const url = `https://syndication.twitter.com/srv/timeline-profile/screen-name/${handle}`
  const state = "script#__NEXT_DATA__"
  const what = "the embedded timeline"
  const headers = { referer: "https://platform.twitter.com/" }
  const response = await ctx.page(url, { has: state, what, headers, retries: 0 })
  const user = new JsonReader(scriptJson(response.document, state))
    .list("props", "pageProps", "timeline", "entries")
    .map((entry) => entry.in("content", "tweet", "user"))
    .find((user) => user.text("screen_name")?.toLowerCase() === handle.toLowerCase())
  if (!user) throw response.explainMissing(what)
  return described(
    new JsonReader({
      rest_id: user.text("id_str"),
      legacy: user.root,
      is_blue_verified: user.flag("is_blue_verified"),
    }),
  )
}

function described(user: JsonReader) {
  const author = xAuthor.read(user.root)
  const { id, handle } = author
  if (!id || !handle) throw new Changed("X's response has a user without a name.")
  return { ...author, handle, url: `${xSite}/${handle}`, ...facts.read(user.root) }
}

function linksOf(row: unknown) {
  const user = new JsonReader(row)
  const bio = user.in(user.has("profile_bio") ? "profile_bio" : "legacy")
  return bio.list("entities", "description", "urls").flatMap((link) => {
    const expandedUrl = link.text("expanded_url") ?? link.text("url")
    return expandedUrl ? [{ url: link.text("url"), expandedUrl }] : []
  })
}

/** Returns null if unknown: the old user object has the field only for protected users. */
function isProtected(row: unknown): boolean | null {
  const user = new JsonReader(row)
  const stated = user.flag("privacy", "protected") ?? user.flag("legacy", "protected")
  return stated ?? (user.has("legacy") ? false : null)
}

function pinnedOf(row: unknown): string[] {
  const user = new JsonReader(row)
  const now = user.texts("pinned_items", "tweet_ids_str")
  return [...now, ...user.texts("legacy", "pinned_tweet_ids_str")]
}
