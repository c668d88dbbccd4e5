import { integerOrNull } from "../../extract/core/index.ts"
import { at, JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  distinctTargets,
  field,
  inputs,
  items,
  NotFound,
  nullable,
  record,
  recordFields,
} from "../kit/index.ts"
import { recentVideos } from "./recent.ts"
import {
  isShortLink,
  orEmbedded,
  resolveShortLink,
  stateRefusal,
  tiktokScraper,
  tiktokSite,
  tiktokState,
} from "./tiktok.ts"
import { tiktokVideoFields } from "./video.ts"

/** Returns a count; null if a rounded count has overflowed to a negative number. */
const count = (key: string) => (info: unknown) => {
  const counts = ["statsV2", "stats"].map((stats) => integerOrNull(at(info, stats, key)))
  return counts.find((count) => count !== null && count >= 0)
}

const roomOf = (info: unknown): string | null => new JsonReader(info).text("user", "roomId")

/** Returns a time; null for 0, which means never. */
const since = (key: string) => (info: unknown) => integerOrNull(at(info, "user", key)) || null

const facts = record({
  nickname: field.trimmed("user.nickname", "Display name of the profile."),
  bio: field.trimmed("user.signature", "About text of the profile."),
  bioLink: field.trimmed("user.bioLink.link", "URL that the profile links to."),
  avatarUrl: field.trimmed(
    "user.avatarLarger|user.avatarMedium|user.avatarThumb",
    "URL of the image; signed, valid for days.",
  ),
  isVerified: field.boolean("user.verified", "Whether TikTok has verified the profile."),
  isPrivate: field.boolean("user.privateAccount", "Whether only followers can see the videos."),
  isOrganization: field.boolean(isOrganization, "Whether the profile belongs to an organisation."),
  isCommerce: field.boolean(
    "user.commerceUserInfo.commerceUser",
    "Whether the profile is a business account.",
  ),
  category: field.trimmed("user.commerceUserInfo.category", "Business category of the account."),
  followersCount: field.integer(count("followerCount"), "Number of followers."),
  followingCount: field.integer(count("followingCount"), "Number of accounts followed."),
  likesCount: field.integer(count("heartCount"), "Total likes of all videos."),
  videosCount: field.integer(count("videoCount"), "Number of videos."),
  friendsCount: field.integer(count("friendCount"), "Number of friends."),
  diggCount: field.integer(count("diggCount"), "Number of videos that the profile liked."),
  createdAt: field.unixTime(since("createTime"), "Time of the account's creation (ISO 8601, UTC)."),
  nicknameModifiedAt: field.unixTime(
    since("nickNameModifyTime"),
    "Time of the last change of the display name.",
  ),
  usernameModifiedAt: field.unixTime(
    since("uniqueIdModifyTime"),
    "Time of the last change of the username.",
  ),
  language: field.trimmed("user.language", "Language code of the profile."),
  region: field.trimmed("user.region", "Region code of the profile."),
  isSeller: field.boolean("user.ttSeller", "Whether the profile sells in TikTok Shop."),
  isLive: field.flag((info) => roomOf(info) !== null, "Whether the profile is live now."),
  roomId: field.text(roomOf, "ID of the live room."),
})

export default defineScraper({
  slug: "tiktok-profile-scraper",
  name: "TikTok Profiles",
  tagline: "TikTok profile facts with exact counts and, if wanted, recent videos.",
  notServed: ["comments"],
  ...tiktokScraper,
  input: {
    usernames: inputs.texts(
      "Usernames, for example tiktok or @tiktok, profile URLs, or short links.",
      { max: 200 },
    ),
    includeRecentVideos: inputs.flag("Whether to include up to 15 recent videos."),
  },
  item: {
    ...recordFields("profile"),
    id: items.requiredText("ID of the profile."),
    secUid: items.text("Permanent ID that TikTok's own API uses."),
    username: items.requiredText("Name, without @."),
    ...facts.fields,
    recentVideos: nullable(
      items.objects("Recent videos; null unless requested and available.", tiktokVideoFields),
    ),
    recentVideosError: items.text("Reason for missing recent videos; null if there is none."),
  },
  example: { usernames: ["tiktok"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].username equals "tiktok"',
      'items[0].id matches "^\\\\d{10,}$"',
      "items[0].followersCount gte 50000000",
      "items[0].isVerified equals true",
      '?items[0].secUid matches "^MS4w"',
    ],
  },
  targets: ({ usernames }) =>
    distinctTargets(usernames, (target) => (isShortLink(target) ? target : nameOf(target))),

  async *scrape(target, ctx) {
    const name = nameOf(isShortLink(target) ? await resolveShortLink(target, ctx) : target)
    const info = await orEmbedded(
      ctx,
      "the embedded profile",
      () => userInfo(name, ctx),
      (ctx) => embeddedProfile(name, ctx),
    )
    const profile = described(info)
    const recent =
      ctx.input.includeRecentVideos && !profile.isPrivate
        ? await recentVideos(profile, target, ctx)
        : { videos: ctx.input.includeRecentVideos ? [] : null, error: null }
    yield {
      type: "profile" as const,
      input: target,
      ...profile,
      recentVideos: recent.videos,
      recentVideosError: recent.error,
    }
  },
})

function nameOf(target: string): string {
  const text = target.trim()
  const url = /^(?:https?:\/\/)?(?:www\.|m\.)?tiktok\.com\/@([^/?#]+)/i.exec(text)
  const name = (url?.[1] ?? text.replace(/^@/, "")).toLowerCase()
  if (/^[\w.]{2,24}$/.test(name)) return name
  throw new BadInput(`"${target}" is not a TikTok profile. Write its username or URL.`)
}

async function userInfo(name: string, ctx: Context): Promise<JsonReader> {
  const page = await tiktokState(`/@${name}`, "webapp.user-detail", ctx, (state) => {
    const user = state.value("UserModule", "users", name)
    return user && { userInfo: { user, stats: state.value("UserModule", "stats", name) } }
  })
  const info = page.state.in("userInfo")
  if (info.has("user", "id")) return info
  throw stateRefusal(page) ?? new NotFound("No such user on TikTok.", { url: page.response.url })
}

async function embeddedProfile(name: string, ctx: Context): Promise<JsonReader> {
  const path = `/embed/@${name}`
  const script = "script#__FRONTITY_CONNECT_STATE__"
  const response = await ctx.page(`${tiktokSite}${path}`, { has: script, retries: 0 })
  const state = new JsonReader(scriptJson(response.document, script))
  const user = state.in("source", "data", path, "userInfo")
  if (!user.has("id") || !user.has("uniqueId"))
    throw response.explainMissing("the embedded profile")
  const avatarLarger = user.text("avatarThumbUrl") ?? user.text("avatarLarger")
  return new JsonReader({ user: { ...(user.root as object), avatarLarger }, stats: user.root })
}

function described(info: JsonReader) {
  const username = info.text("user", "uniqueId") ?? ""
  return {
    id: info.text("user", "id") ?? "",
    secUid: info.text("user", "secUid"),
    username,
    url: `${tiktokSite}/@${username}`,
    ...facts.read(info.root),
  }
}

function isOrganization(info: unknown): boolean | null {
  const stated = at(info, "user", "isOrganization")
  return stated === undefined ? null : Boolean(stated)
}
