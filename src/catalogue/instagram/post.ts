import { hashtags, isoFromUnix, mentions } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import { field, items, namedInText, type Row, record, required } from "../kit/index.ts"
import { instagramSite } from "./instagram.ts"

const kinds: Record<string, string> = {
  GraphImage: "image",
  GraphVideo: "video",
  GraphSidecar: "carousel",
  XIGPolarisImageMedia: "image",
  XIGPolarisVideoMedia: "video",
  XIGPolarisCarouselMedia: "carousel",
  XDTGraphImage: "image",
  XDTGraphVideo: "video",
  XDTGraphSidecar: "carousel",
  "1": "image",
  "2": "video",
  "8": "carousel",
}

const mediaKind = (node: JsonReader) =>
  [node.text("media_type"), node.text("__typename"), node.flag("is_video") ? "2" : null].flatMap(
    (name) => (name && kinds[name]) || [],
  )[0]

/** Returns the pk; the `id` is `{pk}_{owner}`, or another number. */
export const mediaId = (node: JsonReader) =>
  (node.text("pk") ?? node.text("id"))?.split("_")[0] ?? null

const captionOf = (node: JsonReader) =>
  node.text("edge_media_to_caption", "edges", 0, "node", "text") ?? node.text("caption", "text")

const firstImage = "image_versions2.candidates.0.url"
const imagePaths = `display_url|display_uri|${firstImage}|carousel_media.0.${firstImage}`
const videoPaths = "video_url|video_versions.0.url"

/**
 * Fields of a post that all scrapers return. Each is read from nodes of the graph, or else from
 * those of the media API, which the profile page and the hashtag lists contain.
 */
export const instagramMedia = {
  shortcode: required(field.trimmed("shortcode|code", "Code of the post in its URL.")),
  mediaType: field.text(mediaKind, "Type of media: image, video or carousel."),
  productType: field.trimmed(
    "product_type",
    "Type of product: feed, clips (reels), igtv or carousel_container.",
  ),
  caption: field.text(captionOf, "Caption of the post."),
  hashtags: field.of(namedInText.hashtags, (node: JsonReader) => hashtags(captionOf(node))),
  mentions: field.of(namedInText.mentions, (node: JsonReader) => mentions(captionOf(node))),
  publishedAt: field.text(publishedAt, "Time of posting (ISO 8601, UTC)."),
  imageUrl: field.trimmed(imagePaths, "URL of the image or cover; signed, valid for days."),
  videoUrl: field.trimmed(videoPaths, "URL of the video; signed, valid for days."),
  width: field.number("dimensions.width|original_width", "Size in pixels.", Math.trunc),
  height: field.number("dimensions.height|original_height", "Size in pixels.", Math.trunc),
  children: field.objects(childrenOf, "Parts of the carousel.", {
    id: field.text(mediaId, "ID."),
    mediaType: field.text(mediaKind, "Type of media: image or video."),
    imageUrl: field.trimmed(imagePaths, "URL of the image or cover."),
    videoUrl: field.trimmed(videoPaths, "URL of the video."),
  }),
}

export const instagramCounts = {
  likesCount: field.integer(visibleLikes, "Number of likes; null if hidden."),
  commentsCount: field.integer("edge_media_to_comment.count|comment_count", "Number of comments."),
  viewsCount: field.integer("video_view_count|view_count", "Number of views of a video."),
  playsCount: field.integer("video_play_count|play_count", "Number of plays of a video."),
}

export const ownerNamePaths = "user.username|owner.username"
export const ownerIdPaths = "user.pk|user.id|owner.id"

export const locationParts = {
  id: field.trimmed("id|pk", "ID of the location."),
  name: field.trimmed("name", "Name of the location."),
}

export const locationOf = (node: JsonReader) =>
  node.has("location", "name") ? node.in("location") : null

const media = record(instagramMedia)
const details = record({
  ownerUsername: field.trimmed(
    ownerNamePaths,
    "Username of the author; another account for joint posts.",
  ),
  ownerId: field.trimmed(ownerIdPaths, "ID of the author."),
  id: field.text(mediaId, "ID."),
  accessibilityCaption: field.trimmed("accessibility_caption", "Description for screen readers."),
  ...instagramCounts,
  durationSeconds: field.number("video_duration", "Duration in seconds."),
  location: field.object(locationOf, "Location of the post.", locationParts),
  taggedUsers: field.texts(
    "edge_media_to_tagged_user.edges.*.node.user.username|usertags.in.*.user.username",
    "Usernames tagged in the image.",
  ),
  coauthors: field.texts("coauthor_producers.*.username", "Usernames of the co-authors."),
  music: field.object(soundOf, "Sound.", {
    artist: field.trimmed("artist_name|display_artist|ig_artist.username", "Artist."),
    song: field.trimmed("song_name|title|original_audio_title", "Title of the song."),
    isOriginal: items.boolean("Whether the sound is the author's own."),
  }),
  isPinned: field.of(
    items.boolean("Whether the post is pinned to the top of the profile."),
    isPinned,
  ),
  commentsDisabled: field.boolean("comments_disabled", "Whether comments are disabled."),
})

export const instagramPostFields = {
  ...media.fields,
  username: items.requiredText("Requested profile."),
  ...details.fields,
}

/** Returns the fields of a post. `username` is the requested profile. */
export function instagramPost(node: JsonReader, username: string) {
  const post = media.read(node)
  return { url: postUrl(post), ...post, username, ...details.read(node) }
}

export const postUrl = ({ shortcode }: { shortcode: string }) => `${instagramSite}/p/${shortcode}/`

/** Hidden likes are -1, or a meaningless small number. */
function visibleLikes(node: JsonReader): number | null {
  const likes =
    node.integer("edge_liked_by", "count") ??
    node.integer("edge_media_preview_like", "count") ??
    node.integer("like_count")
  const isHidden = node.flag("like_and_view_counts_disabled") || likes === null || likes < 0
  return isHidden ? null : likes
}

function publishedAt(node: JsonReader): string | null {
  const seconds = node.value("taken_at_timestamp") ?? node.value("taken_at")
  return isoFromUnix(seconds) ?? timeOfId(mediaId(node))
}

function childrenOf(node: JsonReader): JsonReader[] {
  const edges = node.list("edge_sidecar_to_children", "edges")
  return [...edges.map((edge) => edge.in("node")), ...node.list("carousel_media")]
}

/** Returns the time in an ID: milliseconds since the network's epoch, above the lowest 23 bits. */
function timeOfId(id: string | null): string | null {
  if (!id || !/^\d{16,20}$/.test(id)) return null
  return isoFromUnix(Number((BigInt(id) >> 23n) + 1_314_220_021_721n))
}

function isPinned(node: JsonReader): boolean | null {
  const pinned = node.value("timeline_pinned_user_ids") ?? node.value("pinned_for_users")
  return Array.isArray(pinned) ? pinned.length > 0 : null
}

/** Returns the sound of a post, and whether it is the author's own. */
function soundOf(node: JsonReader) {
  const attribution = node.in("clips_music_attribution_info")
  if (attribution.has())
    return { ...(attribution.root as Row), isOriginal: attribution.flag("uses_original_audio") }
  const song = node.in("clips_metadata", "music_info", "music_asset_info")
  if (song.has("title")) return { ...(song.root as Row), isOriginal: false }
  const own = node.in("clips_metadata", "original_sound_info")
  if (!own.has("ig_artist") && !own.has("original_audio_title")) return null
  return { ...(own.root as Row), isOriginal: true }
}
