import { distinct, plainText } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  cursor,
  defineScraper,
  inputs,
  items,
  NotFound,
  parseError,
  readOnce,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { readBusinessPage, review } from "./sitejabber.ts"

const item = {
  business: items.requiredText("Business as written in the input."),
  businessDomain: items.requiredText("Domain of the business."),
  businessName: items.text("Name of the business."),
  businessUrl: items.requiredText("URL of the page with the business's reviews."),
  businessRating: items.number("Mean rating of the business (0-5)."),
  businessReviewCount: items.integer("Number of reviews of the business."),
  ...review.fields,
}

const pageSize = 20
const refusal = { statuses: [403] }
const headers = { "accept-language": "en-US,en;q=0.9" }
const site = "https://www.smartcustomer.com/reviews/"
const formerSite = "https://www.sitejabber.com/reviews/"

export default defineScraper({
  slug: "sitejabber-reviews-scraper",
  name: "Sitejabber Reviews",
  tagline: "Reviews of a web shop on Sitejabber (now SmartCustomer).",
  category: "reviews",
  input: {
    businesses: inputs.texts(
      "Domains, for example thriftbooks.com, or Sitejabber review page URLs.",
      { max: 500 },
    ),
    maxReviewsPerBusiness: inputs.count("Maximum reviews per business; a page lists 20", {
      max: 1000,
      or: 20,
    }),
  },
  item,
  example: { businesses: ["thriftbooks.com"], maxReviewsPerBusiness: 20 },
  probe: {
    input: { businesses: ["thriftbooks.com"], maxReviewsPerBusiness: 5 },
    expect: [
      "items.length gte 3",
      'items[0].businessName matches "thrift"',
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].text share 0.8",
      "?items[*].publishedAt share 0.8",
    ],
  },
  rateLimit: {
    "www.smartcustomer.com": { perSecond: 0.33, concurrency: 1 },
    "www.sitejabber.com": { perSecond: 0.33, concurrency: 1 },
  },
  fetchMethods: ["http", "browser-http", "browser"],
  concurrency: 2,
  targets: (input) => distinct(input.businesses),
  identify: (business) => ({ input: business, business }),

  async *scrape(business, ctx) {
    const cap = ctx.input.maxReviewsPerBusiness
    for await (const row of reviews(businessDomain(business), cap, ctx)) {
      yield { business, ...row }
    }
  },
})

function businessDomain(business: string): string {
  const text = business.trim().toLowerCase()
  const page =
    /(?:sitejabber|smartcustomer)\.com\/(?:online-business-review(?:\/|\?url=)|reviews\/)([^/?#&]+)/
  const domain =
    page.exec(text)?.[1] ?? text.replace(/^https?:\/\//, "").replace(/^www\.|[/?#].*$/g, "")
  if (/^[a-z0-9.-]+\.[a-z]{2,}$/.test(domain)) return domain
  throw new BadInput(`"${business}" is neither a domain nor a Sitejabber URL.`)
}

function reviews(domain: string, cap: number, ctx: Context) {
  const read = readOnce((response) => readBusinessPage(response, domain, ctx.now()))
  const open = (url: string) =>
    ctx.page(url, {
      has: (response) => read(response).reviews.length > 0 || reportsNone(response),
      what: "the reviews",
      refusal,
      headers,
    })
  let address = ""
  let count = 0
  const page = async (number = 1) => {
    const response =
      number === 1 ? await firstPage(domain, open) : await open(`${address}?page=${number}`)
    if (number === 1) address = response.url.replace(/[?#].*$/, "")
    const { business, reviews } = read(response)
    const { businessReviewCount: total } = business
    if (reviews.length === 0 && number === 1) requireEmpty(response, total)
    count += reviews.length
    const hasNext = response.document.querySelector(
      'a[rel="next"], link[rel="next"], .pagination__next',
    )
    const isLast = (total !== null && count >= total) || !(hasNext || reviews.length >= pageSize)
    const rows = reviews.map((row) => ({ ...business, ...review.read(row) }))
    return { rows, next: isLast ? null : number + 1 }
  }
  return cursor(page, {
    cap,
    keyOf: ({ id, reviewerName, publishedAt, title }) =>
      id ?? [reviewerName, publishedAt, title].join("|"),
  })
}

/**
 * Requests the page under the site's new name, then under its old one, then with `www.` in the
 * domain.
 */
async function firstPage(domain: string, open: (url: string) => Promise<UpstreamResponse>) {
  const addresses = [`${site}${domain}`, `${formerSite}${domain}`]
  if (!domain.startsWith("www.")) addresses.push(`${site}www.${domain}`)
  let failure: NotFound | Unreachable | undefined
  for (const address of addresses) {
    try {
      const response = await open(address)
      if (/\/reviews\/./.test(new URL(response.url).pathname)) return response
      const details = { url: address, statusCode: response.status }
      failure = new NotFound(`No such business on Sitejabber: ${domain}.`, details)
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof Unreachable)) throw error
      if (!(failure instanceof NotFound)) failure = error
    }
  }
  throw failure!
}

/** Throws unless a page without reviews states that there are none. */
function requireEmpty(response: UpstreamResponse, counted: number | null): void {
  if (counted === 0) return
  if (counted !== null) {
    throw parseError(`Sitejabber counts ${counted} reviews, but its page has none.`, response)
  }
  if (!reportsNone(response)) throw response.explainMissing("the reviews")
}

function reportsNone({ document }: UpstreamResponse): boolean {
  const text = plainText(document.body) ?? ""
  return document.querySelector("h1") !== null && /\b0 reviews\b|be the first to review/i.test(text)
}
