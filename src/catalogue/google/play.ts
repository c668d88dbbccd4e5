import { at, initData } from "../../extract/embedded/index.ts"
import { schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  type Context,
  NotFound,
  type UpstreamResponse,
  upstreamTable,
} from "../kit/index.ts"
import { googleCookies, googlePage } from "./google.ts"

export const play = "https://play.google.com"
export const playRateLimit = { "play.google.com": { perSecond: 1, concurrency: 2 } }

/**
 * Positions in a store page's record of an app, and the name of the call for reviews. Positions
 * change about once a year.
 */
export const playTable = upstreamTable("google_play", "2026-08", {
  reviewsCall: "oCPfdb",
  record: [1, 2],
  title: [0, 0],
  contentRating: [9, 0],
  contentRatingDescription: [9, 2, 1],
  released: [10, 0],
  descriptionTranslated: [12, 0, 0, 1],
  installs: [13],
  availability: [18],
  inAppPrices: [19, 0],
  ads: [48],
  ratings: [51],
  offer: [57, 0, 0, 0, 0],
  playPass: [62],
  developer: [68],
  contact: [69],
  description: [72, 0, 1],
  summary: [73, 0, 1],
  screenshots: [78, 0],
  genre: [79, 0, 0],
  icon: [95, 0, 3, 2],
  headerImage: [96, 0, 3, 2],
  privacyPolicy: [99, 0, 5, 2],
  video: [100, 0, 0, 3, 2],
  videoImage: [100, 1, 0, 3, 2],
  categories: [118],
  version: [140, 0, 0, 0],
  androidVersion: [140, 1, 1, 0, 0, 1],
  androidMaxVersion: [140, 1, 1, 0, 1, 1],
  recentChanges: [144, 1, 1],
  updated: [145, 0, 1, 0],
})
export type PlayLayout = typeof playTable.values

/**
 * Returns the package name of an app, and the language and country in its URL; null if it has none.
 * @throws BadInput
 */
export function readPlayApp(target: string) {
  const text = target.trim()
  const url = /^(?:https?:\/\/|play\.google\.com\/)/i.test(text)
    ? URL.parse(text.replace(/^(?!https?:)/i, "https://"))
    : null
  const appId = url ? (url.searchParams.get("id") ?? "") : text
  if (!/^[A-Za-z]\w*(?:\.\w+)+$/.test(appId)) {
    throw new BadInput(`"${target}" is not a Google Play app. Use a package name or a URL.`)
  }
  const param = (name: string) => url?.searchParams.get(name) ?? null
  return { appId, hl: param("hl"), gl: param("gl") }
}

export const playUrl = (appId: string) => `${play}/store/apps/details?id=${appId}`

/** Returns the fields that identify the app in an error item. */
export function namePlayApp(target: string): Record<string, unknown> {
  try {
    const { appId } = readPlayApp(target)
    return { input: target, appId, url: playUrl(appId) }
  } catch {
    return { input: target }
  }
}

/** Returns an app's page, without a country if the app is not available in the requested one. */
export function playPage(appId: string, hl: string, gl: string, ctx: Context) {
  const layout = ctx.upstream(playTable)
  const isApp = (response: UpstreamResponse) =>
    appRecord(response.text(), layout) !== undefined || schemaNodes(response.document).length > 0
  const request = (country: string | undefined) =>
    googlePage(ctx, `${play}/store/apps/details`, {
      has: isApp,
      what: "the app's record",
      query: { id: appId, hl, gl: country },
      headers: { "accept-language": `${hl},en;q=0.8` },
      cookies: googleCookies(ctx),
    })
  return request(gl).catch((error) => {
    if (!(error instanceof NotFound)) throw error
    return request(undefined).catch(() => {
      ctx.signal.throwIfAborted()
      const { url, statusCode } = error
      throw new NotFound(`Google Play has no app ${appId}.`, { url, statusCode })
    })
  })
}

/** Returns the record of the app from anywhere in its page, or undefined if it has none. */
export function appRecord(html: string, layout: PlayLayout): unknown[] | undefined {
  const records = [...initData(html)].flatMap(([key, data]) => {
    const record = at(data, ...layout.record)
    const isApp =
      Array.isArray(record) &&
      typeof at(record, ...layout.title) === "string" &&
      Array.isArray(at(record, ...layout.developer))
    return isApp ? [{ key, record }] : []
  })
  return (records.find(({ key }) => key === "ds:5") ?? records[0])?.record
}
