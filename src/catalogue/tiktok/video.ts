import { Type } from "@sinclair/typebox"
import { distinct, integerOrNull } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import { Changed, eachOf, field, having, record, required, sizeAt } from "../kit/index.ts"
import { tiktokSite } from "./tiktok.ts"

const media = {
  durationSeconds: field.number("video.duration", "Duration."),
  ...sizeAt("video.width", "video.height"),
  ratio: field.trimmed("video.ratio", "Size class, such as 720p."),
  definition: field.trimmed("video.definition", "Definition, such as 540p."),
  coverUrl: field.trimmed("video.cover", "Cover; signed, for a day only."),
  dynamicCoverUrl: field.trimmed("video.dynamicCover", "Moving cover."),
  playUrl: field.trimmed(
    "video.playAddr|video.bitrateInfo.0.PlayAddr.UrlList.0",
    "Video; requires the cookies of the response, valid for a day.",
  ),
  downloadUrl: field.trimmed("video.downloadAddr", "Video with the network's mark."),
  formats: field.objects("video.bitrateInfo", "Qualities.", {
    bitrate: field.integer("Bitrate", "Bits a second."),
    codec: field.trimmed("CodecType", "Codec."),
    quality: field.trimmed("GearName", "Name of the quality."),
    url: field.trimmed("PlayAddr.UrlList.0", "Video."),
    size: field.integer("PlayAddr.DataSize", "Bytes."),
    ...sizeAt("PlayAddr.Width", "PlayAddr.Height"),
  }),
  subtitles: field.objects("video.subtitleInfos", "Subtitles.", {
    language: field.trimmed("LanguageCodeName", "Language, such as eng-US."),
    format: field.trimmed("Format", "webvtt, as a rule."),
    url: field.trimmed("Url", "File."),
    source: field.trimmed("Source", "ASR (heard) or MT (translated by machine)."),
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
    isOriginal: field.boolean("original", "The sound is the author's own."),
    durationSeconds: field.number("duration", "Duration."),
    url: field.trimmed("playUrl", "Sound file."),
    coverUrl: field.trimmed("coverLarge", "Cover."),
  }),
}

/** What the network calls an `itemStruct`. */
const facts = record({
  description: field.trimmed(descriptionOf, "Text."),
  createdAt: field.unixTime("createTime", "When it was posted (ISO 8601, UTC)."),
  // The author is an object, or a name next to the other fields.
  author: required(
    field.object((video: unknown) => video, "Submitter.", {
      id: field.trimmed("author.id|authorId", "Id."),
      secUid: field.trimmed("author.secUid|authorSecId", "Lasting id, for the site's own API."),
      username: field.trimmed("author.uniqueId|author", "Name, without @."),
      nickname: field.trimmed("author.nickname|nickname", "Name that is shown."),
      avatarUrl: field.trimmed(
        "author.avatarLarger|author.avatarThumb",
        "Image; signed, valid for days.",
      ),
      bio: field.trimmed("author.signature", "About text."),
      isVerified: field.boolean("author.verified", "Verified."),
      isPrivate: field.boolean("author.privateAccount", "Only followers see the posts."),
    }),
  ),
  authorStats: required(
    field.object((video: unknown) => video, "Counts of the author.", {
      followersCount: ofAuthor("followerCount", "Followers."),
      likesCount: ofAuthor("heartCount", "Likes of all videos."),
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
    "Names mentioned, without @.",
  ),
  location: field.object(having("poi", "name"), "Place that the author named.", {
    id: field.trimmed("id", "Id."),
    name: field.trimmed("name", "Name."),
    address: field.trimmed("address", "Postal address."),
    city: field.trimmed("city", "City."),
    country: field.trimmed("country", "Country."),
  }),
  locationCreated: field.trimmed("locationCreated", "Country of origin, as two letters."),
  isAd: field.boolean("isAd", "An advertisement."),
  isPinned: field.boolean("isPinnedItem", "Pinned to the top of the profile."),
  isAiGenerated: field.boolean("IsAigc", "Marked as made by AI."),
  duetEnabled: field.boolean(zeroIsYes("duetDisplay"), "Duets are allowed."),
  stitchEnabled: field.boolean(zeroIsYes("stitchDisplay"), "Stitches are allowed."),
  commentsEnabled: field.boolean(zeroIsYes("itemCommentStatus"), "Comments are open."),
  language: field.trimmed("textLanguage", "Language of the text."),
  labels: field.texts("diversificationLabels", "Topics that the network sees in it."),
  suggestedWords: field.texts("suggestedWords", "Searches that the network proposes with it."),
})

/** A video as every scraper of TikTok gives it; photo posts have `images` in its place. */
export const tiktokVideoFields = {
  type: Type.Union([Type.Literal("video"), Type.Literal("photo")], {
    description: "video, or photo for a post of images.",
  }),
  input: Type.String({ description: "The input as it was written." }),
  id: Type.String({ description: "Id." }),
  url: Type.String({ description: "Its public page." }),
  ...facts.fields,
}

/** @throws Changed when the video has no id */
export function tiktokVideo(video: JsonReader, target: string) {
  const id = video.text("id")
  if (!id) throw new Changed("TikTok's answer holds a video without id.")
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

/** There are two objects of counts; the newer ones are not rounded. */
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

/** The parts of a long text keep their line breaks; the whole has lost them. */
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
