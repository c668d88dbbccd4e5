import { Type } from "@sinclair/typebox"
import {
  BadInput,
  booleanField,
  Changed,
  type Context,
  cursor,
  defineScraper,
  Forbidden,
  inputObject,
  inputs,
  integerField,
  itemObject,
  NotFound,
  textField,
} from "../kit/index.ts"
import { firstPageToken, isEmptyList, listAlert, playlistFields, videosOf } from "./playlist.ts"
import {
  innertube,
  type Json,
  orFromPage,
  youtube,
  youtubePage,
  youtubeRateLimit,
} from "./youtube.ts"

const item = itemObject({
  type: Type.String({ description: "Always video." }),
  videoId: Type.String({ description: "Identifier of 11 characters." }),
  url: Type.String({ description: "The video's page." }),
  title: Type.String({
    description: "Title; [Private video] and [Deleted video] for what is gone.",
  }),
  position: Type.Integer({ description: "Place in the list, from 1." }),
  durationSeconds: integerField("Length."),
  durationText: textField("Length as YouTube writes it."),
  channelName: textField("Channel."),
  channelId: textField("Identifier of the channel."),
  channelUrl: textField("The channel's page."),
  viewsCount: integerField("Views, as YouTube rounds them."),
  viewCountText: textField("Views as YouTube writes them."),
  publishedText: textField("Age as YouTube writes it."),
  isPlayable: booleanField("Whether it can be watched."),
  thumbnailUrl: textField("Largest image."),
  playlistId: Type.String({ description: "Identifier of the list." }),
  playlistUrl: Type.String({ description: "The list's page." }),
  playlistTitle: textField("Title of the list."),
  playlistDescription: textField("Description of the list."),
  playlistVideoCount: integerField("Videos in the list, hidden ones included."),
  playlistViewCount: integerField("Views of the list."),
  playlistOwner: textField("Author of the list."),
  playlistOwnerUrl: textField("Their channel."),
  playlistUpdatedText: textField("When it last changed, as YouTube writes it."),
  input: Type.String({ description: "List as written in the input." }),
})

export default defineScraper({
  slug: "youtube-playlist-scraper",
  name: "YouTube Playlists",
  tagline: "List every video of a YouTube playlist with position, length, views and channel.",
  serves: [
    "videos of a YouTube playlist",
    "all videos in a list with length",
    "lessons of a course playlist",
    "how long is a playlist in total",
    "every lecture of a course on YouTube",
    "songs in a YouTube playlist",
  ],
  notServed: ["transcripts", "comments"],
  category: "video",
  tier: "free",
  input: inputObject({
    playlists: inputs.texts(
      "Playlist IDs, URLs with list=, or channel IDs (UC…) for all their uploads.",
      { max: 200 },
    ),
    maxVideos: inputs.count("Maximum videos per playlist; a page lists 100", {
      max: 5000,
      or: 100,
    }),
  }),
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
      throw new BadInput(`"${target}" is not a YouTube playlist; give its id or its address.`)
    }
    const first = await firstPage(playlistId, ctx)
    const about = { ...playlistFields(first.page), ...listNames(playlistId), input: target }
    const videos = cursor(
      async (continuation: string | undefined) => {
        if (!continuation) return first.list
        const list = videosOf(await innertube("browse", { continuation }, ctx))
        if (!list) throw new Changed("YouTube's answer does not hold the list's next videos.")
        return list
      },
      { cap: ctx.input.maxVideos, keyOf: ({ position, videoId }) => `${position} ${videoId}` },
    )
    let position = 0
    for await (const video of videos) {
      position++
      yield { ...video, position: video.position ?? position, ...about }
    }
  },
})

const prefixes = /^(?:PL|UU|UUSH|UULF|FL|LL|OLAK5uy_|RD|EC)[\w-]+$/

/** The list's id in what users write; a channel's uploads for a channel's id. */
function playlistIdOf(target: string): string | null {
  const address = /^(?:https?:)?\/\/|^(?:www\.|m\.|music\.)?youtube\.com\//i.test(target.trim())
  const url = address
    ? URL.parse(target.trim().replace(/^(?:https?:)?(?:\/\/)?/i, "https://"))
    : null
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
    // The parameter asks for the videos that can no longer be watched as well.
    () => innertube("browse", { browseId, params: "wgYCCAA=" }, ctx),
    () => youtubePage("/playlist", { list: playlistId }, ctx),
  )
  const alert = listAlert(page)
  const list = videosOf(page)
  if (list) return { page, list }
  if (alert !== null) {
    const Reason = /private|sign in/i.test(alert) ? Forbidden : NotFound
    throw new Reason(`YouTube says of the list ${playlistId}: ${alert}`)
  }
  if (isEmptyList(page)) return { page, list: { rows: [], next: null } }
  return { page, list: await listByToken(playlistId, page, ctx) }
}

/** Courses and other newer lists answer with their heads alone; their videos come on a second call. */
async function listByToken(playlistId: string, page: Json, ctx: Context) {
  const headed = playlistFields(page).playlistTitle !== null
  const list = headed
    ? videosOf(await innertube("browse", { continuation: firstPageToken(playlistId) }, ctx))
    : undefined
  if (!list) throw new Changed("YouTube's answer does not hold the list's videos.")
  return list
}
