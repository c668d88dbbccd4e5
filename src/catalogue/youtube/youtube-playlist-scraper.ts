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
  firstPageToken,
  hasEntries,
  isEmptyList,
  listAlert,
  playlistFields,
  videosOf,
} from "./playlist.ts"
import {
  innertube,
  type Json,
  orFromPage,
  youtube,
  youtubePage,
  youtubeRateLimit,
} from "./youtube.ts"

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
    if (playlistId === null) {
      throw new BadInput(`"${target}" is not a YouTube playlist. Write its ID or URL.`)
    }
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
  if (!prefixes.test(id)) return null
  return id
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
