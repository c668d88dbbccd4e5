import { Type } from "@sinclair/typebox"
import { distinct, integerOrNull } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import { Changed, eachOf, field, having, record, required, sizeAt } from "../kit/index.ts"
import { tiktokSite } from "./tiktok.ts"

const media = {
  durationSeconds: field.number("video.duration", "Duration."),
  ...sizeAt("video.width", "video.height"),
  ratio: field.trimmed("video.ratio", "Size class, for example 720p."),
  definition: field.trimmed("video.definition", "Definition, for example 540p."),
  coverUrl: field.trimmed("video.cover", "URL of the cover; signed, valid for a day."),
  dynamicCoverUrl: field.trimmed("video.dynamicCover", "Moving cover."),
  playUrl: field.trimmed(
    "video.playAddr|video.bitrateInfo.0.PlayAddr.UrlList.0",
    "URL of the video file; valid for a day, and only with the cookies of the response.",
  ),
  downloadUrl: field.trimmed(
    "video.downloadAddr",
    "URL of the video file with TikTok's watermark.",
  ),
  formats: field.objects("video.bitrateInfo", "Qualities.", {
    bitrate: field.integer("Bitrate", "Bits a second."),
    codec: field.trimmed("CodecType", "Codec."),
    quality: field.trimmed("GearName", "Name of the quality, for example normal_540_0."),
    url: field.trimmed("PlayAddr.UrlList.0", "Video."),
    size: field.integer("PlayAddr.DataSize", "Bytes."),
    ...sizeAt("PlayAddr.Width", "PlayAddr.Height"),
  }),
  subtitles: field.objects("video.subtitleInfos", "Subtitles.", {
    language: field.trimmed("LanguageCodeName", "Language code, for example eng-US."),
    format: field.trimmed("Format", "Format of the subtitles, usually webvtt."),
    url: field.trimmed("Url", "File."),
    source: field.trimmed(
      "Source",
      "Origin of the subtitles: ASR (speech recognition) or MT (machine translation).",
    ),
  }),
  images: field.objects(imagesOf, "Images of a photo post.", {
    url: required(field.trimmed("imageURL.urlList.0", "URL of the image.")),
    ...sizeAt("imageWidth", "imageHeight"),
  }),
  music: field.object(having("music", "id", "title"), "Sound.", {
    id: field.trimmed("id", "Id."),
    title: field.trimmed("title", "Title."),
    author: field.trimmed("authorName", "Artist."),
    album: field.trimmed("album", "Album."),
    isOriginal: field.boolean("original", "Whether the sound is the author's own."),
    durationSeconds: field.number("duration", "Duration."),
    url: field.trimmed("playUrl", "Sound file."),
    coverUrl: field.trimmed("coverLarge", "Cover."),
  }),
}

/** Fields of a video, which TikTok calls an `itemStruct`. */
const facts = record({
  description: field.trimmed(descriptionOf, "Text."),
  createdAt: field.unixTime("createTime", "Time of the post (ISO 8601, UTC)."),
  // The author is an object, or a username in addition to other fields.
  author: required(
    field.object((video: unknown) => video, "Submitter.", {
      id: field.trimmed("author.id|authorId", "Id."),
      secUid: field.trimmed(
        "author.secUid|authorSecId",
        "Permanent ID that TikTok's own API uses.",
      ),
      username: field.trimmed("author.uniqueId|author", "Name, without @."),
      nickname: field.trimmed("author.nickname|nickname", "Display name of the author."),
      avatarUrl: field.trimmed(
        "author.avatarLarger|author.avatarThumb",
        "URL of the image; signed, valid for days.",
      ),
      bio: field.trimmed("author.signature", "About text."),
      isVerified: field.boolean("author.verified", "Verified."),
      isPrivate: field.boolean(
        "author.privateAccount",
        "Whether only followers can see the posts.",
      ),
    }),
  ),
  authorStats: required(
    field.object((video: unknown) => video, "Counts of the author's account.", {
      followersCount: ofAuthor("followerCount", "Followers."),
      likesCount: ofAuthor("heartCount", "Total likes of all videos."),
      videosCount: ofAuthor("videoCount", "Videos."),
      followingCount: ofAuthor("followingCount", "Accounts followed."),
    }),
  ),
  playsCount: counted("playCount", "Plays."),
  likesCount: counted("diggCount", "Likes."),
  commentsCount: counted("commentCount", "Comments."),
  sharesCount: counted("shareCount", "Shares."),
  savesCount: counted("collectCount", "Times saved."),
  repostsCount: counted("repostCount", "Reposts."),
  ...media,
  hashtags: field.objects(hashtagsOf, "Hashtags.", {
    id: field.trimmed("id", "Id."),
    name: required(field.trimmed("name", "Name, without #.")),
  }),
  mentions: field.texts(
    (video) => distinct(eachOf("textExtra", "userUniqueId")(video)),
    "Usernames that the text mentions, without @.",
  ),
  location: field.object(having("poi", "name"), "Location that the author tagged.", {
    id: field.trimmed("id", "Id."),
    name: field.trimmed("name", "Name."),
    address: field.trimmed("address", "Postal address."),
    city: field.trimmed("city", "City."),
    country: field.trimmed("country", "Country."),
  }),
  locationCreated: field.trimmed("locationCreated", "Country of origin as a two-letter code."),
  isAd: field.boolean("isAd", "An advertisement."),
  isPinned: field.boolean("isPinnedItem", "Whether the video is pinned to the top of the profile."),
  isAiGenerated: field.boolean("IsAigc", "Whether the video is labelled as AI-generated."),
  duetEnabled: field.boolean(zeroIsYes("duetDisplay"), "Whether duets are allowed."),
  stitchEnabled: field.boolean(zeroIsYes("stitchDisplay"), "Whether stitches are allowed."),
  commentsEnabled: field.boolean(zeroIsYes("itemCommentStatus"), "Whether comments are open."),
  language: field.trimmed("textLanguage", "Language of the text."),
  labels: field.texts("diversificationLabels", "Topics that TikTok detects in the video."),
  suggestedWords: field.texts("suggestedWords", "Searches that TikTok suggests for the video."),
})

/** Fields of a video that all scrapers of TikTok share; photo posts have `images` instead. */
export const tiktokVideoFields = {
  type: Type.Union([Type.Literal("video"), Type.Literal("photo")], {
    description: "Kind of post: video, or photo for a post of images.",
  }),
  input: Type.String({ description: "Input as written." }),
  id: Type.String({ description: "Id." }),
  url: Type.String({ description: "URL of the public page." }),
  ...facts.fields,
}

/** @throws Changed if the video has no ID */
export function tiktokVideo(video: JsonReader, target: string) {
  const id = video.text("id")
  if (!id) throw new Changed("TikTok's response has a video without an ID.")
  const read = facts.read(video.root)
  return {
    type: video.has("imagePost") ? ("photo" as const) : ("video" as const),
    input: target,
    id,
    url: videoUrl(id, read.author.username),
    ...read,
  }
}

export const videoUrl = (id: string, username: string | null) =>
  `${tiktokSite}/@${username ?? "_"}/video/${id}`

/** TikTok has two objects of counts; the newer one is not rounded. */
function counted(key: string, description: string) {
  return field.integer(`statsV2.${key}|stats.${key}`, description)
}

function ofAuthor(key: string, description: string) {
  return field.integer(`authorStatsV2.${key}|authorStats.${key}`, description)
}

function zeroIsYes(key: string) {
  return (video: unknown) => {
    const value = integerOrNull(at(video, key))
    return value === null ? null : value === 0
  }
}

/**
 * Returns the description. The parts of a long text keep their line breaks, which the whole text
 * has lost.
 */
function descriptionOf(video: unknown): unknown {
  const parts = eachOf("contents", "desc")(video)
  return parts.length > 0 ? parts.join("\n") : at(video, "desc")
}

function imagesOf(video: unknown): unknown[] {
  const images = new JsonReader(video).list("imagePost", "images")
  return images.filter((image) => image.text("imageURL", "urlList", 0)).map(({ root }) => root)
}

function hashtagsOf(video: unknown) {
  const named = new JsonReader(video)
    .list("challenges")
    .map((tag) => ({ id: tag.text("id"), name: tag.text("title") }))
    .filter(({ name }) => name)
  if (named.length > 0) return named
  return distinct(eachOf("textExtra", "hashtagName")(video)).map((name) => ({ id: null, name }))
}
