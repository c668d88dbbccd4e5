import {
  briefText,
  HttpError,
  TooManyRedirects,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import { isRedirect } from "../../../extract/links/index.ts"
import type { WireResponse } from "./exchange.ts"

export const maxRedirects = 20

/** Returns the target of a redirect. @throws HttpError if it is not an http or https URL */
export function redirectTarget(wire: WireResponse, current: string): string | undefined {
  const location = wire.headers.get("location")
  if (!isRedirect(wire.status) || !location) return undefined
  const target = URL.parse(location, current)
  if (!target) return undefined
  if (/^https?:$/.test(target.protocol)) return target.href
  throw new HttpError(
    `${new URL(current).host} redirects to ${briefText(target.href)}, which is not an http or https URL.`,
    {
      url: current,
      statusCode: wire.status,
    },
  )
}

/**
 * Whether a redirect changes the method to GET, as in browsers: 303 always, 301 and 302 after a
 * POST, 307 and 308 never.
 */
export function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD"
  return (status === 301 || status === 302) && method === "POST"
}

export function tooManyRedirects(
  url: string,
  statusCode: number,
  hops: UpstreamResponse["redirects"],
): TooManyRedirects {
  const loop = new Set(hops.map((hop) => hop.location)).size < hops.length
  const how = loop ? "The redirects form a loop" : `More than ${maxRedirects} redirects`
  return new TooManyRedirects(`${how}, beginning at ${url}.`, { url, statusCode })
}
