import { distinct, plainText } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  cursor,
  datedReply,
  defineScraper,
  inputs,
  items,
  nullable,
  parseError,
  readRows,
  record,
  reviewFields,
  type UpstreamResponse,
} from "../kit/index.ts"
import { describedCount, productOf, reviewCards, reviewOf } from "./capterra.ts"

const item = record({
  product: items.requiredText("Product as written in the input."),
  productId: items.requiredText("Capterra's ID of the product."),
  productSlug: items.requiredText("Name of the product in URLs."),
  productUrl: items.requiredText("URL of the product."),
  productName: items.text("Name of the product."),
  productReviewCount: items.integer("Number of reviews of the product."),
  id: items.requiredText("ID made of product, reviewer, day and title, because the page has none."),
  url: items.requiredText("URL of the product's reviews."),
  ...reviewFields("title", "rating"),
  ratings: items.requiredObject("Stars by topic (0-5).", {
    easeOfUse: items.number("Stars for ease of use (0-5)."),
    features: items.number("Features."),
    valueForMoney: items.number("Stars for value for money (0-5)."),
    customerService: items.number("Customer service."),
  }),
  likelihoodToRecommend: items.integer("From 0 to 10."),
  reviewedOn: items.text("Day of the review, YYYY-MM-DD."),
  ...reviewFields("reviewerName"),
  reviewerRole: items.text("Job title of the reviewer."),
  reviewerIndustry: items.text("Industry of the reviewer."),
  usedFor: items.text("Time for which the reviewer has used the product."),
  reviewerAvatarUrl: items.text("Image of the reviewer."),
  ...reviewFields("text", "pros", "cons"),
  alternativesConsidered: items.text("Alternatives that the reviewer considered."),
  reasonForChoosing: items.text("Reason for choosing this product."),
  switchedFrom: items.text("Product that the reviewer used before."),
  reasonForSwitching: items.text("Reason for leaving the earlier product."),
  incentivized: items.boolean("Whether the reviewer received an incentive for the review."),
  sourceNote: items.text("Origin of the review, as the site describes it."),
  vendorResponse: nullable(datedReply),
})
const headers = { "accept-language": "en-US,en;q=0.9" }

export default defineScraper({
  slug: "capterra-reviews-scraper",
  name: "Capterra Reviews",
  tagline: "Software reviews from Capterra with sub-ratings, pros and cons.",
  notServed: ["app store reviews"],
  category: "reviews",
  tier: "premium",
  input: {
    products: inputs.texts("Capterra product URLs, or ID and name in the form 19319/JIRA.", {
      max: 500,
    }),
    maxReviewsPerProduct: inputs.count("Maximum reviews per product; a page lists 25", {
      max: 1000,
      or: 25,
    }),
  },
  item,
  example: { products: ["19319/JIRA"], maxReviewsPerProduct: 25 },
  probe: {
    input: { products: ["19319/JIRA"], maxReviewsPerProduct: 5 },
    expect: [
      "items.length equals 5",
      'items[0].productName matches "jira"',
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].reviewedOn share 0.8",
      "?items[*].pros share 0.6",
      "?items[0].productReviewCount gte 1000",
    ],
  },
  rateLimit: { "www.capterra.com": { perSecond: 0.25, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.products),
  identify: (product) => ({ input: product, product }),

  async *scrape(product, ctx) {
    for await (const review of reviews(productKey(product), ctx.input.maxReviewsPerProduct, ctx))
      yield item.read({ product, ...review })
  },
})

function productKey(product: string): { id: string; slug: string } {
  const match =
    /capterra\.[a-z.]{1,20}\/(?:p|reviews|software)\/(\d+)\/([^/?#\s]+)/i.exec(product) ??
    /^\s*(\d+)\/([^/?#\s]+)\/?\s*$/.exec(product)
  if (match) return { id: match[1]!, slug: match[2]! }
  throw new BadInput(
    `"${product}" is not a Capterra product. Use a product URL or its ID and name, for example 19319/JIRA.`,
  )
}

function reviews(requested: { id: string; slug: string }, cap: number, ctx: Context) {
  const href = `https://www.capterra.com/p/${requested.id}/${requested.slug}/reviews/`
  const what = "the list of reviews"
  const has = (response: UpstreamResponse) =>
    reviewCards(response.document) !== null || statesNone(response)
  const page = async (number = 1) => {
    const url = number === 1 ? href : `${href}?page=${number}`
    const response = await ctx.page(url, { has, what, refusal: { statuses: [403] }, headers })
    const cards = reviewCards(response.document)
    // A first page without reviews is valid only if it states that there are none.
    if (number === 1 && cards?.length === 0) {
      throw parseError("Capterra's page has an empty list of reviews.", response)
    }
    if (number === 1 && !cards && !statesNone(response)) throw response.explainMissing(what)
    const product = productOf(response, requested)
    const read = (card: Element) => reviewOf(card, product)
    const rows = await Array.fromAsync(readRows(cards ?? [], read, ctx))
    return { rows, next: number < lastPage(response.document) ? number + 1 : null }
  }
  return cursor(page, { cap, keyOf: ({ id }) => id })
}

/** The number in the product's description decides, in any language; without one, the words. */
function statesNone(response: UpstreamResponse): boolean {
  const isProduct = /\/p\/\d+\//.test(new URL(response.url).pathname)
  const counted = describedCount(response.document)
  if (counted !== null) return isProduct && counted === 0
  const words = /\b0 (?:verified user )?reviews\b|no reviews yet/i
  return isProduct && words.test(plainText(response.document.body) ?? "")
}

function lastPage(document: Document): number {
  const numbers = [
    ...document.querySelectorAll('[data-testid="page-item-section"] a, a[href*="/reviews/?page="]'),
  ].map((link) => Number(/[?&]page=(\d+)/.exec(link.getAttribute("href") ?? "")?.[1] ?? 0))
  return Math.max(1, ...numbers)
}
