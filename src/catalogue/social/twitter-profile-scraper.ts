import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { findObjects, parseLoose, scriptJson } from "../../extract/embedded.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import type { Context } from "../context.ts"
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
import { BadInput, Changed, Forbidden, NotFound, Outcome } from "../outcome.ts"
import { distinctTargets, failsRun, recordFields } from "./social.ts"
import { hasXSession, loginRequired, type XMode, xGraphql, xPace, xSite } from "./x.ts"
import { xAuthorFacts, xAuthorFields, xUrlItem } from "./x-user.ts"

const pathsOfTheSite = new Set(
  "i home search explore hashtag intent share settings login messages notifications".split(" "),
)

export default defineScraper({
  slug: "twitter-profile-scraper",
  name: "X (Twitter) Profiles",
  tagline: "X (Twitter) profile facts: counts, bio, links, verification.",
  category: "social",
  tier: "premium",
  input: inputObject({
    handles: inputs.texts("Names, with or without @, or profile addresses.", { max: 200 }),
  }),
  item: itemObject({
    ...recordFields("profile"),
    ...xAuthorFields,
    handle: Type.String({ description: "Name, without @, as the network writes it." }),
    descriptionUrls: Type.Array(xUrlItem, { description: "Links in the about text." }),
    website: textField("Link of the profile."),
    mediaCount: integerField("Posts with pictures or videos."),
    likesCount: integerField("Posts that it liked."),
    listedCount: integerField("Lists that hold it."),
    isVerified: booleanField("Verified in the old way."),
    verifiedSince: textField("When it was verified."),
    isProtected: booleanField("Only followers see the posts."),
    bannerUrl: textField("Banner."),
    pinnedTweetIds: textsField("Ids of pinned posts."),
    professionalType: textField("Business or Creator."),
    category: textField("Category of a professional account."),
    affiliation: nullable(
      itemObject(
        {
          name: textField("Name of the organization."),
          url: textField("Its profile."),
          badgeUrl: textField("Its badge."),
        },
        { description: "Organization that it belongs to." },
      ),
    ),
    canDm: booleanField("Can be written to."),
    possiblySensitive: booleanField("Marked as sensitive."),
    isTranslatable: booleanField("The about text can be translated."),
    source: Type.String({
      description: "What told it: graphql, page, guest or syndication.",
    }),
  }),
  example: { handles: ["XDevelopers"] },
  pace: xPace,
  access: ["http", "unlocker"],
  concurrency: 1,
  targets: ({ handles }) =>
    distinctTargets(handles, (target) => Object.values(nameOf(target)).join()),
  failsRun,

  async *scrape(target, ctx) {
    const profile = await firstWay(nameOf(target), ctx)
    yield { type: "profile" as const, input: target, ...profile }
  },
})

/** A user by name, or by the number in addresses such as x.com/i/user/1. */
type Name = { handle: string } | { id: string }

/** @throws BadInput */
function nameOf(target: string): Name {
  const text = target.trim()
  const address = /^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/(.+)$/i.exec(text)?.[1]
  const id = /^i\/user\/(\d+)/.exec(address ?? "")?.[1]
  if (id) return { id }
  const handle = address?.split(/[/?#]/)[0]?.replace(/^@/, "") ?? text.replace(/^@/, "")
  const reserved = address !== undefined && pathsOfTheSite.has(handle.toLowerCase())
  if (/^\w{1,15}$/.test(handle) && !reserved) return { handle }
  throw new BadInput(`"${target}" is not an X profile; write its name or address.`)
}

/** The ways in, in order; the next one when one is refused. */
async function firstWay(name: Name, ctx: Context) {
  const ways: [string, () => Promise<Profile>][] = [["guest", () => byGraphql(name, "guest", ctx)]]
  if ("handle" in name) {
    ways.unshift(["page", () => byPage(name.handle, ctx)])
    ways.push(["syndication", () => bySyndication(name.handle, ctx)])
  }
  if (hasXSession(ctx)) ways.unshift(["graphql", () => byGraphql(name, "session", ctx)])
  let first: Outcome | undefined
  for (const [source, way] of ways) {
    try {
      return { ...(await way()), source }
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof Outcome) || isAnswer(error)) throw error
      first ??= error
      ctx.log(`X by ${source}: ${error.message}`)
    }
  }
  throw hasXSession(ctx) ? first : loginRequired("X shows this profile to members only.")
}

/** What X says of the user itself stands, whichever way was taken. */
const isAnswer = (error: Outcome) =>
  error instanceof NotFound || error.code === "suspended" || error.code === "unavailable"

type Profile = ReturnType<typeof described>

async function byGraphql(name: Name, mode: XMode, ctx: Context): Promise<Profile> {
  const data = await xGraphql(
    {
      operation: "handle" in name ? "UserByScreenName" : "UserByRestId",
      variables: {
        ...("handle" in name ? { screen_name: name.handle } : { userId: name.id }),
        withSafetyModeUserFields: true,
      },
      toggles: { withAuxiliaryUserLabels: false },
      mode,
    },
    ctx,
  )
  const user = data.in("user", "result")
  if (user.text("__typename") === "UserUnavailable") throw unavailable(user)
  if (!user.has("rest_id")) {
    const saysNone = data.root !== undefined && data.entries().every(([key]) => key === "user")
    if (saysNone && data.entries("user", "result").length === 0) {
      throw new NotFound("X knows no such user.")
    }
    throw new Changed("X's answer holds no user.")
  }
  return described(user)
}

function unavailable(user: JsonReader): Forbidden {
  const reason = user.text("reason")
  const said = user.text("message") ?? "The account is not available"
  return new Forbidden(`X says: ${said}${reason && !user.has("message") ? ` (${reason})` : ""}.`, {
    code: reason === "Suspended" ? "suspended" : "unavailable",
  })
}

/** The structured data that the profile's page carries for search engines. */
async function byPage(handle: string, ctx: Context): Promise<Profile> {
  const answer = await ctx.html(`${xSite}/${handle}`, { identity: "browser", retries: 0 })
  for (const script of answer.document.querySelectorAll('script[type="application/ld+json"]')) {
    const data = parseLoose(script.textContent ?? "")
    for (const page of findObjects(data, (one) => one["@type"] === "ProfilePage")) {
      const entity = new JsonReader(page).in("mainEntity")
      if (entity.has("identifier") && entity.has("additionalName")) {
        return described(new JsonReader(userOfPage(new JsonReader(page), entity)))
      }
    }
  }
  if (/This account doesn[’']t exist/.test(answer.text())) {
    throw new NotFound("X knows no such user.", { url: answer.url })
  }
  throw answer.lacks("the profile")
}

/** The page's structured data in the shape of the API. */
function userOfPage(page: JsonReader, entity: JsonReader) {
  const count = (action: string) =>
    entity
      .list("interactionStatistic")
      .find((one) => JSON.stringify(one.value("interactionType") ?? "").includes(action))
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
    website: { url: entity.text("sameAs") ?? entity.text("sameAs", 0) },
    avatar: { image_url: entity.text("image", "contentUrl") },
    relationship_counts: { followers: count("FollowAction"), following: count("SubscribeAction") },
    tweet_counts: { tweets: count("WriteAction") },
  }
}

/** The timeline that other sites embed; its posts carry the user. */
async function bySyndication(handle: string, ctx: Context): Promise<Profile> {
  const url = `https://syndication.twitter.com/srv/timeline-profile/screen-name/${handle}`
  const answer = await ctx.html(url, {
    identity: "browser",
    headers: { referer: "https://platform.twitter.com/" },
    retries: 0,
  })
  const state = new JsonReader(scriptJson(answer.document, "script#__NEXT_DATA__"))
  const users = state
    .list("props", "pageProps", "timeline", "entries")
    .map((entry) => entry.in("content", "tweet", "user"))
  const user = users.find((one) => one.text("screen_name")?.toLowerCase() === handle.toLowerCase())
  if (!user) throw answer.lacks("the embedded timeline")
  return described(
    new JsonReader({
      rest_id: user.text("id_str"),
      legacy: user.root,
      is_blue_verified: user.flag("is_blue_verified"),
    }),
  )
}

function described(user: JsonReader) {
  const facts = xAuthorFacts(user)
  if (!facts.id || !facts.handle) throw new Changed("X's answer holds a user without a name.")
  const legacy = user.in("legacy")
  const bio = user.has("profile_bio") ? user.in("profile_bio") : legacy
  const label = user.in("affiliates_highlighted_label", "label")
  const pinned = [
    ...user.texts("pinned_items", "tweet_ids_str"),
    ...legacy.texts("pinned_tweet_ids_str"),
  ]
  return {
    ...facts,
    handle: facts.handle,
    url: `${xSite}/${facts.handle}`,
    descriptionUrls: bio.list("entities", "description", "urls").flatMap((link) => {
      const expandedUrl = link.text("expanded_url") ?? link.text("url")
      return expandedUrl ? [{ url: link.text("url"), expandedUrl }] : []
    }),
    website:
      bio.text("entities", "url", "urls", 0, "expanded_url") ??
      legacy.text("entities", "url", "urls", 0, "expanded_url") ??
      user.text("website", "url") ??
      legacy.text("url"),
    mediaCount: user.integer("tweet_counts", "media_tweets") ?? legacy.integer("media_count"),
    likesCount:
      user.integer("action_counts", "favorites_count") ?? legacy.integer("favourites_count"),
    listedCount: legacy.integer("listed_count"),
    isVerified: user.flag("verification", "verified") ?? legacy.flag("verified"),
    verifiedSince: isoFromUnix(user.value("verification_info", "reason", "verified_since_msec")),
    isProtected:
      user.flag("privacy", "protected") ??
      legacy.flag("protected") ??
      (user.has("legacy") ? false : null),
    bannerUrl: user.text("banner", "image_url") ?? legacy.text("profile_banner_url"),
    pinnedTweetIds: pinned,
    professionalType: user.text("professional", "professional_type"),
    category: user.text("professional", "category", 0, "name"),
    affiliation: label.has("description")
      ? {
          name: label.text("description"),
          url: label.text("url", "url"),
          badgeUrl: label.text("badge", "url"),
        }
      : null,
    canDm: user.flag("dm_permissions", "can_dm") ?? legacy.flag("can_dm"),
    possiblySensitive: user.flag("possibly_sensitive") ?? legacy.flag("possibly_sensitive"),
    isTranslatable: user.flag("is_profile_translatable"),
  }
}
