import { distinct } from "../../extract/core/index.ts"
import { at, findKey, findObjects } from "../../extract/embedded/index.ts"
import { channelOf, maxImage, written } from "./values.ts"
import type { Json } from "./youtube.ts"

/** A video in YouTube's newer form, whose texts are in rows without names. */
export type Lockup = NonNullable<ReturnType<typeof videoLockup>>

const isAge = /\bago$|^(?:streamed|premiered|premieres|scheduled)\b/i
const isViews = /\b(?:views?|watching|waiting)$/i
const isLength = /^\d+(?::\d{2}){1,2}$/

/** Returns the `lockupViewModel` of a video; null for channels, playlists and albums. */
export function videoLockup(node: unknown) {
  const videoId = at(node, "contentId")
  const metadata = at(node, "metadata", "lockupMetadataViewModel")
  const title = written(at(metadata, "title"))
  const kind = at<string>(node, "contentType")
  if (typeof videoId !== "string" || !title || !/_VIDEO$/.test(kind ?? "_VIDEO")) return null
  const parts = partsOf(metadata)
  const channel =
    parts.find((part) => channelOf(part.text).channelId !== null) ??
    parts.find((part) => !isAge.test(written(part.text)!) && !isViews.test(written(part.text)!))
  const texts = parts.flatMap((part) => (part === channel ? [] : (written(part.text) ?? [])))
  // In other languages, the order decides: views, then age.
  const counted = texts.filter((text) => /\d/.test(text))
  const [views, age] = counted.length === 2 ? counted : []
  const badges = [...findObjects(node, (object) => "badgeStyle" in object)]
  const labels = badges.flatMap((badge) => written(badge.text) ?? [])
  return {
    videoId,
    title,
    ...channelOf(channel?.text),
    viewCountText:
      texts.find((text) => isViews.test(text)) ??
      (isAge.test(views ?? "") ? null : (views ?? null)),
    publishedText:
      texts.find((text) => isAge.test(text)) ?? (isViews.test(age ?? "") ? null : (age ?? null)),
    durationText: labels.find((label) => isLength.test(label)) ?? null,
    badges: distinct(labels.filter((label) => !isLength.test(label))),
    isLive: badges.some((badge) => /_LIVE$/.test(String(badge.badgeStyle))),
    isShort: findKey(node, "reelWatchEndpoint") !== undefined,
    thumbnailUrl: maxImage(at(node, "contentImage")),
  }
}

function partsOf(metadata: unknown): Json[] {
  const rows = findKey(at(metadata, "metadata"), "metadataRows")
  if (!Array.isArray(rows)) return []
  return rows
    .flatMap((row) => at<Json[]>(row, "metadataParts") ?? [])
    .filter((part) => written(at(part, "text")) !== null)
}

/** Returns a Short of a list: `reelItemRenderer` or `shortsLockupViewModel`. */
export function shortLockup(node: unknown): Lockup | null {
  const videoId = at(node, "videoId") ?? at(findKey(node, "reelWatchEndpoint"), "videoId")
  const overlay = at(node, "overlayMetadata")
  const title = written(at(node, "headline")) ?? written(at(overlay, "primaryText"))
  if (typeof videoId !== "string" || !title) return null
  return {
    videoId,
    title,
    ...channelOf(undefined),
    viewCountText: written(at(node, "viewCountText")) ?? written(at(overlay, "secondaryText")),
    publishedText: null,
    durationText: null,
    badges: [],
    isLive: false,
    isShort: true,
    thumbnailUrl: maxImage(node),
  }
}
