import { type WordTable, words } from "../../extract/core/index.ts"
import { type PriceHints, parsePrice } from "../../extract/price/index.ts"
import {
  type Context,
  NotFound,
  RateLimited,
  type Refusal,
  readOnce,
  ScrapeError,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"

export const ebayRateLimit = {
  "www.ebay.com": { perSecond: 0.7, concurrency: 1 },
  "*": { perSecond: 0.7, concurrency: 1 },
}

/** Akamai's refusal in eBay's design; it has any status. */
const refusal = {
  vendor: "Akamai",
  statuses: [403],
  address: /^https?:\/\/[^/?#]+\/splashui\//,
  sign: /<title>\s*(?:Error Page \| eBay|Pardon Our Interruption|Checking your browser)|class="reference-id"|\/splashui\/(?:challenge|captcha)/i,
} satisfies Refusal

const countries: Record<string, string> = { com: "US", "co.uk": "GB", "com.au": "AU" }

export function ebayCountry(host: string): string {
  const ending = host.replace(/^(?:www\.)?ebay\./, "")
  return countries[ending] ?? ending.toUpperCase()
}

export interface WantedPart<T> {
  /** Returns the part, an error if the page states that there is none, or null. */
  read(response: UpstreamResponse): T | null
  what: string
  /** Sign that a page without the part is a refusal. Default: eBay's own texts. */
  sign?: Refusal["sign"]
}

/** Returns the requested part of a page. Throws NotFound, RateLimited or UpstreamError. */
export async function ebayPart<T extends object>(
  url: string,
  { read, what, sign: shows }: WantedPart<T>,
  ctx: Context,
): Promise<Exclude<T, ScrapeError>> {
  const { address: href, sign } = refusal
  const partOf = readOnce(read)
  const page = ctx.page(url, {
    has: (response) =>
      !href.test(response.url) &&
      (response.status < 400 ? partOf(response) !== null : !sign.test(response.text())),
    what,
    refusal: { ...refusal, ...(shows ? { sign: shows } : {}) },
    accept: [404, 410, 500],
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  const response = await page.catch((error) => {
    if (!(error instanceof UpstreamError) || error.statusCode !== 503) throw error
    const message = "eBay limits the rate of requests (status 503)."
    throw new RateLimited(message, null, { url, statusCode: 503 })
  })
  if (response.status < 400) {
    const part = partOf(response) ?? response.explainMissing(what)
    if (part instanceof ScrapeError) throw part
    return part as Exclude<T, ScrapeError>
  }
  const { status } = response
  throw status === 500
    ? new UpstreamError("eBay failed (status 500).", { url, response })
    : new NotFound(`eBay reports that this does not exist (status ${status}).`, { url, response })
}

/** Parses "US $1.98", "C $26.17", "GBP 3.00", "5,95 EUR", also with a suffix such as "/ea". */
export const ebayPrice = (text: string | null, hints: PriceHints) =>
  text === null ? null : parsePrice(text.replace(/\b(C|NZ|HK|NT|S) \$/g, "$1$"), hints)

export const largeImage = (url: string): string => url.replace(/\/s-l\d+\./, "/s-l1600.")

/** Matches a word of any language; scripts such as Japanese have no spaces between words. */
export const anyOf = (...tables: WordTable[]) => `(?:${words(...tables)})`
