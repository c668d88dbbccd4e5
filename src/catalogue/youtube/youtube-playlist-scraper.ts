import { integerOrNull } from "../../extract/core/index.ts"
import { at, findKey, findObjects } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  cursor,
  defineScraper,
  Forbidden,
  inputs,
  items,
  NotFound,
  orNull,
  record,
} from "../kit/index.ts"
import {
  channelOf,
  continuationOf,
  countOf,
  type Lockup,
  listOf,
  maxImage,
  secondsOf,
  shortLockup,
  videoLockup,
  written,
} from "./values.ts"
import {
  innertube,
  type Json,
  orFromPage,
  youtube,
  youtubePage,
  youtubeRateLimit,
} from "./youtube.ts"

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
function videosOf(page: Json) {
  const list = listOf([page.contents, page.onResponseReceivedActions], entryKeys)
  if (!list) return undefined
  const rows = list.flatMap((entry) => videoOf(entry) ?? [])
  // A list whose entries are all unreadable is not empty.
  return rows.length === 0 ? undefined : { rows, next: continuationOf(list) }
}

/** Returns whether a response has a list, readable or not. */
const hasEntries = (page: Json): boolean =>
  listOf([page.contents, page.onResponseReceivedActions], entryKeys) !== undefined

/** Returns whether the list's frame is present and the site reports that the list is empty. */
function isEmptyList(page: Json): boolean {
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
function listAlert(page: Json): string | null {
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
function firstPageToken(playlistId: string): string {
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

const item = record({
  type: items.requiredText("Kind of item: always `video`."),
  videoId: items.requiredText("ID of the video, 11 characters."),
  url: items.requiredText("URL of the video's page."),
  title: items.requiredText(
    "Title of the video; [Private video] or [Deleted video] if it is no longer available.",
  ),
  position: items.requiredInteger("Position in the list, from 1."),
  durationSeconds: items.integer("Length in seconds."),
  durationText: items.text("Length, as YouTube writes it, for example 3:14."),
  channelName: items.text("Name of the channel."),
  channelId: items.text("ID of the channel."),
  channelUrl: items.text("URL of the channel's page."),
  viewsCount: items.integer("Number of views, as YouTube rounds it."),
  viewCountText: items.text("Views, as YouTube writes them, for example 1.2M views."),
  publishedText: items.text("Age, as YouTube writes it, for example 2 years ago."),
  isPlayable: items.boolean("Whether the video can be watched."),
  thumbnailUrl: items.text("URL of the largest thumbnail."),
  playlistId: items.requiredText("ID of the playlist."),
  playlistUrl: items.requiredText("URL of the playlist's page."),
  playlistTitle: items.text("Title of the playlist."),
  playlistDescription: items.text("Description of the playlist."),
  playlistVideoCount: items.integer("Number of videos in the playlist, including hidden ones."),
  playlistViewCount: items.integer("Number of views of the playlist."),
  playlistOwner: items.text("Name of the playlist's author."),
  playlistOwnerUrl: items.text("URL of the channel of the playlist's author."),
  playlistUpdatedText: items.text("Time of the playlist's last change, as YouTube writes it."),
  input: items.requiredText("Playlist as written in the input."),
})

export default defineScraper({
  slug: "youtube-playlist-scraper",
  name: "YouTube Playlists",
  tagline: "List every video of a YouTube playlist with position, length, views and channel.",
  notServed: ["transcripts", "comments"],
  category: "video",
  input: {
    playlists: inputs.texts(
      "Playlist IDs, URLs with list=, or channel IDs (UC…) for all their uploads.",
      { max: 200 },
    ),
    maxVideos: inputs.count("Maximum videos per playlist; a page lists 100", {
      max: 5000,
      or: 100,
    }),
  },
  item,
  example: { playlists: ["PL8dPuuaLjXtOAKed_MxxWBNaPno5h3Zs8"], maxVideos: 100 },
  probe: {
    input: { playlists: ["PL8dPuuaLjXtOAKed_MxxWBNaPno5h3Zs8"], maxVideos: 20 },
    expect: [
      "items.length equals 20",
      'items[*].videoId matches "^[\\\\w-]{11}$"',
      "items[*].title share 1",
      "items[*].durationSeconds share 0.9",
      "items[0].playlistTitle share 1",
      "items[0].playlistVideoCount gte 20",
      "?items[*].channelName share 0.9",
    ],
  },
  rateLimit: youtubeRateLimit,
  targets: ({ playlists }) => playlists,
  identify: namesOf,

  async *scrape(target, ctx) {
    const playlistId = playlistIdOf(target)
    if (playlistId === null)
      throw new BadInput(`"${target}" is not a YouTube playlist. Write its ID or URL.`)
    const first = await firstPage(playlistId, ctx)
    const about = { ...playlistFields(first.page), ...listNames(playlistId), input: target }
    const videos = cursor(
      async (continuation: string | undefined) => {
        if (!continuation) return first.list
        const list = videosOf(await innertube("browse", { continuation }, ctx))
        if (!list) throw new Changed("YouTube's response does not contain the list's next videos.")
        return list
      },
      { cap: ctx.input.maxVideos, keyOf: ({ position, videoId }) => `${position} ${videoId}` },
    )
    let position = 0
    for await (const video of videos) {
      position++
      yield item.read({ ...video, position: video.position ?? position, ...about })
    }
  },
})

const prefixes = /^(?:PL|UU|UUSH|UULF|FL|LL|OLAK5uy_|RD|EC)[\w-]+$/

/** Returns the list ID of a target; for a channel ID, the list of its uploads. */
function playlistIdOf(target: string): string | null {
  const href = /^(?:https?:)?\/\/|^(?:www\.|m\.|music\.)?youtube\.com\//i.test(target.trim())
  const url = href ? URL.parse(target.trim().replace(/^(?:https?:)?(?:\/\/)?/i, "https://")) : null
  const channel = /^\/channel\/(UC[\w-]{22})/.exec(url?.pathname ?? "")?.[1]
  const id = url ? (url.searchParams.get("list") ?? channel ?? "") : target.trim()
  if (/^UC[\w-]{22}$/.test(id)) return `UU${id.slice(2)}`
  return !prefixes.test(id) ? null : id
}

function listNames(playlistId: string) {
  return { playlistId, playlistUrl: `${youtube}/playlist?list=${playlistId}` }
}

function namesOf(target: string): Record<string, unknown> {
  const id = playlistIdOf(target)
  return id === null
    ? { input: target }
    : { ...listNames(id), url: listNames(id).playlistUrl, input: target }
}

/** @throws NotFound, Forbidden (private), Changed */
async function firstPage(playlistId: string, ctx: Context) {
  const browseId = `VL${playlistId}`
  const page = await orFromPage(
    ctx,
    // The parameter also requests the videos that can no longer be watched.
    () => innertube("browse", { browseId, params: "wgYCCAA=" }, ctx),
    () => youtubePage("/playlist", { list: playlistId }, ctx),
  )
  const alert = listAlert(page)
  const list = videosOf(page)
  if (list) return { page, list }
  if (alert !== null) {
    const Reason = /private|sign in/i.test(alert) ? Forbidden : NotFound
    throw new Reason(`YouTube reports for the list ${playlistId}: ${alert}`)
  }
  if (isEmptyList(page)) return { page, list: { rows: [], next: null } }
  return { page, list: await listByToken(playlistId, page, ctx) }
}

/** Courses and other newer lists return only their headers; a second call returns their videos. */
async function listByToken(playlistId: string, page: Json, ctx: Context) {
  const headed = playlistFields(page).playlistTitle !== null
  const next = () => innertube("browse", { continuation: firstPageToken(playlistId) }, ctx)
  const isUnread = hasEntries(page)
  const result = headed ? await (isUnread ? orNull(ctx, "list's videos", next) : next()) : null
  const list = result ? videosOf(result) : undefined
  if (!list && isUnread) {
    throw new Changed("The entries of YouTube's list have no video ID or title.", {
      field: "videoId",
    })
  }
  if (!list) throw new Changed("YouTube's response does not contain the list's videos.")
  return list
}
