import { at } from "../../extract/embedded/index.ts"
import { field, required, sizeAt } from "../kit/index.ts"

const size = sizeAt("aspectRatio.width", "aspectRatio.height")

export const blueskyEmbed = field.object(embedOf, "Attachments of the post.", {
  type: required(
    field.text(
      kindOf,
      "Type of attachment: images, video, external, record, recordWithMedia, or another one.",
    ),
  ),
  images: field.objects("images|media.images", "Images.", {
    url: field.trimmed("fullsize", "URL of the image."),
    thumbnailUrl: field.trimmed("thumb", "URL of a small image."),
    alt: field.trimmed("alt", "Alternative text for people who cannot see the image."),
    ...size,
  }),
  video: field.object(videoOf, "Video.", {
    playlistUrl: field.trimmed("playlist", "URL of the HLS playlist."),
    thumbnailUrl: field.trimmed("thumbnail", "URL of the image."),
    alt: field.trimmed("alt", "Alternative text for people who cannot see the video."),
    ...size,
  }),
  external: field.object("external|media.external", "Preview of a link.", {
    url: field.trimmed("uri", "URL of the linked page."),
    title: field.trimmed("title", "Title."),
    description: field.trimmed("description", "Description."),
    thumbnailUrl: field.trimmed("thumb", "URL of the image."),
  }),
  record: field.object(quotedOf, "Quoted post, list or feed.", {
    uri: field.trimmed("uri", "Permanent URL."),
    author: field.trimmed("author.handle|creator.handle", "Handle of the author."),
    text: field.trimmed("value.text|displayName|name|record.name", "Text."),
    status: field.text(
      statusOf,
      "Reason why the quoted post is missing: notFound, blocked or detached; null if it is returned.",
    ),
  }),
})

/** Returns the embed of a feed entry, or null if its namespace is unknown. */
function embedOf(entry: unknown): unknown {
  const embed = at(entry, "post", "embed")
  return kindOf(embed) === undefined ? null : embed
}

const typeOf = (value: unknown) => String(at(value, "$type") ?? "")

/** Returns `images` for `app.bsky.embed.images#view`. */
function kindOf(embed: unknown): string | undefined {
  return /^app\.bsky\.embed\.(\w+)/.exec(typeOf(embed))?.[1]
}

function videoOf(embed: unknown): unknown {
  return [embed, at(embed, "media")].find((media) => kindOf(media) === "video")
}

/** With media, the quoted record is one level deeper. */
function quotedOf(embed: unknown): unknown {
  const kind = kindOf(embed) ?? ""
  if (!kind.startsWith("record")) return null
  return (kind === "recordWithMedia" ? at(embed, "record", "record") : at(embed, "record")) ?? {}
}

function statusOf(record: unknown): string | null {
  const status = /#view(NotFound|Blocked|Detached)$/.exec(typeOf(record))?.[1]
  return status ? status[0]!.toLowerCase() + status.slice(1) : null
}
