import { distinct, objectList, parseCount, textOrNull } from "../../extract/core/index.ts"
import { at, findKey, findObjects } from "../../extract/embedded/index.ts"
import { parseDuration } from "../../extract/feed/index.ts"
import { type Json, youtube } from "./youtube.ts"

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

/** Returns a text in any form: `{ simpleText }`, `{ runs: [{ text }] }`, `{ content }`. */
export function written(node: unknown): string | null {
  const runs = at(node, "runs")
  return Array.isArray(runs)
    ? textOrNull(runs.map((run) => at<string>(run, "text") ?? "").join(""))
    : textOrNull(at(node, "simpleText") ?? at(node, "content") ?? node)
}

/** Returns the number in "1,018,300 views", "2.1M views" (rounded by YouTube) or "No views". */
export const countOf = (text: string | null) =>
  text !== null && /^no\b/i.test(text) ? 0 : parseCount(text)

/** Returns the seconds of "1:02:03"; null for "LIVE" and "SHORTS". */
export const secondsOf = (text: string | null) => (text?.includes(":") ? parseDuration(text) : null)

/** Returns the images of `{ thumbnails }` or `{ sources }` at any depth, in their order. */
export function images(node: unknown) {
  const list = findKey(node, "thumbnails") ?? findKey(node, "sources")
  if (!Array.isArray(list)) return []
  return list.flatMap((image) => {
    const url = at<string>(image, "url")
    if (typeof url !== "string") return []
    const [width, height] = ["width", "height"].map((side) => at(image, side))
    return {
      url: url.startsWith("//") ? `https:${url}` : url,
      width: typeof width === "number" ? width : null,
      height: typeof height === "number" ? height : null,
    }
  })
}

export function maxImage(node: unknown): string | null {
  const [first, ...others] = images(node)
  if (!first) return null
  const wide = ({ width }: { width: number | null }) => width ?? 0
  return others.reduce((best, image) => (wide(image) >= wide(best) ? image : best), first).url
}

export function channelOf(byline: unknown) {
  const endpoint = findKey(byline, "browseEndpoint")
  const id = at<string>(endpoint, "browseId")
  const path = at<string>(endpoint, "canonicalBaseUrl")
  const channelId = typeof id === "string" && id.startsWith("UC") ? id : null
  const base = typeof path === "string" ? path : channelId && `/channel/${channelId}`
  const handle = /^\/(@[^/]+)/.exec(base ?? "")?.[1]
  return {
    channelName: written(byline),
    channelId,
    channelUrl: base ? `${youtube}${base}` : null,
    channelHandle: handle ? decodeURIComponent(handle) : null,
  }
}

export function isVerified(badges: unknown): boolean {
  const styles = [...findObjects(badges, (object) => typeof object.style === "string")]
  return styles.some(({ style }) => /^BADGE_STYLE_TYPE_VERIFIED(?:_ARTIST)?$/.test(style as string))
}

/** Returns the first list, in document order, with an element that has one of these keys. */
export function listOf(root: unknown, keys: ReadonlySet<string>): Json[] | undefined {
  const holds = (element: unknown) =>
    typeof element === "object" &&
    element !== null &&
    Object.keys(element).some((key) => keys.has(key))
  const stack = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== "object" || value === null) continue
    if (Array.isArray(value) && value.some(holds)) return objectList(value as Json[])
    stack.push(...Object.values(value).reverse())
  }
}

/** Returns the token of a list's next page, from its closing element. */
export function continuationOf(list: unknown[]): string | null {
  for (const entry of list.toReversed()) {
    const item = at(entry, "continuationItemRenderer") ?? at(entry, "continuationItemViewModel")
    if (item === undefined) continue
    const commands = [...findObjects(item, (object) => typeof object.token === "string")]
    const pages = commands.filter(
      ({ request }) => request === undefined || /_(?:BROWSE|SEARCH)$/.test(String(request)),
    )
    const token = (pages[0] ?? commands[0])?.token
    if (typeof token === "string") return token
  }
  return null
}
