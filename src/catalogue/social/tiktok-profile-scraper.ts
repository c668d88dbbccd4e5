import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { scriptJson } from "../../extract/embedded.ts"
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
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Blocked, NotFound } from "../outcome.ts"
import { distinctTargets, failsRun, nextWay, recordFields } from "./social.ts"
import {
  isShortLink,
  resolveShortLink,
  tiktokPace,
  tiktokRefusal,
  tiktokSite,
  tiktokState,
} from "./tiktok.ts"
import { recentVideos } from "./tiktok-recent.ts"
import { tiktokVideoFields } from "./tiktok-video.ts"

export default defineScraper({
  slug: "tiktok-profile-scraper",
  name: "TikTok Profiles",
  tagline: "TikTok profile facts with exact counts and, if wanted, recent videos.",
  category: "social",
  tier: "premium",
  input: inputObject({
    usernames: inputs.texts("Names, with or without @, profile addresses, or short links.", {
      max: 200,
    }),
    includeRecentVideos: inputs.flag("Give up to 15 recent videos."),
  }),
  item: itemObject({
    ...recordFields("profile"),
    id: Type.String({ description: "Id." }),
    secUid: textField("Lasting id, for the site's own API."),
    username: Type.String({ description: "Name, without @." }),
    nickname: textField("Name that is shown."),
    bio: textField("About text."),
    bioLink: textField("Link of the profile."),
    avatarUrl: textField("Picture; signed, for days only."),
    isVerified: booleanField("Verified."),
    isPrivate: booleanField("Only followers see the videos."),
    isOrganization: booleanField("An organization."),
    isCommerce: booleanField("A business account."),
    category: textField("Category of the business."),
    followersCount: integerField("Followers."),
    followingCount: integerField("Accounts followed."),
    likesCount: integerField("Likes of all videos."),
    videosCount: integerField("Videos."),
    friendsCount: integerField("Friends."),
    diggCount: integerField("Videos that it liked."),
    createdAt: textField("When the account was made (ISO 8601, UTC)."),
    nicknameModifiedAt: textField("When the shown name was last changed."),
    usernameModifiedAt: textField("When the name was last changed."),
    language: textField("Language."),
    region: textField("Region."),
    isSeller: booleanField("Sells in the network's shop."),
    isLive: Type.Boolean({ description: "Live at this moment." }),
    roomId: textField("Id of the live room."),
    recentVideos: nullable(
      Type.Array(itemObject(tiktokVideoFields), {
        description: "Recent videos; null when not asked for or refused.",
      }),
    ),
    recentVideosError: textField("Why there are no recent videos."),
  }),
  example: { usernames: ["tiktok"] },
  pace: tiktokPace,
  access: ["http", "unlocker"],
  concurrency: 1,
  targets: ({ usernames }) =>
    distinctTargets(usernames, (target) => (isShortLink(target) ? target : nameOf(target))),
  failsRun,

  async *scrape(target, ctx) {
    const name = nameOf(isShortLink(target) ? await resolveShortLink(target, ctx) : target)
    const profile = described(await userInfo(name, ctx))
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

/** @throws BadInput */
function nameOf(target: string): string {
  const text = target.trim()
  const address = /^(?:https?:\/\/)?(?:www\.|m\.)?tiktok\.com\/@([^/?#]+)/i.exec(text)
  const name = (address?.[1] ?? text.replace(/^@/, "")).toLowerCase()
  if (/^[\w.]{2,24}$/.test(name)) return name
  throw new BadInput(`"${target}" is not a TikTok profile; write its name or address.`)
}

/** The profile's page; where it is refused, what other sites embed of it. */
async function userInfo(name: string, ctx: Context): Promise<JsonReader> {
  try {
    const page = await tiktokState(`/@${name}`, "webapp.user-detail", ctx, (state) => {
      const user = state.value("UserModule", "users", name)
      return user && { userInfo: { user, stats: state.value("UserModule", "stats", name) } }
    })
    const info = page.state.in("userInfo")
    if (info.has("user", "id")) return info
    throw (
      tiktokRefusal(page) ??
      new NotFound("TikTok shows no user by this name.", { url: page.answer.url })
    )
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    return nextWay(ctx, error, "the embedded profile", () => embeddedProfile(name, ctx))
  }
}

async function embeddedProfile(name: string, ctx: Context): Promise<JsonReader> {
  const path = `/embed/@${name}`
  const answer = await ctx.html(`${tiktokSite}${path}`, { identity: "browser", retries: 0 })
  const state = new JsonReader(scriptJson(answer.document, "script#__FRONTITY_CONNECT_STATE__"))
  const user = state.in("source", "data", path, "userInfo")
  if (!user.has("id") || !user.has("uniqueId")) throw answer.lacks("the embedded profile")
  const avatarLarger = user.text("avatarThumbUrl") ?? user.text("avatarLarger")
  return new JsonReader({ user: { ...(user.root as object), avatarLarger }, stats: user.root })
}

function described(info: JsonReader) {
  const user = info.in("user")
  const username = user.text("uniqueId") ?? ""
  // Rounded counts may have run over into the negative.
  const count = (key: string) =>
    [info.integer("statsV2", key), info.integer("stats", key)].find(
      (one) => one !== null && one >= 0,
    ) ?? null
  const organization = user.value("isOrganization")
  const roomId = user.text("roomId")
  return {
    id: user.text("id") ?? "",
    secUid: user.text("secUid"),
    username,
    url: `${tiktokSite}/@${username}`,
    nickname: user.text("nickname"),
    bio: user.text("signature"),
    bioLink: user.text("bioLink", "link"),
    avatarUrl: user.text("avatarLarger") ?? user.text("avatarMedium") ?? user.text("avatarThumb"),
    isVerified: user.flag("verified"),
    isPrivate: user.flag("privateAccount"),
    isOrganization: organization === undefined ? null : Boolean(organization),
    isCommerce: user.flag("commerceUserInfo", "commerceUser"),
    category: user.text("commerceUserInfo", "category"),
    followersCount: count("followerCount"),
    followingCount: count("followingCount"),
    likesCount: count("heartCount"),
    videosCount: count("videoCount"),
    friendsCount: count("friendCount"),
    diggCount: count("diggCount"),
    createdAt: timeOrNull(user.integer("createTime")),
    nicknameModifiedAt: timeOrNull(user.integer("nickNameModifyTime")),
    usernameModifiedAt: timeOrNull(user.integer("uniqueIdModifyTime")),
    language: user.text("language"),
    region: user.text("region"),
    isSeller: user.flag("ttSeller"),
    isLive: roomId !== null,
    roomId,
  }
}

/** 0 stands for never. */
const timeOrNull = (seconds: number | null) => (seconds ? isoFromUnix(seconds) : null)
