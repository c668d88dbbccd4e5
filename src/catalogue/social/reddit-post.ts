import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { absoluteUrl } from "../../extract/html.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { textOrNull } from "../../extract/text.ts"
import {
  booleanField,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
} from "../fields.ts"
import { Changed } from "../outcome.ts"
import { sizeFields } from "./social.ts"

const site = "https://www.reddit.com"

/** A post as every scraper of Reddit gives it, beside its `input` or `query`. */
export const redditPostFields = {
  id: Type.String({ description: "Short id." }),
  fullName: Type.String({ description: "Id with its kind, t3_…." }),
  subreddit: textField("Community, without r/."),
  subredditId: textField("Id of the community, t5_…."),
  title: Type.String({ description: "Title." }),
  author: textField("Author's name; null when deleted."),
  authorId: textField("Author's id, t2_…."),
  url: Type.String({ description: "The post's own page." }),
  link: textField("What a link post leads to; null for a text post."),
  domain: textField("Host of the link; null for a text post."),
  text: textField("Text, in Markdown."),
  textHtml: textField("Text, in HTML."),
  score: integerField("Votes up less votes down, as Reddit shows them."),
  upvoteRatio: numberField("Share of votes up, 0 to 1."),
  numComments: integerField("Comments, removed ones included."),
  numCrossposts: integerField("Times posted on to other communities."),
  createdAt: textField("When it was posted (ISO 8601, UTC)."),
  editedAt: textField("When it was last edited; null when never."),
  isSelf: booleanField("It is a text post."),
  isVideo: booleanField("It is a video on Reddit."),
  isGallery: booleanField("It is a gallery of pictures."),
  nsfw: booleanField("It is for adults only."),
  spoiler: booleanField("It is marked as a spoiler."),
  stickied: booleanField("It is pinned to the top."),
  locked: booleanField("New comments are closed."),
  archived: booleanField("It is too old for votes and comments."),
  isOriginalContent: booleanField("It is marked as original content."),
  distinguished: textField("The author speaks as moderator, admin or such."),
  flair: textField("Label of the post."),
  authorFlair: textField("Label of the author in this community."),
  awards: integerField("Awards received."),
  thumbnail: textField("Small picture."),
  images: Type.Array(
    itemObject({
      url: Type.String({ description: "Address of the picture." }),
      ...sizeFields,
      caption: textField("Caption in the gallery."),
    }),
    { description: "Pictures of the gallery, else previews." },
  ),
  video: nullable(
    itemObject(
      {
        fallbackUrl: textField("MP4 without sound."),
        hlsUrl: textField("HLS playlist."),
        dashUrl: textField("DASH playlist."),
        duration: numberField("Seconds."),
        ...sizeFields,
        hasAudio: booleanField("It has sound."),
      },
      { description: "Video on Reddit." },
    ),
  ),
  embed: nullable(
    itemObject(
      {
        provider: textField("Site of the embedded player."),
        title: textField("Title there."),
        author: textField("Author there."),
        thumbnail: textField("Picture."),
      },
      { description: "Player of another site." },
    ),
  ),
  poll: nullable(
    itemObject(
      {
        options: Type.Array(
          itemObject({
            text: textField("Answer."),
            votes: integerField("Votes; null while hidden."),
          }),
          { description: "Answers." },
        ),
        totalVotes: integerField("Votes for all answers."),
        endsAt: textField("When voting ends."),
      },
      { description: "Poll." },
    ),
  ),
  crosspostOf: textField("Full name of the post that this one repeats."),
  removedBy: textField("Who removed it."),
  subredditSubscribers: integerField("Members of the community."),
}

/** @throws Changed for data that is no post. */
export function redditPost(data: Record<string, unknown>) {
  const post = new JsonReader(data)
  const id = post.text("id")
  const title = post.text("title")
  const permalink = post.text("permalink")
  if (!id || title === null || !permalink) {
    throw new Changed("Reddit's listing holds a post without id, title or address.")
  }
  const isSelf = post.flag("is_self")
  // A repeated post has its media in the original.
  const media = post.has("crosspost_parent_list", 0) ? post.in("crosspost_parent_list", 0) : post
  const link = post.text("url_overridden_by_dest") ?? post.text("url")
  return {
    id,
    fullName: post.text("name") ?? `t3_${id}`,
    subreddit: post.text("subreddit"),
    subredditId: post.text("subreddit_id"),
    title,
    author: person(post),
    authorId: post.text("author_fullname"),
    url: `${site}${permalink}`,
    link: isSelf ? null : absoluteUrl(link, site),
    domain: isSelf ? null : post.text("domain"),
    text: textOrNull(data.selftext),
    textHtml: textOrNull(data.selftext_html),
    score: post.integer("score"),
    upvoteRatio: post.number("upvote_ratio"),
    numComments: post.integer("num_comments"),
    numCrossposts: post.integer("num_crossposts"),
    createdAt: isoFromUnix(data.created_utc),
    editedAt: isoFromUnix(data.edited),
    isSelf,
    isVideo: post.flag("is_video"),
    isGallery: post.flag("is_gallery") === true || post.has("gallery_data"),
    nsfw: post.flag("over_18"),
    spoiler: post.flag("spoiler"),
    stickied: post.flag("stickied"),
    locked: post.flag("locked"),
    archived: post.flag("archived"),
    isOriginalContent: post.flag("is_original_content"),
    distinguished: post.text("distinguished"),
    flair: post.text("link_flair_text"),
    authorFlair: post.text("author_flair_text"),
    awards: post.integer("total_awards_received"),
    thumbnail: addressOf(post.text("thumbnail")),
    images: imagesOf(post, media),
    video: videoOf(post) ?? videoOf(media),
    embed: embedOf(post) ?? embedOf(media),
    poll: pollOf(post),
    crosspostOf: post.text("crosspost_parent"),
    removedBy: post.text("removed_by_category"),
    subredditSubscribers: post.integer("subreddit_subscribers"),
  }
}

/** Null for an account that is gone. */
export function person(thing: JsonReader): string | null {
  const author = thing.text("author")
  return author === "[deleted]" ? null : author
}

/** Words such as `self` and `nsfw` stand where there is no picture. */
const addressOf = (text: string | null) => (text?.startsWith("http") ? text : null)

function imagesOf(post: JsonReader, original: JsonReader) {
  for (const source of [post, original]) {
    const gallery = galleryImages(source)
    if (gallery.length > 0) return gallery
  }
  for (const source of [post, original]) {
    const previews = source.list("preview", "images").flatMap((image) => {
      const url = image.text("source", "url")
      return url ? [{ url, ...sizeOf(image.in("source"), "width", "height"), caption: null }] : []
    })
    if (previews.length > 0) return previews
  }
  return []
}

function galleryImages(post: JsonReader) {
  return post.list("gallery_data", "items").flatMap((item) => {
    const source = post.in("media_metadata", item.text("media_id") ?? "", "s")
    const url = source.text("u") ?? source.text("gif") ?? source.text("mp4")
    return url ? [{ url, ...sizeOf(source, "x", "y"), caption: item.text("caption") }] : []
  })
}

function sizeOf(source: JsonReader, width: string, height: string) {
  return { width: source.integer(width), height: source.integer(height) }
}

function videoOf(post: JsonReader) {
  const video = post.has("media", "reddit_video")
    ? post.in("media", "reddit_video")
    : post.in("secure_media", "reddit_video")
  if (!video.has("fallback_url") && !video.has("hls_url")) return null
  return {
    fallbackUrl: video.text("fallback_url"),
    hlsUrl: video.text("hls_url"),
    dashUrl: video.text("dash_url"),
    duration: video.number("duration"),
    ...sizeOf(video, "width", "height"),
    hasAudio: video.flag("has_audio"),
  }
}

function embedOf(post: JsonReader) {
  const embed = post.has("media", "oembed")
    ? post.in("media", "oembed")
    : post.in("secure_media", "oembed")
  if (embed.root === undefined || embed.root === null) return null
  return {
    provider: embed.text("provider_name"),
    title: embed.text("title"),
    author: embed.text("author_name"),
    thumbnail: embed.text("thumbnail_url"),
  }
}

function pollOf(post: JsonReader) {
  if (!post.has("poll_data")) return null
  const poll = post.in("poll_data")
  return {
    options: poll
      .list("options")
      .map((option) => ({ text: option.text("text"), votes: option.integer("vote_count") })),
    totalVotes: poll.integer("total_vote_count"),
    endsAt: isoFromUnix(poll.value("voting_end_timestamp")),
  }
}
