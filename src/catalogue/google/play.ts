import { at, initData } from "../../extract/embedded/index.ts"
import { schemaNodes } from "../../extract/structured/index.ts"
import { BadInput, type Context, NotFound, type UpstreamResponse } from "../kit/index.ts"
import { googleCookies, googlePage } from "./google.ts"
import { type PlayLayout, playTable } from "./play-layout.ts"

export const play = "https://play.google.com"
export const playRateLimit = { "play.google.com": { perSecond: 1, concurrency: 2 } }

export interface PlayApp {
  appId: string
  /** Language and country in the given URL; null if it has none. */
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
export function playPage(
  appId: string,
  hl: string,
  gl: string,
  ctx: Context,
): Promise<UpstreamResponse> {
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
      throw new NotFound(`Google Play has no app ${appId}.`, {
        url: error.url,
        statusCode: error.statusCode,
      })
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
