import { isoDate } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  defineScraper,
  Forbidden,
  field,
  inputs,
  items,
  NotFound,
  orNull,
  RateLimited,
  record,
  type ScrapeError,
  targetUrl,
} from "../kit/index.ts"
import { chaptersIn, playerFields, reasonOf, watchFields } from "./video.ts"
import {
  byOtherClients,
  innertube,
  isRefusal,
  type Json,
  namesBots,
  youtube,
  youtubePage,
  youtubeRateLimit,
} from "./youtube.ts"

const item = record({
  videoId: items.requiredText("ID of the video, 11 characters."),
  url: items.requiredText("URL of the video's page."),
  title: items.requiredText("Title of the video."),
  description: items.text("Full description of the video."),
  durationSeconds: items.integer("Length in seconds; null for live videos."),
  viewsCount: items.integer("Number of views."),
  viewCount: field.integer("viewsCount", "Same as `viewsCount`."),
  watchingCount: items.integer("Number of current viewers of a live video."),
  likesCount: items.integer("Number of likes; null if they are hidden."),
  likeCount: field.integer("likesCount", "Same as `likesCount`."),
  commentsCount: items.integer(
    "Number of comments, as YouTube rounds it; null if comments are disabled.",
  ),
  publishedAt: items.text("Time of publication (ISO 8601, UTC)."),
  uploadedAt: items.text("Time of upload (ISO 8601, UTC)."),
  publishedText: items.text("Date of publication, as YouTube writes it."),
  category: field.text("page.category", "Category of the video."),
  keywords: field.texts("details.keywords", "Keywords by the author."),
  channelId: items.text("ID of the channel."),
  channelName: items.text("Name of the channel."),
  channelUrl: items.text("URL of the channel's page."),
  channelHandle: items.text("Handle of the channel, with @."),
  channelSubscriberCount: items.integer("Number of subscribers, as YouTube rounds it."),
  channelVerified: items.boolean("Whether the channel has YouTube's verification badge."),
  channelThumbnailUrl: items.text("URL of the channel's image."),
  isLive: items.requiredBoolean("Whether the video is live now."),
  isLiveContent: field.flag("details.isLiveContent", "Whether the video is or was a live stream."),
  isUpcoming: field.flag(
    "details.isUpcoming",
    "Whether the video is announced but not available yet.",
  ),
  liveStartedAt: items.text("Start of the stream (ISO 8601, UTC)."),
  liveEndedAt: items.text("End of the stream (ISO 8601, UTC)."),
  isUnlisted: field.boolean("page.isUnlisted", "Whether the video is unlisted."),
  isFamilySafe: items.boolean("Whether YouTube rates the video as family-safe."),
  isShortsEligible: field.boolean(
    "page.isShortsEligible",
    "Whether YouTube may display the video as a Short.",
  ),
  isPrivate: field.boolean("details.isPrivate", "Whether the video is private."),
  isAgeRestricted: items.requiredBoolean("Whether the video is restricted to adults."),
  availableCountries: field.texts(
    "page.availableCountries",
    "Codes of the countries in which the video can be watched.",
  ),
  thumbnails: items.objects("Images, from small to large.", {
    url: items.requiredText("URL of the image."),
    width: items.integer("Width in pixels."),
    height: items.integer("Height in pixels."),
  }),
  thumbnailUrl: items.text("URL of the largest thumbnail."),
  embedUrl: field.text("page.embed.iframeUrl", "URL of the player for other sites."),
  chapters: items.objects("Chapters of the video.", {
    title: items.requiredText("Title of the chapter."),
    startSeconds: items.requiredInteger("Start of the chapter, in seconds."),
  }),
  playabilityStatus: field.text(
    "status",
    "Playability status: OK, or YouTube's code of the reason against it.",
  ),
  playabilityReason: items.text(
    "Reason for which the video cannot be watched, in YouTube's words.",
  ),
  partial: items.requiredBoolean(
    "Whether YouTube withheld the player's data: length, keywords and exact numbers are missing. Such an item is not charged.",
  ),
  input: items.requiredText("Video as written in the input."),
})

export default defineScraper({
  slug: "youtube-video-metadata",
  name: "YouTube Videos",
  tagline: "Title, description, views, likes, dates, tags and channel of YouTube videos.",
  notServed: ["transcript", "subtitles", "captions", "comments", "download"],
  category: "video",
  input: {
    videos: inputs.texts(
      "Video IDs of 11 characters, for example jNQXAC9IVRw, or URLs of videos, Shorts or live streams.",
      { max: 1000 },
    ),
  },
  item,
  example: { videos: ["https://www.youtube.com/watch?v=jNQXAC9IVRw"] },
  probe: {
    input: { videos: ["jNQXAC9IVRw"] },
    expect: [
      "items.length equals 1",
      'items[0].videoId equals "jNQXAC9IVRw"',
      'items[0].title matches "me at the zoo"',
      "items[0].viewsCount gte 300000000",
      'items[0].channelId equals "UC4QobU6STFB0P71PMvOGN5A"',
      'items[0].publishedAt matches "^2005-04-2"',
      "?items[0].durationSeconds gte 18",
      "?items[0].keywords.length gte 1",
      "?items[0].category share 1",
      "?items[0].likesCount gte 1000000",
      '?items[0].playabilityStatus equals "OK"',
    ],
  },
  rateLimit: youtubeRateLimit,
  fetchMethods: ["http", "browser-http", "browser"],
  targets: ({ videos }) => videos,
  identify: (target) => {
    const videoId = videoIdOf(target)
    return videoId === null ? { input: target } : { videoId, input: target, url: watchUrl(videoId) }
  },

  async *scrape(target, ctx) {
    const videoId = videoIdOf(target)
    if (videoId === null)
      throw new BadInput(`"${target}" is not a YouTube video. Write its ID or URL.`)
    const { player, next } = await videoData(videoId, ctx)
    const reported = playerFields(player)
    const visible = watchFields(next)
    const title = reported.title ?? visible.title
    if (title === null) throw new Changed("YouTube's response does not contain the video's title.")
    const isLive = reported.isLive || visible.isLive
    const partial = !isWhole(player)
    if (partial) ctx.log(`${videoId}: YouTube withholds the player's data.`, "warning")
    const description = reported.description ?? visible.description
    yield item.read({
      videoId,
      url: watchUrl(videoId),
      input: target,
      ...visible,
      ...reported,
      title,
      description,
      isLive,
      durationSeconds: isLive ? null : reported.durationSeconds,
      viewsCount: reported.viewsCount ?? visible.viewsCount,
      publishedAt: reported.publishedAt ?? isoDate(visible.publishedText),
      channelId: reported.channelId ?? visible.channelId,
      channelName: reported.channelName ?? visible.channelName,
      channelUrl: reported.channelUrl ?? visible.channelUrl,
      chapters: visible.chapters.length > 0 ? visible.chapters : chaptersIn(description),
      partial,
    })
  },
})

const watchUrl = (videoId: string) => `${youtube}/watch?v=${videoId}`

function videoIdOf(target: string): string | null {
  const text = target.trim()
  if (/^[\w-]{11}$/.test(text)) return text
  const url = targetUrl(target)
  const host = url?.hostname.replace(/^(?:www|m|music)\./, "")
  const path =
    host === "youtu.be"
      ? /^\/([\w-]{11})(?:\/|$)/
      : /^\/(?:shorts|live|embed|v|e)\/([\w-]{11})(?:\/|$)/
  if (!url || !/^(?:youtu\.be|youtube\.com|youtube-nocookie\.com)$/.test(host ?? "")) return null
  const id = path.exec(url.pathname)?.[1] ?? url.searchParams.get("v")
  return id && /^[\w-]{11}$/.test(id) ? id : null
}

/**
 * Returns whether the player has a length, which is "0" for a live video. A withheld player has
 * only other parts.
 */
const isWhole = (player: Json | undefined) =>
  at(player, "videoDetails", "lengthSeconds") !== undefined

/**
 * Set if YouTube asks the website's visitors to log in but serves another client: that client is
 * requested first.
 */
const loginKey = "youtube.login"

/** @throws the error that YouTube reports for a video without data */
async function videoData(videoId: string, ctx: Context) {
  const body = { videoId, contentCheckOk: true, racyCheckOk: true }
  // Without this response, only likes, comments and chapters are missing.
  const likesAndChapters = () => orNull(ctx, "likes", () => innertube("next", body, ctx))
  try {
    const earlier = ctx.shared.get(loginKey)
    if (earlier instanceof Blocked) throw earlier
    const player = await innertube("player", body, ctx)
    if (!at(player, "videoDetails")) throw unavailable(player)
    return { player, next: await likesAndChapters() }
  } catch (error) {
    ctx.signal.throwIfAborted()
    // The page would report the same error about the video.
    const isVerdict = error instanceof Forbidden && error.statusCode === null
    if (!isRefusal(error) || isVerdict) throw error
    ctx.log(`${error.message} Requesting as other YouTube clients.`)
    const player = await byOtherClients(body, isWhole, ctx)
    if (player) {
      if (error instanceof Blocked) ctx.shared.set(loginKey, error)
      ctx.log(`${videoId}: date, category and countries come only from the website.`, "warning")
      return { player, next: await likesAndChapters() }
    }
    ctx.log("Reading the video's page instead.")
    return videoPage(videoId, error, ctx)
  }
}

/**
 * Reads the page, which has title, views and channel even if the player asks for a login, as does
 * `next`.
 */
async function videoPage(videoId: string, refused: ScrapeError, ctx: Context) {
  const query = { v: videoId, bpctr: "9999999999", has_verified: "1" }
  const page = await orNull(ctx, "page of the video", () => youtubePage("/watch", query, ctx))
  if (at(page?.player, "videoDetails")) return { player: page?.player, next: page?.data }
  if (watchFields(page?.data).title !== null) return { player: undefined, next: page?.data }
  const body = { videoId, contentCheckOk: true, racyCheckOk: true }
  const next = await orNull(ctx, "page's data", () => innertube("next", body, ctx))
  if (next && watchFields(next).title !== null) return { player: undefined, next }
  const basics = await orNull(ctx, "title for other sites", () => embedBasics(videoId, ctx))
  if (basics) return { player: basics, next: undefined }
  throw page?.player ? unavailable(page.player) : refused
}

/** Returns the data of a video for sites that embed it, in the player's form. */
async function embedBasics(videoId: string, ctx: Context): Promise<Json | null> {
  const query = { url: watchUrl(videoId), format: "json" }
  const reported = await ctx.json(`${youtube}/oembed`, { query })
  if (typeof at(reported, "title") !== "string") return null
  const image = { url: at(reported, "thumbnail_url") }
  return {
    videoDetails: {
      title: at(reported, "title"),
      author: at(reported, "author_name"),
      thumbnail: { thumbnails: [image] },
    },
    microformat: { playerMicroformatRenderer: { ownerProfileUrl: at(reported, "author_url") } },
  }
}

/** Returns the error for the status of a player without data. */
function unavailable(player: Json): ScrapeError {
  const status = at(player, "playabilityStatus")
  const word = at<string>(status, "status")
  const reason = reasonOf(status)
  if (typeof word !== "string") return new Changed("YouTube's response does not contain the video.")
  const message = `YouTube reports for the video: ${reason ?? word}`
  if (word === "LOGIN_REQUIRED" && namesBots.test(reason ?? ""))
    return new Blocked(message, "YouTube")
  if (/try again later/i.test(reason ?? "")) return new RateLimited(message)
  return word === "ERROR" ? new NotFound(message) : new Forbidden(message)
}
