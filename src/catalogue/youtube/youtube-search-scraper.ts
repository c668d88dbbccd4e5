import { distinct, objectList, unseen } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, defineScraper, inputs, items, record } from "../kit/index.ts"
import {
  channelOf,
  continuationOf,
  countOf,
  isVerified,
  type Lockup,
  listOf,
  maxImage,
  secondsOf,
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

/** The site's filter "videos only" with each order, as in its URLs. */
const filters = {
  relevance: "EgIQAfABAQ==",
  views: "CAMSAhAB8AEB",
  date: "CAISAhAB8AEB",
  rating: "CAESAhAB8AEB",
} as const

const item = record({
  type: items.requiredText("Kind of item: always `video`."),
  videoId: items.requiredText("ID of the video, 11 characters."),
  url: items.requiredText("URL of the video's page."),
  isShort: items.boolean("Whether YouTube displays the video as a Short."),
  title: items.requiredText("Title of the video."),
  description: items.text("Part of the description that the search displays."),
  channelName: items.text("Name of the channel."),
  channelId: items.text("ID of the channel."),
  channelUrl: items.text("URL of the channel's page."),
  channelHandle: items.text("Handle of the channel, with @."),
  channelVerified: items.boolean("Whether the channel has YouTube's verification badge."),
  channelThumbnailUrl: items.text("URL of the channel's image."),
  viewsCount: items.integer("Number of views; null for live videos."),
  watchingCount: items.integer("Number of current viewers of a live video."),
  viewCountText: items.text("Views, as YouTube writes them, for example 1.2M views."),
  publishedText: items.text("Age, as YouTube writes it, for example 2 years ago."),
  durationText: items.text("Length, as YouTube writes it, for example 3:14."),
  durationSeconds: items.integer("Length in seconds; null for live videos."),
  isLive: items.boolean("Whether the video is live now."),
  badges: items.texts("Badges, for example 4K, New or CC."),
  thumbnailUrl: items.text("URL of the largest thumbnail."),
  position: items.requiredInteger("Position among the videos, from 1."),
  query: items.requiredText("Query as written in the input."),
})

export default defineScraper({
  slug: "youtube-search-scraper",
  name: "YouTube Search",
  tagline: "Search YouTube and get videos with views, length, channel and age.",
  notServed: ["transcripts", "comments"],
  category: "video",
  input: {
    queries: inputs.texts("Search words, for example lofi hip hop, or YouTube result page URLs.", {
      max: 200,
    }),
    maxResults: inputs.count("Maximum videos per search; a page lists about 20", {
      max: 500,
      or: 20,
    }),
    sortBy: inputs.choice(filters, "Sort order of the videos.", "relevance"),
  },
  item,
  example: { queries: ["lofi hip hop"], maxResults: 20 },
  probe: {
    input: { queries: ["me at the zoo"], maxResults: 5 },
    expect: [
      "items.length equals 5",
      'items[*].videoId equals "jNQXAC9IVRw"',
      "items[*].title share 1",
      "items[*].channelName share 0.9",
      "?items[*].viewsCount share 0.8",
      "?items[*].durationSeconds share 0.8",
    ],
  },
  rateLimit: youtubeRateLimit,
  targets: ({ queries }) => queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { maxResults, sortBy } = ctx.input
    const seen = new Set<string>()
    let position = 0
    let others = 0
    let results = resultsOf(await firstPage(query, filters[sortBy], ctx))
    requireResponse(results.entries)
    for (;;) {
      const listed = videosIn(results.entries)
      const videos = unseen(listed, seen, ({ videoId }) => videoId)
      for (const video of videos) {
        yield item.read({ ...video, position: ++position, query })
        if (position >= maxResults) return
      }
      others = listed.length === 0 && results.entries.length > 0 ? others + 1 : 0
      const isEnd = results.entries.some((entry) => entry.messageRenderer)
      if (results.next === null || isEnd || others > maxOthers) return
      if (videos.length === 0 && others === 0) return
      results = resultsOf(await innertube("search", { continuation: results.next }, ctx))
    }
  },
})

/** Returns the search words of a target; for a results page's URL, the words in it. */
function wordsOf(query: string): string {
  const url = /^https?:\/\/(?:\w+\.)?youtube\.com\//i.test(query) ? URL.parse(query.trim()) : null
  return url?.searchParams.get("search_query") ?? url?.searchParams.get("q") ?? query
}

function firstPage(query: string, params: string, ctx: Context): Promise<Json> {
  const words = wordsOf(query)
  return orFromPage(
    ctx,
    () => innertube("search", { query: words, params }, ctx),
    () => youtubePage("/results", { search_query: words, sp: params }, ctx),
  )
}

/** Videos are in sections, among ads, shelves and channels. */
function resultsOf(page: Json) {
  const parts = [page.contents, page.onResponseReceivedCommands, page.onResponseReceivedActions]
  const sections = listOf(parts, new Set(["itemSectionRenderer", "continuationItemRenderer"]))
  if (!sections) throw new Changed("YouTube's response has no sections of results.")
  const entries = sections.flatMap((section) =>
    objectList(at<Json[]>(section, "itemSectionRenderer", "contents")),
  )
  return { entries, next: continuationOf(sections) }
}

/** Number of consecutive pages with only shelves and advertisements after which a search ends. */
const maxOthers = 2

/** Entries between the videos, or instead of them. */
const otherKinds = [
  "adSlotRenderer",
  "reelShelfRenderer",
  "shelfRenderer",
  "showingResultsForRenderer",
  "didYouMeanRenderer",
  "clarificationRenderer",
  "emergencyOneboxRenderer",
  "infoPanelContainerRenderer",
  "channelRenderer",
  "playlistRenderer",
  "radioRenderer",
]

/**
 * Throws unless there are videos or the site reports none. Otherwise, the site has renamed the
 * entries of videos.
 */
function requireResponse(entries: Json[]): void {
  const reportsNone = entries.some(
    (entry) => entry.messageRenderer || entry.backgroundPromoRenderer,
  )
  const isOther = (entry: Json) => otherKinds.some((kind) => kind in entry)
  if (reportsNone || (entries.length > 0 && entries.every(isOther))) return
  if (videosIn(entries).length === 0) throw new Changed("YouTube's results have no readable video.")
}

const videosIn = (entries: Json[]) =>
  entries.flatMap((entry) => {
    const lockup = videoLockup(entry.lockupViewModel)
    return fromRenderer(entry.videoRenderer) ?? (lockup ? fromLockup(lockup) : [])
  })

function fromRenderer(video: unknown) {
  const videoId = at(video, "videoId")
  const title = written(at(video, "title"))
  if (typeof videoId !== "string" || !title) return null
  const views = at(video, "viewCountText")
  const isLive = isLiveNow(video)
  const durationText = written(at(video, "lengthText"))
  const command = at(video, "navigationEndpoint", "commandMetadata")
  const path = at<string>(command, "webCommandMetadata", "url")
  const byline =
    at(video, "ownerText") ?? at(video, "longBylineText") ?? at(video, "shortBylineText")
  return {
    type: "video",
    videoId,
    url: `${youtube}/watch?v=${videoId}`,
    isShort: path?.startsWith("/shorts/") ?? false,
    title,
    description:
      written(at(video, "detailedMetadataSnippets", 0, "snippetText")) ??
      written(at(video, "descriptionSnippet")),
    ...channelOf(byline),
    channelVerified: isVerified(at(video, "ownerBadges")),
    channelThumbnailUrl: maxImage(at(video, "channelThumbnailSupportedRenderers")),
    viewsCount: isLive ? null : countOf(written(views)),
    watchingCount: isLive ? countOf(written(views)) : null,
    viewCountText: written(views) ?? written(at(video, "shortViewCountText")),
    publishedText: written(at(video, "publishedTimeText")),
    durationText,
    durationSeconds: isLive ? null : secondsOf(durationText),
    isLive,
    badges: distinct(
      marks(video, "badges", "metadataBadgeRenderer", "label").flatMap(
        (mark) => written(mark) ?? [],
      ),
    ),
    thumbnailUrl: maxImage(at(video, "thumbnail")),
  }
}

const isLiveNow = (video: unknown) =>
  marks(video, "thumbnailOverlays", "thumbnailOverlayTimeStatusRenderer", "style").includes(
    "LIVE",
  ) ||
  marks(video, "badges", "metadataBadgeRenderer", "style").includes("BADGE_STYLE_TYPE_LIVE_NOW")

const marks = (video: unknown, list: string, ...path: string[]) =>
  new JsonReader(video).list(list).map((mark) => mark.value(...path))

function fromLockup(lockup: Lockup) {
  const { isLive, viewCountText } = lockup
  return {
    ...lockup,
    type: "video",
    url: `${youtube}/watch?v=${lockup.videoId}`,
    viewsCount: isLive ? null : countOf(viewCountText),
    watchingCount: isLive ? countOf(viewCountText) : null,
    durationSeconds: isLive ? null : secondsOf(lockup.durationText),
  }
}
