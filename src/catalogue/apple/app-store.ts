import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  type Context,
  NotFound,
  RateLimited,
  type RequestOptions,
} from "../kit/index.ts"

export const itunes = "https://itunes.apple.com"
/** Apple allows about 20 requests per minute per IP address. */
export const itunesRateLimit = { perSecond: 1 / 3, concurrency: 1 }
/** Pages are about 800 kB large. */
export const storeRateLimit = { perSecond: 1, concurrency: 1 }

/** Parses an app ID, `id…` or an App Store URL (country in lower case); null for other text. */
export function readStoreApp(target: string): { id: string; country: string | null } | null {
  const text = target.trim()
  const plain = /^(?:id)?(\d+)$/i.exec(text)?.[1]
  if (plain) return { id: plain, country: null }
  const url = /^(?:https?:\/\/)?(?:apps|itunes)\.apple\.com\/([^?#]*)/i.exec(text)
  const id = /(?:^|\/)id(\d+)(?:\/|$)/.exec(url?.[1] ?? "")?.[1] ?? /[?&]id=(\d+)/.exec(text)?.[1]
  if (!url || !id) return null
  return { id, country: /^([a-z]{2})\//i.exec(url[1]!)?.[1]?.toLowerCase() ?? null }
}

/** @throws BadInput */
export function requireStoreApp(target: string) {
  const app = readStoreApp(target)
  if (app) return app
  throw new BadInput(`"${target}" is not an App Store app. Use an app ID or an App Store URL.`)
}

/** Returns results of Apple's search API. Throws BadInput (Apple's text), RateLimited, NotFound. */
export async function itunesJson(path: string, query: RequestOptions["query"], ctx: Context) {
  const call = ctx.get(`${itunes}${path}`, { query, accept: [400, 403, 404] })
  const response = await busyIsRateLimit(call)
  const details = { response }
  if (response.status === 403) {
    const message = "Apple allows about 20 requests per minute and refused this one. Retry later."
    throw new RateLimited(message, null, details)
  }
  if (response.status === 404)
    throw new NotFound("Apple's API has no such resource (status 404).", details)
  const json = response.json<unknown>()
  if (response.status < 400) {
    const results = at(json, "results")
    if (Array.isArray(results)) return results
    throw response.explainMissing("a list of results")
  }
  const reason = at<string>(json, "errorMessage") ?? `status ${response.status}`
  throw new BadInput(`Apple does not accept the request: ${reason}`, details)
}
