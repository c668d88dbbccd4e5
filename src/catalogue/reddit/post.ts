import { Type } from "@sinclair/typebox"
import { absoluteUrl } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  field,
  itemObject,
  type Row,
  record,
  required,
  sizeAt,
  sizeFields,
  textField,
} from "../kit/index.ts"

const site = "https://www.reddit.com"

const post = record({
  id: required(field.trimmed("id", "Short id.")),
  fullName: required(
    field.trimmed((post: Row) => post.name || `t3_${post.id}`, "Id with its kind, t3_…."),
  ),
  subreddit: field.trimmed("subreddit", "Community, without r/."),
  subredditId: field.trimmed("subreddit_id", "ID of the community, t5_…."),
  title: required(field.trimmed("title", "Title.")),
  author: field.trimmed("author", "Author's name; null when deleted.", person),
  authorId: field.trimmed("author_fullname", "Author's id, t2_…."),
  url: required(field.trimmed("permalink", "The post's own page.", (path) => `${site}${path}`)),
  link: field.text(linkOf, "Destination of a link post; null for a text post."),
  domain: field.trimmed(
    (post: Row) => (post.is_self === true ? null : post.domain),
    "Host of the link; null for a text post.",
  ),
  text: field.text("selftext", "Text, in Markdown."),
  textHtml: field.text("selftext_html", "Text, in HTML."),
  textMarkdown: field.text("selftext_markdown|selftext", "Text, as Markdown."),
  score: field.integer("score", "Upvotes minus downvotes, as Reddit shows them."),
  upvoteRatio: field.number("upvote_ratio", "Share of votes up, 0 to 1."),
  commentsCount: field.integer("num_comments", "Comments, removed ones included."),
  numCrossposts: field.integer("num_crossposts", "Times posted on to other communities."),
  createdAt: field.unixTime("created_utc", "When it was posted (ISO 8601, UTC)."),
  editedAt: field.unixTime("edited", "When it was last edited; null when never."),
  isSelf: field.boolean("is_self", "Whether it is a text post."),
  isVideo: field.boolean("is_video", "Whether it is a video on Reddit."),
  isGallery: field.boolean(
    (post: Row) => post.is_gallery === true || post.gallery_data != null,
    "Whether it is a gallery of images.",
  ),
  nsfw: field.boolean("over_18", "Whether it is for adults only."),
  spoiler: field.boolean("spoiler", "Whether it is marked as a spoiler."),
  stickied: field.boolean("stickied", "Whether it is pinned to the top."),
  locked: field.boolean("locked", "New comments are closed."),
  archived: field.boolean("archived", "Whether it is too old for votes and comments."),
  isOriginalContent: field.boolean(
    "is_original_content",
    "Whether it is marked as original content.",
  ),
  distinguished: field.trimmed("distinguished", "The author speaks as moderator, admin or such."),
  flair: field.trimmed("link_flair_text", "Label of the post."),
  authorFlair: field.trimmed("author_flair_text", "Label of the author in this community."),
  awards: field.integer("total_awards_received", "Awards received."),
  // Words such as `self` and `nsfw` replace a missing picture.
  thumbnailUrl: field.trimmed("thumbnail", "Small image.", (text) =>
    text.startsWith("http") ? text : null,
  ),
  images: field.of(
    Type.Array(
      itemObject({
        url: Type.String({ description: "URL of the image." }),
        ...sizeFields,
        caption: textField("Caption in the gallery."),
      }),
      { description: "Images of the gallery, else previews." },
    ),
    imagesOf,
  ),
  video: field.object(videoOf, "Video on Reddit.", {
    fallbackUrl: field.trimmed("fallback_url", "MP4 without sound."),
    hlsUrl: field.trimmed("hls_url", "HLS playlist."),
    dashUrl: field.trimmed("dash_url", "DASH playlist."),
    durationSeconds: field.number("duration", "Seconds."),
    ...sizeAt("width", "height"),
    hasAudio: field.boolean("has_audio", "Whether it has sound."),
  }),
  embed: field.object(embedOf, "Player of another site.", {
    provider: field.trimmed("provider_name", "Site of the embedded player."),
    title: field.trimmed("title", "Title there."),
    author: field.trimmed("author_name", "Author there."),
    thumbnailUrl: field.trimmed("thumbnail_url", "Image."),
  }),
  poll: field.object("poll_data", "Poll.", {
    options: field.objects("options", "Answers.", {
      text: field.trimmed("text", "Answer."),
      votes: field.integer("vote_count", "Votes; null while hidden."),
    }),
    totalVotes: field.integer("total_vote_count", "Votes for all answers."),
    endsAt: field.unixTime("voting_end_timestamp", "When voting ends."),
  }),
  crosspostOf: field.trimmed("crosspost_parent", "Full name of the post that this one repeats."),
  removedBy: field.trimmed("removed_by_category", "Who removed it."),
  subredditSubscribers: field.integer("subreddit_subscribers", "Members of the community."),
})

/** Returns a post as every scraper of Reddit has it, in addition to its `input` or `query`. */
export const redditPostFields = post.fields

/** Throws Changed for data that is not a post. */
export function redditPost(data: Row) {
  const { id, title, permalink } = data
  if (!id || typeof title !== "string" || !permalink) {
    throw new Changed("Reddit's listing holds a post without id, title or address.")
  }
  return post.read(data)
}

/** Null for an account that is gone. */
export function person(author: string): string | null {
  return author === "[deleted]" ? null : author
}

function linkOf(post: Row): string | null {
  if (post.is_self === true) return null
  const read = new JsonReader(post)
  return absoluteUrl(read.text("url_overridden_by_dest") ?? read.text("url"), site)
}

/** A post, and the one that it repeats, which has its media. */
function originals(post: Row): JsonReader[] {
  return [new JsonReader(post), new JsonReader(post).in("crosspost_parent_list", 0)]
}

function imagesOf(post: Row) {
  for (const source of originals(post)) {
    const gallery = galleryImages(source)
    if (gallery.length > 0) return gallery
  }
  for (const source of originals(post)) {
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

/** What a post has under a kind of media, the safe kind in its absence. */
function mediaOf(post: JsonReader, kind: string): JsonReader {
  return post.has("media", kind) ? post.in("media", kind) : post.in("secure_media", kind)
}

function videoOf(post: Row): unknown {
  const videos = originals(post).map((source) => mediaOf(source, "reddit_video"))
  return videos.find((video) => video.has("fallback_url") || video.has("hls_url"))?.root
}

function embedOf(post: Row): unknown {
  const embeds = originals(post).map((source) => mediaOf(source, "oembed").root)
  return embeds.find((embed) => embed !== undefined && embed !== null)
}
