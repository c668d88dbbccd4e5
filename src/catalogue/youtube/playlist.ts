import { integerOrNull } from "../../extract/core/index.ts"
import { at, findKey, findObjects } from "../../extract/embedded/index.ts"
import { type Lockup, shortLockup, videoLockup } from "./lockup.ts"
import {
  channelOf,
  continuationOf,
  countOf,
  listOf,
  maxImage,
  secondsOf,
  written,
} from "./values.ts"
import { type Json, youtube } from "./youtube.ts"

const entryKeys = new Set([
  "playlistVideoRenderer",
  "lockupViewModel",
  "richItemRenderer",
  "reelItemRenderer",
  "shortsLockupViewModel",
])

/**
 * Returns the videos of a list and the token of its next page, anywhere in the response; undefined
 * if it has no list. A continuation outside the list of videos returns suggestions instead of more
 * videos.
 */
export function videosOf(page: Json) {
  const list = listOf([page.contents, page.onResponseReceivedActions], entryKeys)
  if (!list) return undefined
  const rows = list.flatMap((entry) => videoOf(entry) ?? [])
  // A list whose entries are all unreadable is not empty.
  return rows.length === 0 ? undefined : { rows, next: continuationOf(list) }
}

/** Returns whether a response has a list, readable or not. */
export const hasEntries = (page: Json): boolean =>
  listOf([page.contents, page.onResponseReceivedActions], entryKeys) !== undefined

/** Returns whether the list's frame is present and the site reports that the list is empty. */
export function isEmptyList(page: Json): boolean {
  const list = findKey(page.contents, "playlistVideoListRenderer")
  if (playlistFields(page).playlistVideoCount === 0) return true
  const message = written(findKey(findKey(page.contents, "messageRenderer"), "text"))
  return list === undefined && /^(?:there are )?no videos/i.test(message ?? "")
}

function videoOf(entry: Json) {
  const item = at<Json>(entry, "richItemRenderer", "content") ?? entry
  if (item.playlistVideoRenderer) return fromRenderer(item.playlistVideoRenderer)
  const short = item.reelItemRenderer ?? item.shortsLockupViewModel
  const lockup = short ? shortLockup(short) : videoLockup(item.lockupViewModel)
  return lockup && fromLockup(lockup)
}

function fromRenderer(video: unknown) {
  const videoId = at(video, "videoId")
  const title = written(at(video, "title"))
  const isSuggestion = at(video, "style") === "PLAYLIST_VIDEO_RENDERER_STYLE_RECOMMENDED_VIDEO"
  if (typeof videoId !== "string" || !title || isSuggestion) return null
  const durationText = written(at(video, "lengthText"))
  const viewCountText = written(at(video, "videoInfo", "runs", 0, "text"))
  return {
    type: "video",
    videoId,
    url: `${youtube}/watch?v=${videoId}`,
    title,
    position: integerOrNull(written(at(video, "index"))?.replaceAll(",", "")),
    durationSeconds: integerOrNull(at(video, "lengthSeconds")) ?? secondsOf(durationText),
    durationText,
    ...channelOf(at(video, "shortBylineText")),
    viewsCount: countOf(viewCountText),
    viewCountText,
    publishedText: written(at(video, "videoInfo", "runs", 2, "text")),
    isPlayable: at(video, "isPlayable") === true,
    thumbnailUrl: maxImage(at(video, "thumbnail")),
  }
}

const fromLockup = (lockup: Lockup) => ({
  ...lockup,
  type: "video",
  url: `${youtube}/watch?v=${lockup.videoId}`,
  position: null,
  durationSeconds: secondsOf(lockup.durationText),
  viewsCount: countOf(lockup.viewCountText),
  isPlayable: !/^\[(?:Private|Deleted) video\]$/.test(lockup.title),
})

/** Returns the site's error about the whole list; null for hints only. */
export function listAlert(page: Json): string | null {
  const alerts = [...findObjects(page.alerts, (alert) => alert.type === "ERROR")]
  return alerts.map(({ text }) => written(text)).find((text) => text !== null) ?? null
}

/** Returns the fields of the list, from the older header, the newer one, and the sidebar. */
export function playlistFields(page: Json) {
  const old = at(page.header, "playlistHeaderRenderer")
  const head = at(page.header, "pageHeaderRenderer")
  // The newer header has texts such as "Playlist", "200 videos", "1,038 views".
  const parts = [...findObjects(findKey(head, "metadataRows"), (object) => "content" in object)]
  const primary = findKey(page.sidebar, "playlistSidebarPrimaryInfoRenderer")
  const owner =
    at(old, "ownerText") ??
    findKey(at(page.sidebar), "videoOwnerRenderer") ??
    parts.find((part) => channelOf(part).channelId !== null)
  const ownerTitle = at(owner, "title") ?? owner
  const fact = factsOf(textsOf(at(primary, "stats")), textsOf(parts))
  return {
    playlistTitle:
      written(at(old, "title")) ??
      written(at(head, "pageTitle")) ??
      written(at(page.metadata, "playlistMetadataRenderer", "title")) ??
      written(at(page.microformat, "microformatDataRenderer", "title")),
    playlistDescription:
      written(at(old, "descriptionText")) ??
      written(at(primary, "description")) ??
      written(at(findKey(head, "descriptionPreviewViewModel"), "description")),
    playlistVideoCount: countOf(written(at(old, "numVideosText")) ?? fact.videos),
    playlistViewCount: countOf(written(at(old, "viewCountText")) ?? fact.views),
    playlistOwner: written(ownerTitle)?.replace(/^by\s+/i, "") ?? null,
    playlistOwnerUrl: channelOf(ownerTitle).channelUrl,
    playlistUpdatedText: fact.updated,
  }
}

/**
 * Returns the facts about a list. In English, each has its word. In other languages, the order
 * decides: videos, views, last change. A list without views lacks the second.
 */
function factsOf(stats: string[], headTexts: string[]) {
  const find = (form: RegExp) => [...stats, ...headTexts].find((text) => form.test(text)) ?? null
  const english = {
    videos: find(/\b(?:videos?|episodes|lessons)$/i),
    views: find(/\bviews?$/i),
    updated: find(/\bupdated\b/i),
  }
  if (english.views ?? english.updated) return english
  const counted = (stats.length > 0 ? stats : headTexts).filter((text) => /\d/.test(text))
  if (counted.length !== 3) return english
  const [videos, views, updated] = counted as [string, string, string]
  return { videos, views, updated }
}

const textsOf = (parts: unknown) =>
  Array.isArray(parts) ? parts.flatMap((part) => written(part) ?? []) : []

/**
 * Returns the token with which the site requests the first videos of a list. It is a protobuf of
 * the list's ID under field 80226972, as in the tokens of later pages.
 */
export function firstPageToken(playlistId: string): string {
  const inner = [
    ...field(2, `VL${playlistId}`),
    ...field(3, "CADCBgIIAA%3D%3D"),
    ...field(35, playlistId),
  ]
  const bytes = Uint8Array.from([...varint((80226972 << 3) | 2), ...varint(inner.length), ...inner])
  return encodeURIComponent(bytes.toBase64({ alphabet: "base64url" }))
}

function field(number: number, text: string): number[] {
  const bytes = new TextEncoder().encode(text)
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes]
}

function varint(value: number): number[] {
  const low = value & 0x7f
  return value > 0x7f ? [low | 0x80, ...varint(value >>> 7)] : [low]
}
