import { unseen, words } from "../../extract/core/index.ts"
import type { PriceHints } from "../../extract/price/index.ts"
import {
  BadInput,
  type Context,
  inputs,
  NotFound,
  orNull,
  type PageOptions,
  targetUrl,
  type UpstreamResponse,
} from "../kit/index.ts"
import markets from "./markets.json"
import { notFoundTitle } from "./words.json"

/** A marketplace, by its top-level domain. */
export type AmazonDomain = keyof typeof markets
const domains = Object.keys(markets) as AmazonDomain[]

export const domainInput = (what: string) =>
  inputs.choice(domains, `Top-level domain of the marketplace${what}, for example co.uk.`, "com")

export const amazonRateLimit = Object.fromEntries(
  domains.map((domain) => [`www.amazon.${domain}`, { perSecond: 1, concurrency: 2 }]),
)

/** Number format and currency of a marketplace's prices. */
export const priceHints = (domain: AmazonDomain): PriceHints => markets[domain]

export const productUrl = (domain: AmazonDomain, asin: string) =>
  `https://www.amazon.${domain}/dp/${asin}`

export interface AmazonTarget {
  [key: string]: unknown
  /** Product as written in the input. */
  input: string
  domain: AmazonDomain
  /** Missing for short links and for pages other than products. */
  asin?: string
}

const inUrl =
  /\/(?:d|dp|product|ASIN|product-reviews|offer-listing|detail\/-)\/([A-Z0-9]{10})(?:[/?#]|$)/i
const shortHosts = new Set(["a.co", "amzn.to", "amzn.eu", "amzn.asia"])

/** Returns the products without duplicates. The marketplace in a URL overrides `domain`. */
export function amazonTargets(products: string[], domain: AmazonDomain): AmazonTarget[] {
  const targets = products.map((input) => ({ input, domain, ...productOf(input.trim(), domain) }))
  return unseen(targets, new Set(), ({ input, domain, asin }) =>
    asin ? `${domain}/${asin}` : input.trim(),
  )
}

/** Gives error items the same identifying fields as other items. */
export const identifyProduct = ({ input, domain, asin }: AmazonTarget) =>
  asin ? { input, asin, domain } : { input }

function productOf(text: string, domain: AmazonDomain) {
  if (/^[A-Z0-9]{10}$/i.test(text)) return { asin: text.toUpperCase(), domain }
  const url = targetUrl(text)
  const asin = inUrl.exec(`${url?.pathname ?? ""}?`)?.[1]
  const own = /^(?:www\.|m\.|smile\.)?amazon\.([a-z.]+)$/i.exec(url?.hostname ?? "")?.[1]
  const known = domains.find((name) => name === own?.toLowerCase())
  return asin && known ? { asin: asin.toUpperCase(), domain: known } : null
}

/** Returns the target with its product. Short links are followed to their destination. */
export async function resolveTarget(target: AmazonTarget, ctx: Context) {
  if (target.asin) return { ...target, asin: target.asin }
  let url = targetUrl(target.input.trim())
  for (let hop = 0; url && shortHosts.has(url.hostname) && hop < 3; hop++) {
    const response = await ctx.get(url.href, { redirect: "manual", identity: "browser" })
    const location = response.headers.get("location")
    url = location ? URL.parse(location, url.href) : null
    const product = url && productOf(url.href, target.domain)
    if (product) return { ...target, ...product }
  }
  throw new BadInput(
    `"${target.input}" is not an Amazon product. Use a URL with /dp/ or an ASIN of ten characters.`,
  )
}

interface WantedElement {
  /** CSS selector of an element that identifies the page. */
  selector: string
  what: string
  /** Cookies of a signed-in session, used instead of the run's own. */
  cookie?: string
}

export const productPart = { selector: "#productTitle, input#ASIN", what: "the product" }

/** Returns a page of a marketplace that has the requested element. */
export async function amazonPage(
  url: string,
  domain: AmazonDomain,
  { selector, what, cookie }: WantedElement,
  ctx: Context,
): Promise<UpstreamResponse> {
  const { currency, language } = markets[domain]
  const options: PageOptions = {
    headers: {
      "accept-language": `${language},${language.slice(0, 2)};q=0.9,en;q=0.5`,
      ...(cookie ? { cookie } : {}),
    },
    cookies: { "i18n-prefs": currency },
    waitFor: selector,
    what,
    // Amazon refuses cloud providers' IP addresses with an empty error response.
    refusal: {
      statuses: [403, 503],
      sign: /\/errors\/validateCaptcha|opfcaptcha\.amazon|Enter the characters you see below|make sure you(?:'|&#39;|’)re not a robot|<title[^>]*>\s*(?:Robot Check|Sorry! Something went wrong)|To discuss automated access to Amazon data/i,
    },
  }
  const isThere = (response: UpstreamResponse) => response.document.querySelector(selector) !== null
  const isReported = (response: UpstreamResponse) =>
    isThere(response) || missingOn(response, url) !== null
  // The cookies of the answer to the challenge are valid only for the fetch method that got it.
  const response = await ctx.escalate(url, async (ctx) => {
    const has = (response: UpstreamResponse) =>
      isReported(response) || continueForm(response) !== null
    const first = await ctx.page(url, { ...options, has })
    const form = isReported(first) ? null : continueForm(first)
    if (!form) return first
    const open = () => ctx.page(form, { ...options, has: isReported, retries: 0 })
    const passed = await orNull(ctx, 'Amazon\'s "Continue shopping" page', open)
    if (passed && isThere(passed)) return passed
    throw first.explainMissing(what)
  })
  if (isThere(response)) return response
  throw missingOn(response, url) ?? response.explainMissing(what)
}

const notFound = new RegExp(`^(?:404\\b|${words(notFoundTitle)})`, "iu")

/** Recognizes the pages that Amazon shows for a product that does not exist. */
function missingOn(response: UpstreamResponse, url: string): NotFound | null {
  const details = { url, response }
  if (new URL(response.url).pathname === "/") {
    return new NotFound("Amazon shows its home page instead of this page.", details)
  }
  return notFound.test(response.document.title.trim())
    ? new NotFound("Amazon reports that this page does not exist.", details)
    : null
}

/**
 * Returns the URL of the button "Continue shopping", or null for pages with an image captcha.
 * Some clients get a page with only this button once instead of the requested page.
 */
function continueForm(response: UpstreamResponse): string | null {
  const form = response.document.querySelector('form[action*="/errors/validateCaptcha"]')
  if (!form || form.querySelector("img, input[type=text]")) return null
  const url = new URL(form.getAttribute("action")!, response.url)
  for (const input of form.querySelectorAll("input[name]")) {
    url.searchParams.set(input.getAttribute("name")!, input.getAttribute("value") ?? "")
  }
  return url.href
}

/** Parses a whole number of any country: "21,200 ratings", "5.182", "1,23,456", "(226)". */
export function countIn(text: string | null): number | null {
  const match = /\d[\d.,\s\u00a0\u202f’']*/.exec(text ?? "")
  return match ? Number(match[0].replace(/\D/g, "")) : null
}
