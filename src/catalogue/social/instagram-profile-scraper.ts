import { Type } from "@sinclair/typebox"
import { parseLoose } from "../../extract/embedded.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import {
  type InstagramProfile,
  instagramName,
  instagramPace,
  instagramProfile,
  instagramSite,
} from "./instagram.ts"
import { instagramPost, instagramPostFields } from "./instagram-post.ts"
import { distinctTargets, failsRun, recordFields } from "./social.ts"

/** Signed-out visitors are shown this many posts. */
const postsShown = 12

const post = itemObject({ ...recordFields("post"), ...instagramPostFields })

export default defineScraper({
  slug: "instagram-profile-scraper",
  name: "Instagram Profiles",
  tagline: "Instagram profile facts, counts, links and, if wanted, the latest posts.",
  category: "social",
  tier: "premium",
  input: inputObject({
    usernames: inputs.texts("Names, with or without @, or profile addresses.", { max: 200 }),
    includeRecentPosts: inputs.flag("Give up to 12 recent posts in each profile."),
  }),
  item: itemObject({
    ...recordFields("profile"),
    id: textField("Id."),
    username: Type.String({ description: "Name, as the network writes it." }),
    fullName: textField("Name that is shown."),
    biography: textField("About text."),
    bioLinks: Type.Array(
      itemObject({ title: textField("Title."), url: Type.String({ description: "Address." }) }),
      { description: "Links of the profile." },
    ),
    externalUrl: textField("First link."),
    followersCount: integerField("Followers."),
    followsCount: integerField("Profiles that it follows."),
    postsCount: integerField("Posts."),
    reelsCount: integerField("Videos of the old video tab."),
    highlightsCount: integerField("Story highlights."),
    isPrivate: booleanField("Only followers see the posts."),
    isVerified: booleanField("Verified."),
    isBusinessAccount: booleanField("A business account."),
    isProfessionalAccount: booleanField("A professional account."),
    isJoinedRecently: booleanField("A new account."),
    category: textField("Category that is shown."),
    businessEmail: textField("E-mail address."),
    businessPhone: textField("Telephone number."),
    businessAddress: nullable(
      itemObject(
        {
          city: textField("City."),
          street: textField("Street."),
          zip: textField("Postal code."),
          latitude: numberField("Degrees."),
          longitude: numberField("Degrees."),
        },
        { description: "Address." },
      ),
    ),
    pronouns: textsField("Pronouns."),
    profilePicUrl: textField("Picture; signed, for days only."),
    profilePicUrlHd: textField("Larger picture; signed, for days only."),
    highlights: Type.Array(
      itemObject({
        id: textField("Id."),
        title: textField("Title."),
        coverUrl: textField("Cover."),
      }),
      { description: "Story highlights." },
    ),
    fbid: textField("Id at Facebook."),
    threadsHandle: textField("Name at Threads."),
    relatedProfiles: Type.Array(
      itemObject({
        username: textField("Name."),
        fullName: textField("Name that is shown."),
        isVerified: booleanField("Verified."),
      }),
      { description: "Profiles that the network proposes beside it." },
    ),
    recentPosts: nullable(
      Type.Array(post, { description: "Recent posts; null when not asked for or not shown." }),
    ),
    source: Type.String({ description: "What told it: api, page, or meta (the page's head)." }),
  }),
  example: { usernames: ["instagram"] },
  pace: instagramPace,
  access: ["http", "browser", "unlocker"],
  concurrency: 1,
  targets: ({ usernames }) => distinctTargets(usernames, instagramName),
  failsRun,

  async *scrape(target, ctx) {
    const name = instagramName(target)
    const profile = await instagramProfile(name, ctx)
    const facts = profileFacts(profile, name)
    yield {
      type: "profile" as const,
      input: target,
      ...facts,
      url: `${instagramSite}/${facts.username}/`,
      recentPosts: ctx.input.includeRecentPosts
        ? recentPosts(profile, target, facts.username, facts.isPrivate)
        : null,
      source: profile.source,
    }
  },
})

function recentPosts(
  { posts }: InstagramProfile,
  target: string,
  username: string,
  isPrivate: boolean | null,
) {
  if (isPrivate) return []
  if (!posts) return null
  return posts
    .slice(0, postsShown)
    .map((node) => ({ type: "post" as const, input: target, ...instagramPost(node, username) }))
}

function profileFacts(profile: InstagramProfile, name: string) {
  const facts = { ...unknownFacts, ...factsOf(profile) }
  return { ...facts, username: facts.username ?? name }
}

function factsOf({ source, user, head }: InstagramProfile) {
  if (source === "api") return apiFacts(user)
  if (source === "page") return pageFacts(user, head?.posts ?? null)
  return {
    id: head?.id ?? null,
    username: head?.username ?? null,
    fullName: head?.fullName ?? null,
    biography: head?.biography ?? null,
    followersCount: head?.followers ?? null,
    followsCount: head?.following ?? null,
    postsCount: head?.posts ?? null,
    profilePicUrl: head?.imageUrl ?? null,
  }
}

/** What a source does not tell. */
const unknownFacts = {
  id: null,
  username: null,
  fullName: null,
  biography: null,
  bioLinks: [],
  externalUrl: null,
  followersCount: null,
  followsCount: null,
  postsCount: null,
  reelsCount: null,
  highlightsCount: null,
  isPrivate: null,
  isVerified: null,
  isBusinessAccount: null,
  isProfessionalAccount: null,
  isJoinedRecently: null,
  category: null,
  businessEmail: null,
  businessPhone: null,
  businessAddress: null,
  pronouns: [],
  profilePicUrl: null,
  profilePicUrlHd: null,
  highlights: [],
  fbid: null,
  threadsHandle: null,
  relatedProfiles: [],
}

function commonFacts(user: JsonReader) {
  return {
    username: user.text("username"),
    fullName: user.text("full_name"),
    biography: user.text("biography"),
    bioLinks: linksOf(user),
    isPrivate: user.flag("is_private"),
    isVerified: user.flag("is_verified"),
    pronouns: user.texts("pronouns"),
    profilePicUrl: user.text("profile_pic_url"),
  }
}

function apiFacts(user: JsonReader) {
  const business = user.text("business_category_name")
  return {
    ...commonFacts(user),
    id: user.text("id"),
    externalUrl: user.text("external_url"),
    followersCount: user.integer("edge_followed_by", "count"),
    followsCount: user.integer("edge_follow", "count"),
    postsCount: user.integer("edge_owner_to_timeline_media", "count"),
    reelsCount: user.integer("edge_felix_video_timeline", "count"),
    highlightsCount: user.integer("highlight_reel_count"),
    isBusinessAccount: user.flag("is_business_account"),
    isProfessionalAccount: user.flag("is_professional_account"),
    isJoinedRecently: user.flag("is_joined_recently"),
    category: user.text("category_name") ?? (business === "None" ? null : business),
    businessEmail: user.text("business_email"),
    businessPhone: user.text("business_phone_number"),
    businessAddress: addressOf(user.text("business_address_json")),
    profilePicUrlHd: user.text("profile_pic_url_hd"),
    fbid: user.text("fbid"),
    relatedProfiles: user.list("edge_related_profiles", "edges").map((edge) => ({
      username: edge.text("node", "username"),
      fullName: edge.text("node", "full_name"),
      isVerified: edge.flag("node", "is_verified"),
    })),
  }
}

function pageFacts(user: JsonReader, postsInHead: number | null) {
  const highlights = user.list("lox_highlights_connection", "edges").map((edge) => ({
    id: edge.text("node", "id"),
    title: edge.text("node", "title"),
    coverUrl:
      edge.text("node", "cover_media", "cropped_image_version", "url") ??
      edge.text("node", "cover_media", "thumbnail_src"),
  }))
  return {
    ...commonFacts(user),
    id: user.text("pk"),
    externalUrl: user.text("external_url") ?? linksOf(user)[0]?.url ?? null,
    followersCount: user.integer("follower_count"),
    followsCount: user.integer("following_count"),
    postsCount: user.integer("all_media_count") ?? postsInHead,
    highlightsCount: user.has("lox_highlights_connection", "edges") ? highlights.length : null,
    category: user.text("category_name") ?? user.text("category"),
    highlights,
    fbid: user.text("id"),
    threadsHandle: user.text("text_post_app_badge_label"),
  }
}

const linksOf = (user: JsonReader) =>
  user.list("bio_links").flatMap((link) => {
    const url = link.text("url")
    return url ? [{ title: link.text("title"), url }] : []
  })

function addressOf(json: string | null) {
  if (!json) return null
  const address = new JsonReader(parseLoose(json))
  const parts = {
    city: address.text("city_name"),
    street: address.text("street_address"),
    zip: address.text("zip_code"),
    latitude: address.number("latitude"),
    longitude: address.number("longitude"),
  }
  return Object.values(parts).some((part) => part !== null) ? parts : null
}
