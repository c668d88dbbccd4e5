import { Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  firstAttribute,
  parseCount,
  plainText,
  words,
} from "../../extract/core/index.ts"
import { at, JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import {
  assertScrapeError,
  BadInput,
  Blocked,
  Changed,
  type Context,
  decodedPath,
  defineScraper,
  distinctTargets,
  errorItem,
  Forbidden,
  inputs,
  itemObject,
  items,
  NotFound,
  RateLimited,
  type RenderedResponse,
  readRows,
  recordFields,
  redirectTarget,
  refusedPage,
  type ScrapeError,
  type Tab,
  type UpstreamResponse,
} from "../kit/index.ts"
import { videoList } from "./recent.ts"
import { loginRequired, tiktokRefusal, tiktokScraper, tiktokSite } from "./tiktok.ts"
import { tiktokVideo, tiktokVideoFields } from "./video.ts"
import { videos, views } from "./words.json"

const maxScrolls = 20
const listCall = /\/api\/challenge\/item_list\//

const hashtag = itemObject({
  ...recordFields("hashtag"),
  id: items.text("ID of the hashtag."),
  name: items.requiredText("Name, without #."),
  description: items.text("Description of the hashtag."),
  videosCount: items.integer(
    "Number of videos with the hashtag; rounded if only the page has the number.",
  ),
  viewsCount: items.integer("Number of views of all its videos."),
  coverUrl: items.text("URL of the hashtag's image."),
  isCommerce: items.boolean("Whether the hashtag belongs to a commercial campaign."),
})
const video = itemObject({
  ...tiktokVideoFields,
  hashtag: items.requiredText("Hashtag that was requested, without #."),
  position: items.requiredInteger("Position in the hashtag's list, from 1."),
})
const viewsForm = new RegExp(words(views), "iu")
const videosForm = new RegExp(words(videos), "iu")

/** Returns the counts on a hashtag's page, from "1.2M views" or "34.5K posts". */
export function countedOf(visible: string | null): { views: number | null; videos: number | null } {
  const count = parseCount(visible)
  const isOfViews = viewsForm.test(visible ?? "")
  return {
    views: isOfViews ? count : null,
    videos: !isOfViews && videosForm.test(visible ?? "") ? count : null,
  }
}

export default defineScraper({
  slug: "tiktok-hashtag-scraper",
  name: "TikTok Hashtags",
  tagline: "Videos under a TikTok hashtag with the tag's view and video counts.",
  ...tiktokScraper,
  input: {
    hashtags: inputs.texts("Hashtags, for example cooking or #cooking, or hashtag page URLs.", {
      max: 100,
    }),
    maxVideos: inputs.count("Maximum videos per hashtag", { max: 300, or: 30 }),
  },
  item: Type.Union([hashtag, video]),
  example: { hashtags: ["cooking"], maxVideos: 10 },
  probe: {
    input: { hashtags: ["cooking"], maxVideos: 3 },
    expect: [
      "items.length gte 2",
      'items[0].name equals "cooking"',
      "?items[0].viewsCount gte 1000000000",
      "?items[*].playsCount share 0.5",
    ],
  },
  fetchMethods: ["browser", "unlocker"],
  targets: ({ hashtags }) => distinctTargets(hashtags, tagName),

  async *scrape(target, ctx) {
    const { maxVideos } = ctx.input
    const name = tagName(target)
    const { facts, videos, refusal } = await tagOf(name, maxVideos, ctx)
    yield { type: "hashtag" as const, input: target, ...facts }
    let position = 0
    const read = (found: JsonReader) => tiktokVideo(found, target)
    for await (const video of readRows(videos, read, ctx)) {
      if (++position > maxVideos) break
      yield { ...video, hashtag: name, position }
    }
    if (refusal) yield errorItem(refusal, { input: target })
  },
})

function tagName(target: string): string {
  const text = target.trim()
  const url = /tiktok\.com\/tag\/([^/?#]+)/i.exec(text)
  const name = (url ? decodedPath(url[1]!) : text.replace(/^#/, "")).toLowerCase()
  if (/^[\p{L}\p{M}\p{N}_]{1,100}$/u.test(name)) return name
  throw new BadInput(`"${target}" is not a valid hashtag.`)
}

const tagUrl = (name: string) => `${tiktokSite}/tag/${encodeURIComponent(name)}`

type Tag = { facts: ReturnType<typeof factsOf>; videos: JsonReader[]; refusal: ScrapeError | null }

/** Tries the next fetch method if one gets no list. If all fail, returns only the facts. */
async function tagOf(name: string, wanted: number, ctx: Context): Promise<Tag> {
  let plain: Tag | undefined
  const requested = ctx.escalate(tiktokSite, async (ctx) => {
    const tag = await tagByMethod(name, wanted, ctx)
    if (tag.videos.length > 0 || !(tag.refusal instanceof Blocked)) return tag
    plain ??= tag
    throw tag.refusal
  })
  return requested.catch((error) => {
    ctx.signal.throwIfAborted()
    if (!plain) throw error
    return plain
  })
}

/**
 * Uses Chrome, because the page's script signs the list requests; without Chrome, returns only the
 * facts.
 */
async function tagByMethod(name: string, wanted: number, ctx: Context): Promise<Tag> {
  try {
    return await ctx.browse((tab) => readTag(name, wanted, tab, ctx))
  } catch (error) {
    if (!(error instanceof Forbidden) || error.code !== "forbidden") throw error
    ctx.log(error.message)
    const page = await ctx.get(tagUrl(name), { identity: "browser", accept: [403] })
    const details = { code: "browser_unavailable", url: page.url }
    const refusal = new Forbidden("TikTok's video lists need Chrome.", details)
    return { facts: factsOf(page, name), videos: [], refusal }
  }
}

/** Returns the hashtag's facts, and the videos of the lists that its page loads on scrolling. */
async function readTag(name: string, wanted: number, tab: Tab, ctx: Context): Promise<Tag> {
  const url = tagUrl(name)
  const options = { capture: listCall, waitFor: "[data-e2e=challenge-title]" }
  let page = await tab.goto(url, options).catch((error) => {
    if (/^\/login\b/.test(redirectTarget(error))) throw loginRequired(url)
    throw error
  })
  const facts = factsOf(page, name)
  const videos = new Map<string, JsonReader>()
  try {
    let state = collect(page, videos)
    if (state === "refused") {
      page = await tab.goto(url, options)
      state = collect(page, videos)
    }
    for (let scrolls = 0; state === "more" && videos.size < wanted; scrolls++) {
      if (scrolls >= maxScrolls) break
      const before = page.captured.length
      await tab.scroll({ screens: 2 })
      page = await tab.read()
      if (page.captured.length === before) break
      state = collect(page, videos)
    }
    const isEmpty = videos.size === 0 && facts.videosCount !== 0
    const refusal = !isEmpty ? null : hasOtherForm(page) ? listChanged(page) : listRefused(page)
    return { facts, videos: [...videos.values()], refusal }
  } catch (error) {
    assertScrapeError(error, ctx)
    return { facts, videos: [...videos.values()], refusal: error }
  }
}

/** Adds the videos of the captured lists, and returns whether there are more. */
function collect(page: RenderedResponse, videos: Map<string, JsonReader>) {
  const reported = page.captured.filter(({ bytes }) => bytes.length > 0)
  let more = reported.length > 0 && reported.length === page.captured.length
  for (const response of reported) {
    const list = videoList(response)
    for (const entry of list.list("itemList")) {
      const id = entry.text("id")
      if (id && (entry.has("video") || entry.has("imagePost"))) videos.set(id, entry)
    }
    more &&= response !== reported.at(-1) || hasMore(list)
  }
  if (reported.length < Math.max(1, page.captured.length) && videos.size === 0) return "refused"
  return more ? "more" : "end"
}

const hasMore = (list: JsonReader) =>
  list.value("hasMore") === true || list.integer("hasMore") === 1

/** Returns whether a captured response is JSON without a list of videos, not even an empty one. */
const hasOtherForm = ({ captured }: RenderedResponse) =>
  captured.some(
    (response) =>
      response.status < 400 &&
      /^\s*\{\s*"/.test(response.text().slice(0, 100)) &&
      !Array.isArray(videoList(response).value("itemList")),
  )

const listChanged = (response: UpstreamResponse) =>
  new Changed("TikTok's response does not contain the hashtag's videos.", { response })

const listRefused = (response: UpstreamResponse) =>
  new Blocked("TikTok withholds the hashtag's videos from this browser.", "TikTok", { response })

function factsOf(page: UpstreamResponse, requested: string) {
  const { document } = page
  if (/^\/login\b/.test(new URL(page.url).pathname)) throw loginRequired(page.url)
  const state = scriptJson(document, "script#__UNIVERSAL_DATA_FOR_REHYDRATION__")
  const detail = new JsonReader(at(state, "__DEFAULT_SCOPE__", "webapp.challenge-detail"))
  const challenge = detail.in("challengeInfo", "challenge")
  const count = (key: string) =>
    detail.integer("challengeInfo", "statsV2", key) ?? detail.integer("challengeInfo", "stats", key)
  const title = plainText(document.querySelector("[data-e2e=challenge-title]"))
  const appMeta = 'meta:is([property="al:ios:url"], [name="al:ios:url"])'
  const appLink = firstAttribute(document, appMeta, "content")
  const id = challenge.text("id") ?? /challenge\/detail\/(\d+)/.exec(appLink ?? "")?.[1] ?? null
  const name = challenge.text("title") ?? title?.replace(/^#/, "")
  if (!name) {
    if (detail.integer("statusCode"))
      throw new NotFound("No such hashtag on TikTok.", { url: page.url })
    if (page.status === 429) {
      const details = { response: page }
      throw new RateLimited("TikTok limits the rate of requests (status 429).", null, details)
    }
    const scrapeError = page.explainMissing("the tag's facts")
    if (scrapeError instanceof Blocked || scrapeError instanceof Forbidden) throw scrapeError
    throw refusedPage(page, tiktokRefusal) ?? scrapeError
  }
  const counted = countedOf(plainText(document.querySelector("[data-e2e=challenge-vvcount]")))
  const avatar = firstAttribute(document, "[data-e2e=challenge-avatar] img", "src")
  return {
    id,
    name,
    url: tagUrl(requested),
    description:
      challenge.text("desc") ?? plainText(document.querySelector("[data-e2e=challenge-desc]")),
    videosCount: count("videoCount") ?? counted.videos,
    viewsCount: count("viewCount") ?? counted.views,
    coverUrl:
      challenge.text("coverLarger") ??
      challenge.text("profileLarger") ??
      absoluteUrl(avatar, tiktokSite),
    isCommerce: challenge.flag("isCommerce"),
  }
}
