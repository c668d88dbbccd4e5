import { at, initData } from "../../extract/embedded/index.ts"
import { type Answer, BadInput, type Context, NotFound } from "../kit/index.ts"
import { googleCookies, googleWall } from "./google.ts"

export const play = "https://play.google.com"
export const playPace = { "play.google.com": { perSecond: 1, concurrency: 2 } }

/**
 * Where a store page's record of an app holds what, and the name of the call for reviews. Positions
 * drift about once a year; an operator may correct them (TRAWL_UPSTREAM_GOOGLE_PLAY).
 */
export const playLayout = {
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
}
export type PlayLayout = typeof playLayout

export interface PlayApp {
  appId: string
  /** Language and country in the address that was given. */
  hl: string | null
  gl: string | null
}

/** @throws BadInput */
export function readPlayApp(target: string): PlayApp {
  const text = target.trim()
  const url = /^(?:https?:\/\/|play\.google\.com\/)/i.test(text)
    ? URL.parse(text.replace(/^(?!https?:)/i, "https://"))
    : null
  const appId = url ? (url.searchParams.get("id") ?? "") : text
  if (!/^[A-Za-z]\w*(?:\.\w+)+$/.test(appId)) {
    throw new BadInput(`"${target}" is not an app of Google Play; give its package id or address.`)
  }
  const param = (name: string) => url?.searchParams.get(name) ?? null
  return { appId, hl: param("hl"), gl: param("gl") }
}

export const playUrl = (appId: string) => `${play}/store/apps/details?id=${appId}`

/** Fields by which an error item names its app. */
export function namePlayApp(target: string): Record<string, unknown> {
  try {
    const { appId } = readPlayApp(target)
    return { input: target, appId, url: playUrl(appId) }
  } catch {
    return { input: target }
  }
}

/** An app's page; asked for again without country where it is not sold in that one. */
export async function playPage(
  appId: string,
  hl: string,
  gl: string,
  ctx: Context,
): Promise<Answer> {
  const ask = (country: string | undefined) =>
    ctx.html(`${play}/store/apps/details`, {
      query: { id: appId, hl, gl: country },
      headers: { "accept-language": `${hl},en;q=0.8` },
      cookies: googleCookies,
    })
  const answer = await ask(gl).catch((error) => {
    if (!(error instanceof NotFound)) throw error
    return ask(undefined).catch(() => {
      ctx.signal.throwIfAborted()
      throw new NotFound(`Google Play has no app ${appId}.`, {
        url: error.url,
        statusCode: error.statusCode,
      })
    })
  })
  const wall = googleWall(answer)
  if (wall) throw wall
  return answer
}

/** The record of the app in its page, wherever the page keeps it; undefined without it. */
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
