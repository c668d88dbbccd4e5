import { absoluteUrl } from "../../extract/core/index.ts"
import { BadInput, type PageOptions, targetUrl } from "../kit/index.ts"

export const pageOptions = {
  // Akamai lets the requests of unwanted clients time out instead of refusing them.
  refusal: {
    statuses: [403],
    stalls: true,
    sign: /<title>\s*Access Denied|"_abck"|_sec\/cp_challenge/i,
  },
  timeoutMs: 20_000,
  headers: { "accept-language": "en-US,en;q=0.9" },
} satisfies PageOptions

/** Returns a URL of the site, with its scheme. */
export function apartmentsUrl(target: string): URL {
  const url = targetUrl(target)
  if (!url || !/^(?:www\.)?apartments\.com$/i.test(url.hostname) || url.pathname === "/") {
    throw new BadInput(`"${target}" is not a search or listing of www.apartments.com.`)
  }
  url.protocol = "https:"
  url.hostname = "www.apartments.com"
  url.hash = ""
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}

/** Returns whether a path is `/{slug}/{id}/`. IDs have 7 characters; "studios" is a filter. */
export const isListing = (url: URL): boolean =>
  /^\/[^/]+\/(?!studios\b)[a-z0-9]{7}\/?$/.test(url.pathname)

/** Parses the ends of a range: "$1,415 - $4,625", "Studio - 2 bd" or "418 - 1,527 sq ft". */
export function rangeOf(text: string | null): { min: number | null; max: number | null } {
  const numbers = (text ?? "")
    .replace(/\bstudio\b/gi, "0")
    .match(/\d[\d,]*(?:\.\d+)?/g)
    ?.map((number) => Number(number.replaceAll(",", "")))
  if (!numbers) return { min: null, max: null }
  return { min: Math.min(...numbers), max: Math.max(...numbers) }
}

/** Returns the image URL without the fragment for its position in the page. */
export const imageOf = (url: string | null): string | null =>
  absoluteUrl(url, "https://www.apartments.com")?.replace(/\?p=\d+$/, "") ?? null
