import { Type } from "@sinclair/typebox"
import type { JsonReader } from "../../extract/json-reader.ts"
import { itemObject, nullable, textField } from "../fields.ts"
import { sizeFields } from "./social.ts"

export const blueskyEmbedField = nullable(
  itemObject(
    {
      type: Type.String({
        description: "images, video, external, record, recordWithMedia, or another kind.",
      }),
      images: Type.Array(
        itemObject({
          url: textField("Picture."),
          thumbnailUrl: textField("Small picture."),
          alt: textField("Description for those who cannot see it."),
          ...sizeFields,
        }),
        { description: "Pictures." },
      ),
      video: nullable(
        itemObject(
          {
            playlistUrl: textField("HLS playlist."),
            thumbnailUrl: textField("Picture."),
            alt: textField("Description for those who cannot see it."),
            ...sizeFields,
          },
          { description: "Video." },
        ),
      ),
      external: nullable(
        itemObject(
          {
            url: textField("Page."),
            title: textField("Title."),
            description: textField("Description."),
            thumbnailUrl: textField("Picture."),
          },
          { description: "Preview of a link." },
        ),
      ),
      record: nullable(
        itemObject(
          {
            uri: textField("Lasting address."),
            author: textField("Handle of who wrote it."),
            text: textField("Text."),
            status: textField("notFound, blocked or detached, where it is not shown."),
          },
          { description: "Post, list or feed that is quoted." },
        ),
      ),
    },
    { description: "What hangs on the post." },
  ),
)

export function blueskyEmbed(embed: JsonReader) {
  const kind = kindOf(embed)
  if (!kind) return null
  const media = kind === "recordWithMedia" ? embed.in("media") : embed
  const mediaKind = kindOf(media)
  const quoted = kind === "recordWithMedia" ? embed.in("record", "record") : embed.in("record")
  return {
    type: kind,
    images: media.list("images").map((image) => ({
      url: image.text("fullsize"),
      thumbnailUrl: image.text("thumb"),
      alt: image.text("alt"),
      ...sizeOf(image),
    })),
    video:
      mediaKind === "video"
        ? {
            playlistUrl: media.text("playlist"),
            thumbnailUrl: media.text("thumbnail"),
            alt: media.text("alt"),
            ...sizeOf(media),
          }
        : null,
    external: media.has("external")
      ? {
          url: media.text("external", "uri"),
          title: media.text("external", "title"),
          description: media.text("external", "description"),
          thumbnailUrl: media.text("external", "thumb"),
        }
      : null,
    record: kind.startsWith("record") ? recordOf(quoted) : null,
  }
}

/** `app.bsky.embed.images#view` is `images`. */
const kindOf = (embed: JsonReader) =>
  /^app\.bsky\.embed\.(\w+)/.exec(embed.text("$type") ?? "")?.[1] ?? null

const sizeOf = (media: JsonReader) => ({
  width: media.integer("aspectRatio", "width"),
  height: media.integer("aspectRatio", "height"),
})

function recordOf(record: JsonReader) {
  const status = /#view(NotFound|Blocked|Detached)$/.exec(record.text("$type") ?? "")?.[1]
  return {
    uri: record.text("uri"),
    author: record.text("author", "handle") ?? record.text("creator", "handle"),
    text:
      record.text("value", "text") ??
      record.text("displayName") ??
      record.text("name") ??
      record.text("record", "name"),
    status: status ? status[0]!.toLowerCase() + status.slice(1) : null,
  }
}
