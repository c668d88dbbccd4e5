import { Type } from "@sinclair/typebox"
import { distinct, integerOrNull } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import { Changed, eachOf, field, having, items, record, required, sizeAt } from "../kit/index.ts"
import { tiktokSite } from "./tiktok.ts"

/** TikTok has two objects of counts; the newer one is not rounded. */
const counted = (key: string, description: string) =>
  field.integer(`statsV2.${key}|stats.${key}`, description)

const ofAuthor = (key: string, description: string) =>
  field.integer(`authorStatsV2.${key}|authorStats.${key}`, description)

const zeroIsYes = (key: string) => (video: unknown) => {
  const value = integerOrNull(at(video, key))
  return value === null ? null : value === 0
}

/** Fields of a video, which TikTok calls an `itemStruct`. */
const facts = record({
  description: field.trimmed(descriptionOf, "Text of the post."),
  createdAt: field.unixTime("createTime", "Time of the post (ISO 8601, UTC)."),
  // The author is an object, or a username in addition to other fields.
  author: required(
    field.object((video: unknown) => video, "Author of the post.", {
      id: field.trimmed("author.id|authorId", "ID of the author."),
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
      bio: field.trimmed("author.signature", "About text of the author."),
      isVerified: field.boolean("author.verified", "Whether TikTok has verified the author."),
      isPrivate: field.boolean(
        "author.privateAccount",
        "Whether only followers can see the posts.",
      ),
    }),
  ),
  authorStats: required(
    field.object((video: unknown) => video, "Counts of the author's account.", {
      followersCount: ofAuthor("followerCount", "Number of followers."),
      likesCount: ofAuthor("heartCount", "Total likes of all videos."),
      videosCount: ofAuthor("videoCount", "Number of videos."),
      followingCount: ofAuthor("followingCount", "Number of accounts followed."),
    }),
  ),
  playsCount: counted("playCount", "Number of plays."),
  likesCount: counted("diggCount", "Number of likes."),
  commentsCount: counted("commentCount", "Number of comments."),
  sharesCount: counted("shareCount", "Number of shares."),
  savesCount: counted("collectCount", "Number of times that users saved the post."),
  repostsCount: counted("repostCount", "Number of reposts."),
  durationSeconds: field.number("video.duration", "Length of the video, in seconds."),
  ...sizeAt("video.width", "video.height"),
  ratio: field.trimmed("video.ratio", "Size class, for example 720p."),
  definition: field.trimmed("video.definition", "Definition, for example 540p."),
  coverUrl: field.trimmed("video.cover", "URL of the cover; signed, valid for a day."),
  dynamicCoverUrl: field.trimmed("video.dynamicCover", "URL of the animated cover."),
  playUrl: field.trimmed(
    "video.playAddr|video.bitrateInfo.0.PlayAddr.UrlList.0",
    "URL of the video file; valid for a day, and only with the cookies of the response.",
  ),
  downloadUrl: field.trimmed(
    "video.downloadAddr",
    "URL of the video file with TikTok's watermark.",
  ),
  formats: field.objects("video.bitrateInfo", "Available qualities of the video.", {
    bitrate: field.integer("Bitrate", "Bit rate in bits per second."),
    codec: field.trimmed("CodecType", "Codec, for example h264."),
    quality: field.trimmed("GearName", "Name of the quality, for example normal_540_0."),
    url: field.trimmed("PlayAddr.UrlList.0", "URL of the video file."),
    size: field.integer("PlayAddr.DataSize", "Size of the file, in bytes."),
    ...sizeAt("PlayAddr.Width", "PlayAddr.Height"),
  }),
  subtitles: field.objects("video.subtitleInfos", "Subtitles of the video.", {
    language: field.trimmed("LanguageCodeName", "Language code, for example eng-US."),
    format: field.trimmed("Format", "Format of the subtitles, usually webvtt."),
    url: field.trimmed("Url", "URL of the subtitle file."),
    source: field.trimmed(
      "Source",
      "Origin of the subtitles: ASR (speech recognition) or MT (machine translation).",
    ),
  }),
  images: field.objects(imagesOf, "Images of a photo post.", {
    url: required(field.trimmed("imageURL.urlList.0", "URL of the image.")),
    ...sizeAt("imageWidth", "imageHeight"),
  }),
  music: field.object(having("music", "id", "title"), "Sound of the video.", {
    id: field.trimmed("id", "ID of the sound."),
    title: field.trimmed("title", "Title of the sound."),
    author: field.trimmed("authorName", "Artist of the sound."),
    album: field.trimmed("album", "Album of the sound."),
    isOriginal: field.boolean("original", "Whether the sound is the author's own."),
    durationSeconds: field.number("duration", "Length of the sound, in seconds."),
    url: field.trimmed("playUrl", "URL of the sound file."),
    coverUrl: field.trimmed("coverLarge", "URL of the sound's cover."),
  }),
  hashtags: field.objects(hashtagsOf, "Hashtags of the post.", {
    id: field.trimmed("id", "ID of the hashtag."),
    name: required(field.trimmed("name", "Name, without #.")),
  }),
  mentions: field.texts(
    (video) => distinct(eachOf("textExtra", "userUniqueId")(video)),
    "Usernames that the text mentions, without @.",
  ),
  location: field.object(having("poi", "name"), "Location that the author tagged.", {
    id: field.trimmed("id", "ID of the location."),
    name: field.trimmed("name", "Name of the location."),
    address: field.trimmed("address", "Postal address of the location."),
    city: field.trimmed("city", "City of the location."),
    country: field.trimmed("country", "Country of the location."),
  }),
  locationCreated: field.trimmed("locationCreated", "Country of origin as a two-letter code."),
  isAd: field.boolean("isAd", "Whether the post is an advertisement."),
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
  input: items.requiredText("Input as written."),
  id: items.requiredText("ID of the post."),
  url: items.requiredText("URL of the public page."),
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
