import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { distinct } from "../../extract/text.ts"
import {
  booleanField,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { Changed } from "../outcome.ts"
import { pictureItem, sizeFields } from "./social.ts"
import { tiktokSite } from "./tiktok.ts"

/** A video as every scraper of TikTok gives it; photo posts have `images` in its place. */
export const tiktokVideoFields = {
  type: Type.Union([Type.Literal("video"), Type.Literal("photo")], {
    description: "video, or photo for a post of pictures.",
  }),
  input: Type.String({ description: "The input as it was written." }),
  id: Type.String({ description: "Id." }),
  url: Type.String({ description: "Its public page." }),
  description: textField("Text."),
  createdAt: textField("When it was posted (ISO 8601, UTC)."),
  author: itemObject(
    {
      id: textField("Id."),
      secUid: textField("Lasting id, for the site's own API."),
      username: textField("Name, without @."),
      nickname: textField("Name that is shown."),
      avatarUrl: textField("Picture; signed, for days only."),
      bio: textField("About text."),
      isVerified: booleanField("Verified."),
      isPrivate: booleanField("Only followers see the posts."),
    },
    { description: "Who posted it." },
  ),
  authorStats: itemObject(
    {
      followersCount: integerField("Followers."),
      likesCount: integerField("Likes of all videos."),
      videosCount: integerField("Videos."),
      followingCount: integerField("Accounts followed."),
    },
    { description: "Counts of the author." },
  ),
  playCount: integerField("Plays."),
  likeCount: integerField("Likes."),
  commentCount: integerField("Comments."),
  shareCount: integerField("Shares."),
  saveCount: integerField("Times saved."),
  repostCount: integerField("Reposts."),
  durationSeconds: numberField("Duration."),
  ...sizeFields,
  ratio: textField("Size class, such as 720p."),
  definition: textField("Definition, such as 540p."),
  coverUrl: textField("Cover; signed, for a day only."),
  dynamicCoverUrl: textField("Moving cover."),
  playUrl: textField("Video; needs the cookies of the answer, for a day only."),
  downloadUrl: textField("Video with the network's mark."),
  formats: Type.Array(
    itemObject({
      bitrate: integerField("Bits a second."),
      codec: textField("Codec."),
      quality: textField("Name of the quality."),
      url: textField("Video."),
      size: integerField("Bytes."),
      ...sizeFields,
    }),
    { description: "Qualities." },
  ),
  subtitles: Type.Array(
    itemObject({
      language: textField("Language, such as eng-US."),
      format: textField("webvtt, as a rule."),
      url: textField("File."),
      source: textField("ASR (heard) or MT (translated by machine)."),
    }),
    { description: "Subtitles." },
  ),
  images: Type.Array(pictureItem, { description: "Pictures of a photo post." }),
  music: nullable(
    itemObject(
      {
        id: textField("Id."),
        title: textField("Title."),
        author: textField("Artist."),
        album: textField("Album."),
        isOriginal: booleanField("The sound is the author's own."),
        durationSeconds: numberField("Duration."),
        url: textField("Sound file."),
        coverUrl: textField("Cover."),
      },
      { description: "Sound." },
    ),
  ),
  hashtags: Type.Array(
    itemObject({ id: textField("Id."), name: Type.String({ description: "Name, without #." }) }),
    { description: "Hashtags." },
  ),
  mentions: textsField("Names mentioned, without @."),
  location: nullable(
    itemObject(
      {
        id: textField("Id."),
        name: textField("Name."),
        address: textField("Address."),
        city: textField("City."),
        country: textField("Country."),
      },
      { description: "Place that the author named." },
    ),
  ),
  locationCreated: textField("Country where it was made, by two letters."),
  isAd: booleanField("An advertisement."),
  isPinned: booleanField("Pinned to the top of the profile."),
  isAiGenerated: booleanField("Marked as made by AI."),
  duetEnabled: booleanField("Duets are allowed."),
  stitchEnabled: booleanField("Stitches are allowed."),
  commentsEnabled: booleanField("Comments are open."),
  language: textField("Language of the text."),
  labels: textsField("Topics that the network sees in it."),
  suggestedWords: textsField("Searches that the network proposes with it."),
}

/** The item of an `itemStruct`. @throws Changed when it has no id */
export function tiktokVideo(video: JsonReader, target: string) {
  const id = video.text("id")
  if (!id) throw new Changed("TikTok's answer holds a video without id.")
  const username = video.text("author", "uniqueId") ?? video.text("author")
  const count = (key: string) => video.integer("statsV2", key) ?? video.integer("stats", key)
  const isPhoto = video.has("imagePost")
  return {
    type: isPhoto ? ("photo" as const) : ("video" as const),
    input: target,
    id,
    url: videoUrl(id, username),
    description: descriptionOf(video),
    createdAt: isoFromUnix(video.value("createTime")),
    author: {
      id: video.text("author", "id") ?? video.text("authorId"),
      secUid: video.text("author", "secUid") ?? video.text("authorSecId"),
      username,
      nickname: video.text("author", "nickname") ?? video.text("nickname"),
      avatarUrl: video.text("author", "avatarLarger") ?? video.text("author", "avatarThumb"),
      bio: video.text("author", "signature"),
      isVerified: video.flag("author", "verified"),
      isPrivate: video.flag("author", "privateAccount"),
    },
    authorStats: authorStats(video),
    playCount: count("playCount"),
    likeCount: count("diggCount"),
    commentCount: count("commentCount"),
    shareCount: count("shareCount"),
    saveCount: count("collectCount"),
    repostCount: count("repostCount"),
    ...mediaFields(video.in("video")),
    images: video.list("imagePost", "images").flatMap(pictureOf),
    music: musicOf(video.in("music")),
    hashtags: hashtagsOf(video),
    mentions: distinct(
      video.list("textExtra").flatMap((extra) => extra.text("userUniqueId") ?? []),
    ),
    location: placeOf(video.in("poi")),
    locationCreated: video.text("locationCreated"),
    isAd: video.flag("isAd"),
    isPinned: video.flag("isPinnedItem"),
    isAiGenerated: video.flag("IsAigc"),
    duetEnabled: zeroIsYes(video.integer("duetDisplay")),
    stitchEnabled: zeroIsYes(video.integer("stitchDisplay")),
    commentsEnabled: zeroIsYes(video.integer("itemCommentStatus")),
    language: video.text("textLanguage"),
    labels: video.texts("diversificationLabels"),
    suggestedWords: video.texts("suggestedWords"),
  }
}

export const videoUrl = (id: string, username: string | null) =>
  `${tiktokSite}/@${username ?? "_"}/video/${id}`

const zeroIsYes = (value: number | null) => (value === null ? null : value === 0)

/** The parts of a long text keep their line breaks; the whole has lost them. */
function descriptionOf(video: JsonReader): string | null {
  const parts = video.list("contents").flatMap((part) => part.text("desc") ?? [])
  return parts.length > 0 ? parts.join("\n") : video.text("desc")
}

function authorStats(video: JsonReader) {
  const count = (key: string) =>
    video.integer("authorStatsV2", key) ?? video.integer("authorStats", key)
  return {
    followersCount: count("followerCount"),
    likesCount: count("heartCount"),
    videosCount: count("videoCount"),
    followingCount: count("followingCount"),
  }
}

function mediaFields(media: JsonReader) {
  const formats = media.list("bitrateInfo").map((format) => ({
    bitrate: format.integer("Bitrate"),
    codec: format.text("CodecType"),
    quality: format.text("GearName"),
    url: format.text("PlayAddr", "UrlList", 0),
    size: format.integer("PlayAddr", "DataSize"),
    width: format.integer("PlayAddr", "Width"),
    height: format.integer("PlayAddr", "Height"),
  }))
  return {
    durationSeconds: media.number("duration"),
    width: media.integer("width"),
    height: media.integer("height"),
    ratio: media.text("ratio"),
    definition: media.text("definition"),
    coverUrl: media.text("cover"),
    dynamicCoverUrl: media.text("dynamicCover"),
    playUrl: media.text("playAddr") ?? formats[0]?.url ?? null,
    downloadUrl: media.text("downloadAddr"),
    formats,
    subtitles: media.list("subtitleInfos").map((subtitle) => ({
      language: subtitle.text("LanguageCodeName"),
      format: subtitle.text("Format"),
      url: subtitle.text("Url"),
      source: subtitle.text("Source"),
    })),
  }
}

function pictureOf(image: JsonReader) {
  const url = image.text("imageURL", "urlList", 0)
  if (!url) return []
  return [{ url, width: image.integer("imageWidth"), height: image.integer("imageHeight") }]
}

function musicOf(music: JsonReader) {
  if (!music.has("id") && !music.has("title")) return null
  return {
    id: music.text("id"),
    title: music.text("title"),
    author: music.text("authorName"),
    album: music.text("album"),
    isOriginal: music.flag("original"),
    durationSeconds: music.number("duration"),
    url: music.text("playUrl"),
    coverUrl: music.text("coverLarge"),
  }
}

function hashtagsOf(video: JsonReader) {
  const named = video.list("challenges").flatMap((tag) => {
    const name = tag.text("title")
    return name ? [{ id: tag.text("id"), name }] : []
  })
  if (named.length > 0) return named
  const names = video.list("textExtra").flatMap((extra) => extra.text("hashtagName") ?? [])
  return distinct(names).map((name) => ({ id: null, name }))
}

function placeOf(place: JsonReader) {
  if (!place.has("name")) return null
  return {
    id: place.text("id"),
    name: place.text("name"),
    address: place.text("address"),
    city: place.text("city"),
    country: place.text("country"),
  }
}
