import { absoluteUrl } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  field,
  items,
  type Row,
  recordOf,
  required,
  sizeAt,
  sizeFields,
} from "../kit/index.ts"
import { site } from "./reddit.ts"

/** Returns null for a deleted account. */
export const person = (author: string): string | null => (author === "[deleted]" ? null : author)

const post = recordOf<Row>()({
  id: required(field.trimmed("id", "Short ID of the post.")),
  fullName: required(
    field.trimmed((post) => post.name || `t3_${post.id}`, "ID with the prefix of its kind, t3_…."),
  ),
  subreddit: field.trimmed("subreddit", "Community, without r/."),
  subredditId: field.trimmed("subreddit_id", "ID of the community, with the prefix t5_."),
  title: required(field.trimmed("title", "Title of the post.")),
  author: field.trimmed("author", "Username of the author; null if deleted.", person),
  authorId: field.trimmed("author_fullname", "ID of the author, with the prefix t2_."),
  url: required(field.trimmed("permalink", "URL of the post's page.", (path) => `${site}${path}`)),
  link: field.text(linkOf, "URL that a link post links to; null for a text post."),
  domain: field.trimmed(
    (post) => (post.is_self === true ? null : post.domain),
    "Host of the link; null for a text post.",
  ),
  text: field.text("selftext", "Text of the post, in Reddit's Markdown."),
  textHtml: field.text("selftext_html", "Text, in HTML."),
  textMarkdown: field.text("selftext_markdown|selftext", "Text of the post, as Markdown."),
  score: field.integer("score", "Upvotes minus downvotes, as Reddit displays them."),
  upvoteRatio: field.number("upvote_ratio", "Share of upvotes (0-1)."),
  commentsCount: field.integer("num_comments", "Number of comments, including removed ones."),
  numCrossposts: field.integer("num_crossposts", "Number of crossposts to other communities."),
  createdAt: field.unixTime("created_utc", "Time of the post (ISO 8601, UTC)."),
  editedAt: field.unixTime(
    "edited",
    "Time of the last edit (ISO 8601, UTC); null if never edited.",
  ),
  isSelf: field.boolean("is_self", "Whether it is a text post."),
  isVideo: field.boolean("is_video", "Whether it is a video on Reddit."),
  isGallery: field.boolean(
    (post) => post.is_gallery === true || post.gallery_data != null,
    "Whether it is a gallery of images.",
  ),
  nsfw: field.boolean("over_18", "Whether it is for adults only."),
  spoiler: field.boolean("spoiler", "Whether it is marked as a spoiler."),
  stickied: field.boolean("stickied", "Whether it is pinned to the top."),
  locked: field.boolean("locked", "Whether new comments are closed."),
  archived: field.boolean("archived", "Whether it is too old for votes and comments."),
  isOriginalContent: field.boolean(
    "is_original_content",
    "Whether it is marked as original content.",
  ),
  distinguished: field.trimmed(
    "distinguished",
    "Role in which the author speaks, for example moderator or admin.",
  ),
  flair: field.trimmed("link_flair_text", "Flair of the post."),
  authorFlair: field.trimmed("author_flair_text", "Flair of the author in this community."),
  awards: field.integer("total_awards_received", "Number of awards received."),
  // Values such as `self` and `nsfw` replace a missing thumbnail.
  thumbnailUrl: field.trimmed("thumbnail", "URL of the thumbnail.", (text) =>
    text.startsWith("http") ? text : null,
  ),
  images: field.of(
    items.objects("Images of the gallery; if there is none, previews.", {
      url: items.requiredText("URL of the image."),
      ...sizeFields,
      caption: items.text("Caption of the image in the gallery."),
    }),
    imagesOf,
  ),
  video: field.object(videoOf, "Video that Reddit hosts.", {
    fallbackUrl: field.trimmed("fallback_url", "URL of an MP4 without sound."),
    hlsUrl: field.trimmed("hls_url", "URL of the HLS playlist."),
    dashUrl: field.trimmed("dash_url", "URL of the DASH playlist."),
    durationSeconds: field.number("duration", "Length of the video, in seconds."),
    ...sizeAt("width", "height"),
    hasAudio: field.boolean("has_audio", "Whether the video has sound."),
  }),
  embed: field.object(embedOf, "Embedded player of another site.", {
    provider: field.trimmed("provider_name", "Site of the embedded player."),
    title: field.trimmed("title", "Title of the embedded content."),
    author: field.trimmed("author_name", "Author of the embedded content."),
    thumbnailUrl: field.trimmed("thumbnail_url", "URL of the embedded content's thumbnail."),
  }),
  poll: field.object("poll_data", "Poll in the post; null if it has none.", {
    options: field.objects("options", "Options of the poll.", {
      text: field.trimmed("text", "Text of the option."),
      votes: field.integer("vote_count", "Number of votes; null while hidden."),
    }),
    totalVotes: field.integer("total_vote_count", "Number of votes for all options together."),
    endsAt: field.unixTime("voting_end_timestamp", "Time at which voting ends (ISO 8601, UTC)."),
  }),
  crosspostOf: field.trimmed(
    "crosspost_parent",
    "Full name of the original post, if this is a crosspost.",
  ),
  removedBy: field.trimmed(
    "removed_by_category",
    "Role that removed the post, for example moderator.",
  ),
  subredditSubscribers: field.integer(
    "subreddit_subscribers",
    "Number of members of the community.",
  ),
})

/** Fields of a post that all scrapers of Reddit share, in addition to `input` or `query`. */
export const redditPostFields = post.fields

/** Returns a post of the API's data. @throws Changed if the data is not a post */
export function redditPost(data: Row) {
  const { id, title, permalink } = data
  if (!id || typeof title !== "string" || !permalink)
    throw new Changed("Reddit's listing has a post without an ID, title or URL.")
  return post.read(data)
}

function linkOf(post: Row): string | null {
  if (post.is_self === true) return null
  const read = new JsonReader(post)
  return absoluteUrl(read.text("url_overridden_by_dest") ?? read.text("url"), site)
}

/** Returns a post and, for a crosspost, the original, which has the media. */
function originals(post: Row): JsonReader[] {
  return [new JsonReader(post), new JsonReader(post).in("crosspost_parent_list", 0)]
}

function imagesOf(post: Row) {
  const lists = [galleryImages, previewImages].flatMap((images) => originals(post).map(images))
  return lists.find((images) => images.length > 0) ?? []
}

const galleryImages = (post: JsonReader) =>
  post.list("gallery_data", "items").flatMap((item) => {
    const source = post.in("media_metadata", item.text("media_id") ?? "", "s")
    const url = source.text("u") ?? source.text("gif") ?? source.text("mp4")
    return url ? [{ url, ...sizeOf(source, "x", "y"), caption: item.text("caption") }] : []
  })

const previewImages = (post: JsonReader) =>
  post.list("preview", "images").flatMap((image) => {
    const url = image.text("source", "url")
    return url ? [{ url, ...sizeOf(image.in("source"), "width", "height"), caption: null }] : []
  })

function sizeOf(source: JsonReader, width: string, height: string) {
  return { width: source.integer(width), height: source.integer(height) }
}

/** Returns a post's data for a kind of media; if it is missing, those of the safe kind. */
const mediaOf = (post: JsonReader, kind: string) =>
  post.has("media", kind) ? post.in("media", kind) : post.in("secure_media", kind)

function videoOf(post: Row): unknown {
  const videos = originals(post).map((source) => mediaOf(source, "reddit_video"))
  return videos.find((video) => video.has("fallback_url") || video.has("hls_url"))?.root
}

function embedOf(post: Row): unknown {
  const embeds = originals(post).map((source) => mediaOf(source, "oembed").root)
  return embeds.find((embed) => embed !== undefined && embed !== null)
}
