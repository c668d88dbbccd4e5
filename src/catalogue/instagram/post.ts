import { hashtags, isoFromUnix, mentions } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, items, namedInText, sizeFields } from "../kit/index.ts"
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

/** Fields of a post that all scrapers return. */
export const instagramMediaFields = {
  shortcode: items.requiredText("Code of the post in its URL."),
  mediaType: items.text("Type of media: image, video or carousel."),
  productType: items.text("Type of product: feed, clips (reels), igtv or carousel_container."),
  caption: items.text("Caption of the post."),
  ...namedInText,
  publishedAt: items.text("Time of posting (ISO 8601, UTC)."),
  imageUrl: items.text("URL of the image or cover; signed, valid for days."),
  videoUrl: items.text("URL of the video; signed, valid for days."),
  ...sizeFields,
  children: items.objects("Parts of the carousel.", {
    id: items.text("ID."),
    mediaType: items.text("Type of media: image or video."),
    imageUrl: items.text("URL of the image or cover."),
    videoUrl: items.text("URL of the video."),
  }),
}

export const instagramPostFields = {
  ...instagramMediaFields,
  username: items.requiredText("Requested profile."),
  ownerUsername: items.text("Username of the author; another account for joint posts."),
  ownerId: items.text("ID of the author."),
  id: items.text("ID."),
  accessibilityCaption: items.text("Description for screen readers."),
  likesCount: items.integer("Number of likes; null if hidden."),
  commentsCount: items.integer("Number of comments."),
  viewsCount: items.integer("Number of views of a video."),
  playsCount: items.integer("Number of plays of a video."),
  durationSeconds: items.number("Duration in seconds."),
  location: items.object("Location of the post.", {
    id: items.text("ID of the location."),
    name: items.text("Name of the location."),
  }),
  taggedUsers: items.texts("Usernames tagged in the image."),
  coauthors: items.texts("Usernames of the co-authors."),
  music: items.object("Sound.", {
    artist: items.text("Artist."),
    song: items.text("Title of the song."),
    isOriginal: items.boolean("Whether the sound is the author's own."),
  }),
  isPinned: items.boolean("Whether the post is pinned to the top of the profile."),
  commentsDisabled: items.boolean("Whether comments are disabled."),
}

const mediaKind = (...names: (string | null)[]) =>
  names.flatMap((name) => (name && kinds[name]) || [])[0] ?? null

/** Parses a node of either upstream: `api` nodes of the graph, `page` nodes of the media API. */
export function instagramPost(node: JsonReader, username: string) {
  const post = node.has("shortcode") ? graphPost(node) : mediaPost(node)
  return { ...post, username, url: `${instagramSite}/p/${post.shortcode}/` }
}

function graphPost(node: JsonReader) {
  const caption = node.text("edge_media_to_caption", "edges", 0, "node", "text")
  const shortcode = node.text("shortcode")
  if (!shortcode) throw new Changed("Instagram's response has a post without its code.")
  return {
    id: node.text("id"),
    shortcode,
    ...captionFields(caption),
    ownerUsername: node.text("owner", "username"),
    ownerId: node.text("owner", "id"),
    mediaType: mediaKind(node.text("__typename"), node.flag("is_video") ? "2" : null),
    productType: node.text("product_type"),
    accessibilityCaption: node.text("accessibility_caption"),
    likesCount: visibleLikes(
      node,
      node.integer("edge_liked_by", "count") ?? node.integer("edge_media_preview_like", "count"),
    ),
    commentsCount: node.integer("edge_media_to_comment", "count"),
    viewsCount: node.integer("video_view_count"),
    playsCount: node.integer("video_play_count"),
    publishedAt: isoFromUnix(node.value("taken_at_timestamp")),
    width: node.integer("dimensions", "width"),
    height: node.integer("dimensions", "height"),
    imageUrl: node.text("display_url"),
    videoUrl: node.text("video_url"),
    durationSeconds: node.number("video_duration"),
    children: node.list("edge_sidecar_to_children", "edges").map((edge) => {
      const child = edge.in("node")
      return {
        id: child.text("id"),
        mediaType: mediaKind(child.text("__typename")),
        imageUrl: child.text("display_url"),
        videoUrl: child.text("video_url"),
      }
    }),
    location: locationOf(node),
    taggedUsers: node
      .list("edge_media_to_tagged_user", "edges")
      .flatMap((edge) => edge.text("node", "user", "username") ?? []),
    coauthors: coauthorsOf(node),
    music: node.has("clips_music_attribution_info")
      ? {
          artist: node.text("clips_music_attribution_info", "artist_name"),
          song: node.text("clips_music_attribution_info", "song_name"),
          isOriginal: node.flag("clips_music_attribution_info", "uses_original_audio"),
        }
      : null,
    isPinned: pinnedOf(node, "pinned_for_users"),
    commentsDisabled: node.flag("comments_disabled"),
  }
}

/** Parses a post of the media API, which the profile page and the hashtag lists contain. */
function mediaPost(node: JsonReader) {
  const shortcode = node.text("code")
  if (!shortcode) throw new Changed("Instagram's response has a post without its code.")
  const id = mediaId(node)
  return {
    id,
    shortcode,
    ...captionFields(node.text("caption", "text")),
    ownerUsername: node.text("user", "username"),
    ownerId: node.text("user", "pk") ?? node.text("user", "id"),
    mediaType: mediaKind(node.text("media_type"), node.text("__typename")),
    productType: node.text("product_type"),
    accessibilityCaption: node.text("accessibility_caption"),
    likesCount: visibleLikes(node, node.integer("like_count")),
    commentsCount: node.integer("comment_count"),
    viewsCount: node.integer("view_count"),
    playsCount: node.integer("play_count"),
    publishedAt: isoFromUnix(node.value("taken_at")) ?? timeOfId(id),
    width: node.integer("original_width"),
    height: node.integer("original_height"),
    ...mediaUrls(node),
    durationSeconds: node.number("video_duration"),
    children: node.list("carousel_media").map((child) => ({
      id: mediaId(child),
      mediaType: mediaKind(child.text("media_type"), child.text("__typename")),
      ...mediaUrls(child),
    })),
    location: locationOf(node),
    taggedUsers: node
      .list("usertags", "in")
      .flatMap((tagged) => tagged.text("user", "username") ?? []),
    coauthors: coauthorsOf(node),
    music: soundOf(node),
    isPinned: pinnedOf(node, "timeline_pinned_user_ids"),
    commentsDisabled: node.flag("comments_disabled"),
  }
}

function captionFields(caption: string | null) {
  return { caption, hashtags: hashtags(caption), mentions: mentions(caption) }
}

/** Hidden likes are -1, or a meaningless small number. */
function visibleLikes(node: JsonReader, likes: number | null): number | null {
  if (node.flag("like_and_view_counts_disabled") || likes === null || likes < 0) return null
  return likes
}

function mediaUrls(node: JsonReader) {
  return {
    imageUrl:
      node.text("display_uri") ??
      node.text("image_versions2", "candidates", 0, "url") ??
      node.text("carousel_media", 0, "image_versions2", "candidates", 0, "url"),
    videoUrl: node.text("video_versions", 0, "url"),
  }
}

/** Returns the pk; the `id` is `{pk}_{owner}`, or another number. */
function mediaId(node: JsonReader): string | null {
  return (node.text("pk") ?? node.text("id"))?.split("_")[0] ?? null
}

/** Returns the time in an ID: milliseconds since the network's epoch, above the lowest 23 bits. */
function timeOfId(id: string | null): string | null {
  if (!id || !/^\d{16,20}$/.test(id)) return null
  return isoFromUnix(Number((BigInt(id) >> 23n) + 1_314_220_021_721n))
}

function locationOf(node: JsonReader) {
  if (!node.has("location", "name")) return null
  return {
    id: node.text("location", "id") ?? node.text("location", "pk"),
    name: node.text("location", "name"),
  }
}

const coauthorsOf = (node: JsonReader) =>
  node.list("coauthor_producers").flatMap((producer) => producer.text("username") ?? [])

function pinnedOf(node: JsonReader, key: string): boolean | null {
  const pinned = node.value(key) ?? node.value("pinned_for_users")
  return Array.isArray(pinned) ? pinned.length > 0 : null
}

function soundOf(node: JsonReader) {
  const song = node.in("clips_metadata", "music_info", "music_asset_info")
  if (song.has("title")) {
    return { artist: song.text("display_artist"), song: song.text("title"), isOriginal: false }
  }
  const own = node.in("clips_metadata", "original_sound_info")
  if (!own.has("ig_artist") && !own.has("original_audio_title")) return null
  return {
    artist: own.text("ig_artist", "username"),
    song: own.text("original_audio_title"),
    isOriginal: true,
  }
}
