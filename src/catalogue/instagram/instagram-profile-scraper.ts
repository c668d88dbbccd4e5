import { Type } from "@sinclair/typebox"
import { at, JsonReader, parseLoose } from "../../extract/embedded/index.ts"
import {
  type Context,
  defineScraper,
  distinctTargets,
  field,
  inputs,
  itemObject,
  items,
  nullable,
  orNull,
  readRows,
  record,
  recordFields,
  required,
} from "../kit/index.ts"
import {
  type InstagramProfile,
  instagramName,
  instagramProfile,
  instagramScraper,
  instagramSite,
  type PageHead,
} from "./instagram.ts"
import { instagramPost, instagramPostFields } from "./post.ts"

/** Number of posts that signed-out visitors see. */
const postsVisible = 12

const post = itemObject({ ...recordFields("post"), ...instagramPostFields })

/** Source of a profile: the API, the page (`user` is one of both), or only the page's head. */
type Reported = { requested: string; head?: PageHead | null; postsInHead?: number | null } & {
  [part in "user" | "api" | "page"]?: unknown
}

const facts = record({
  id: field.trimmed("api.id|page.pk|head.id", "ID."),
  username: required(
    field.trimmed("user.username|head.username|requested", "Username, as the network writes it."),
  ),
  fullName: field.trimmed("user.full_name|head.fullName", "Display name."),
  biography: field.trimmed("user.biography|head.biography", "Text about the account."),
  bioLinks: field.objects(linksOf, "Links of the profile.", {
    title: field.trimmed("title", "Title."),
    url: required(field.trimmed("url", "URL of the link.")),
  }),
  externalUrl: field.trimmed(externalUrl, "URL of the first link."),
  followersCount: field.integer(
    "api.edge_followed_by.count|page.follower_count|head.followers",
    "Number of followers.",
  ),
  followingCount: field.integer(
    "api.edge_follow.count|page.following_count|head.following",
    "Number of profiles that this one follows.",
  ),
  postsCount: field.integer(
    "api.edge_owner_to_timeline_media.count|page.all_media_count|postsInHead|head.posts",
    "Number of posts.",
  ),
  reelsCount: field.integer(
    "api.edge_felix_video_timeline.count",
    "Number of videos in the old video tab.",
  ),
  highlightsCount: field.integer(highlightsCount, "Number of story highlights."),
  isPrivate: field.boolean("user.is_private", "Whether only followers see the posts."),
  isVerified: field.boolean("user.is_verified", "Whether the account is verified."),
  isBusinessAccount: field.boolean(
    "api.is_business_account",
    "Whether the account is a business account.",
  ),
  isProfessionalAccount: field.boolean(
    "api.is_professional_account",
    "Whether the account is a professional account.",
  ),
  isJoinedRecently: field.boolean("api.is_joined_recently", "Whether the account is new."),
  category: field.trimmed(
    "user.category_name|page.category|api.business_category_name",
    "Displayed category.",
    (name) => (name === "None" ? null : name),
  ),
  businessEmail: field.trimmed("api.business_email", "Email address."),
  businessPhone: field.trimmed("api.business_phone_number", "Phone number."),
  businessAddress: field.object(addressOf, "Postal address.", {
    city: field.trimmed("city_name", "City."),
    street: field.trimmed("street_address", "Street."),
    postalCode: field.trimmed("zip_code", "Postal code."),
    latitude: field.number("latitude", "Latitude in degrees."),
    longitude: field.number("longitude", "Longitude in degrees."),
  }),
  pronouns: field.texts("user.pronouns", "Pronouns."),
  avatarUrl: field.trimmed(
    "user.profile_pic_url|head.imageUrl",
    "URL of the image; signed, valid for days.",
  ),
  profilePicUrlHd: field.trimmed(
    "api.profile_pic_url_hd",
    "URL of a larger image; signed, valid for days.",
  ),
  highlights: field.objects("page.lox_highlights_connection.edges", "Story highlights.", {
    id: field.trimmed("node.id", "ID."),
    title: field.trimmed("node.title", "Title."),
    coverUrl: field.trimmed(
      "node.cover_media.cropped_image_version.url|node.cover_media.thumbnail_src",
      "URL of the cover image.",
    ),
  }),
  fbid: field.trimmed("api.fbid|page.id", "ID at Facebook."),
  threadsHandle: field.trimmed("page.text_post_app_badge_label", "Username at Threads."),
  relatedProfiles: field.objects(
    "api.edge_related_profiles.edges",
    "Profiles that the network suggests for this one.",
    {
      username: field.trimmed("node.username", "Username, without @."),
      fullName: field.trimmed("node.full_name", "Display name."),
      isVerified: field.boolean("node.is_verified", "Whether the account is verified."),
    },
  ),
})

export default defineScraper({
  slug: "instagram-profile-scraper",
  name: "Instagram Profiles",
  tagline: "Instagram profile facts, counts, links and, if requested, the latest posts.",
  notServed: ["followers list"],
  ...instagramScraper,
  input: {
    usernames: inputs.texts("Usernames, with or without @, or profile URLs.", { max: 200 }),
    includeRecentPosts: inputs.flag("Whether to include up to 12 recent posts of each profile."),
  },
  item: {
    ...recordFields("profile"),
    ...facts.fields,
    recentPosts: nullable(
      Type.Array(post, { description: "Recent posts; null unless requested and available." }),
    ),
    source: items.requiredText("Source of the item: api, page, or meta (the page's head)."),
  },
  example: { usernames: ["instagram"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].username equals "instagram"',
      "items[0].followersCount gte 500000000",
      '?items[0].source matches "api|page"',
      "?items[0].isVerified equals true",
      "?items[0].postsCount gte 5000",
    ],
  },
  targets: ({ usernames }) => distinctTargets(usernames, instagramName),

  async *scrape(target, ctx) {
    const name = instagramName(target)
    const profile = await instagramProfile(name, ctx)
    const read = facts.read(reportedOf(profile, name))
    yield {
      type: "profile" as const,
      input: target,
      ...read,
      url: `${instagramSite}/${read.username}/`,
      recentPosts: ctx.input.includeRecentPosts
        ? await recentPosts(profile, target, read.username, read.isPrivate, ctx)
        : null,
      source: profile.source,
    }
  },
})

async function recentPosts(
  { posts }: InstagramProfile,
  target: string,
  username: string,
  isPrivate: boolean | null,
  ctx: Context,
) {
  if (isPrivate) return []
  if (!posts) return null
  const read = (node: JsonReader) => ({
    type: "post" as const,
    input: target,
    ...instagramPost(node, username),
  })
  // Unreadable posts do not make the profile itself unreadable.
  const known = await orNull(ctx, `posts of ${username}`, () =>
    Array.fromAsync(readRows(posts, read, ctx)),
  )
  return known?.slice(0, postsVisible) ?? null
}

/** Only the number of posts is taken from the head: its other counts are outdated. */
function reportedOf({ source, isOfApi, user, head }: InstagramProfile, requested: string) {
  if (source === "meta") return { head, requested }
  const form = isOfApi ? "api" : "page"
  return { user: user.root, [form]: user.root, postsInHead: head?.posts, requested }
}

function linksOf({ user }: Reported): unknown[] {
  const links = new JsonReader(user).list("bio_links")
  return links.filter((link) => link.text("url")).map(({ root }) => root)
}

function externalUrl(reported: Reported): unknown {
  const stated = new JsonReader(reported.user).text("external_url")
  return stated ?? (reported.page === undefined ? null : at(linksOf(reported), 0, "url"))
}

function highlightsCount({ api, page }: Reported): unknown {
  const edges = at(page, "lox_highlights_connection", "edges")
  return Array.isArray(edges)
    ? edges.filter((edge) => at(edge, "node")).length
    : at(api, "highlight_reel_count")
}

const addressParts = ["city_name", "street_address", "zip_code", "latitude", "longitude"]

function addressOf({ api }: Reported): unknown {
  const json = new JsonReader(api).text("business_address_json")
  const address = new JsonReader(json && parseLoose(json))
  return addressParts.some((part) => address.text(part)) ? address.root : null
}
