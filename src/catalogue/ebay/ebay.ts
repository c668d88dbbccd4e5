import { type PriceHints, parsePrice } from "../../extract/price/index.ts"
import {
  type Answer,
  Blocked,
  type Context,
  guardedPage,
  lacking,
  NotFound,
  type Outcome,
  RateLimited,
  UpstreamError,
} from "../kit/index.ts"

export const ebayPace = {
  "www.ebay.com": { perSecond: 0.7, concurrency: 1 },
  "*": { perSecond: 0.7, concurrency: 1 },
}

/** Akamai's refusal in eBay's clothes; it comes with any status. */
const wall = {
  statuses: [403],
  sign: /<title>\s*(?:Error Page \| eBay|Pardon Our Interruption|Checking your browser)|class="reference-id"|\/splashui\/(?:challenge|captcha)/i,
}

const countries: Record<string, string> = { com: "US", "co.uk": "GB", "com.au": "AU" }

/** The country whose site this host is. */
export function ebayCountry(host: string): string {
  const ending = host.replace(/^(?:www\.)?ebay\./, "")
  return countries[ending] ?? ending.toUpperCase()
}

export async function ebayPage(url: string, ctx: Context): Promise<Answer> {
  const answer = await guardedPage(ctx, url, wall, {
    accept: [404, 410, 500, 503],
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  const details = { url, statusCode: answer.status }
  if (/\/splashui\//.test(new URL(answer.url).pathname)) {
    throw new Blocked("www.ebay.com asks for a proof of being human.", null, details)
  }
  if (answer.status < 400) return answer
  if (wall.sign.test(answer.text())) {
    throw new Blocked(`eBay turns robots away (status ${answer.status}).`, "Akamai", details)
  }
  if (answer.status === 503) {
    throw new RateLimited("eBay limits the rate of requests (status 503).", null, details)
  }
  throw answer.status === 500
    ? new UpstreamError("eBay failed (status 500).", details)
    : new NotFound(`eBay says that this does not exist (status ${answer.status}).`, details)
}

export function ebayLacks(answer: Answer, what: string, wordless = false): Outcome {
  return lacking(answer, what, { ...wall, wordless })
}

/** "US $1.98", "C $26.17", "GBP 3.00", "5,95 EUR", with words such as "/ea" behind it. */
export function ebayPrice(text: string | null, hints: PriceHints) {
  return text === null ? null : parsePrice(text.replace(/\bC \$/g, "C$"), hints)
}

/** A picture in its largest size. */
export function largeImage(address: string): string {
  return address.replace(/\/s-l\d+\./, "/s-l1600.")
}
