import { absoluteUrl } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  type PageOptions,
  type Refusal,
  type UpstreamResponse,
} from "../kit/index.ts"

/** Akamai lets clients that it does not like wait forever. */
const refusal: Refusal = {
  statuses: [403],
  stalls: true,
  sign: /<title>\s*Access Denied|"_abck"|_sec\/cp_challenge/i,
}

export function apartmentsPage(
  url: string,
  options: PageOptions,
  ctx: Context,
): Promise<UpstreamResponse> {
  return ctx.page(url, {
    refusal,
    timeoutMs: 20_000,
    headers: { "accept-language": "en-US,en;q=0.9" },
    ...options,
  })
}

/** An address of the site, with its scheme. */
export function apartmentsUrl(target: string): URL {
  const text = target.trim()
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!url || !/^(?:www\.)?apartments\.com$/i.test(url.hostname) || url.pathname === "/") {
    throw new BadInput(`"${target}" is not a search or listing of www.apartments.com.`)
  }
  url.protocol = "https:"
  url.hostname = "www.apartments.com"
  url.hash = ""
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}

/**
 * Whether an address is `/{slug}/{id}/` of a listing: ids are seven letters and digits, and the one
 * filter of a search that looks alike is "studios".
 */
export function isListing(url: URL): boolean {
  return /^\/[^/]+\/(?!studios\b)[a-z0-9]{7}\/?$/.test(url.pathname)
}

/** The numbers of a range such as "$1,415 - $4,625", "Studio - 2 bd", "418 - 1,527 sq ft". */
export function rangeOf(text: string | null): { min: number | null; max: number | null } {
  const numbers = (text ?? "")
    .replace(/\bstudio\b/gi, "0")
    .match(/\d[\d,]*(?:\.\d+)?/g)
    ?.map((number) => Number(number.replaceAll(",", "")))
  if (!numbers) return { min: null, max: null }
  return { min: Math.min(...numbers), max: Math.max(...numbers) }
}

/** Pictures without the mark of their place in the page. */
export function imageOf(address: string | null): string | null {
  return absoluteUrl(address, "https://www.apartments.com")?.replace(/\?p=\d+$/, "") ?? null
}
