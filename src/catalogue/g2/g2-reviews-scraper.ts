import { distinct, plainText } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  cursor,
  defineScraper,
  EmptyShell,
  inputs,
  items,
  NotFound,
  once,
  orNull,
  type PageOptions,
  readRows,
  type UpstreamResponse,
} from "../kit/index.ts"
import { g2, productNode, productOf, review, reviewCards, reviewOf } from "./g2.ts"

/** Selectors of the list and of the captcha frame that may replace it. */
const seen = 'turbo-frame[id="reviews-and-filters"] article, iframe[src*="captcha-delivery.com"]'
const what = "the list of reviews"
const options: PageOptions = {
  what,
  refusal: { statuses: [403] },
  headers: { "accept-language": "en-US,en;q=0.9" },
  waitFor: seen,
  timeoutMs: 25_000,
}

export default defineScraper({
  slug: "g2-reviews-scraper",
  name: "G2 Reviews",
  tagline: "Reviews of a software product on G2: likes, dislikes, rating, reviewer.",
  notServed: ["app store reviews"],
  category: "reviews",
  tier: "premium",
  input: {
    products: inputs.texts("Product slugs, for example helcim, or G2 product URLs.", { max: 200 }),
    maxReviewsPerProduct: inputs.count("Maximum reviews per product", { max: 1000, or: 25 }),
  },
  item: {
    product: items.requiredText("Product as written in the input."),
    productSlug: items.requiredText("Name of the product in URLs."),
    productName: items.text("Name of the product."),
    productUrl: items.requiredText("URL of the product's reviews."),
    productRating: items.number("Mean rating of the product (0-5)."),
    productReviewCount: items.integer("Number of reviews of the product."),
    productCategories: items.texts("Categories of the product."),
    ...review.fields,
  },
  example: { products: ["helcim"], maxReviewsPerProduct: 25 },
  probe: {
    input: { products: ["helcim"], maxReviewsPerProduct: 5 },
    expect: [
      "items.length gte 3",
      'items[0].productName matches "helcim"',
      "items[*].rating gte 0.5",
      "items[*].rating lte 5",
      "items[*].publishedAt share 0.8",
      "?items[*].likes share 0.6",
    ],
  },
  rateLimit: { "www.g2.com": { perSecond: 0.2, concurrency: 1 } },
  fetchMethods: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.products),
  identify: (product) => ({ input: product, product }),

  async *scrape(product, ctx) {
    for await (const row of reviews(productSlug(product), ctx)) yield { product, ...row }
  },
})

function productSlug(product: string): string {
  const text = product.trim()
  const slug = /g2\.com\/(?:[a-z]{2}\/)?products\/([^/?#]+)/i.exec(text)?.[1] ?? text
  if (/^[a-z0-9][a-z0-9-]*$/.test(slug)) return slug
  throw new BadInput(`"${product}" is not a G2 product. Use a product URL or its slug.`)
}

async function* reviews(slug: string, ctx: Context<{ maxReviewsPerProduct: number }>) {
  // The bot protection checks the first page of a visit, so the run opens the front page first.
  await once(ctx, "g2-visit", () =>
    orNull(ctx, "visit of the front page", () =>
      ctx.page(`${g2}/`, { ...options, waitFor: "network-quiet", scroll: 2, retries: 0 }),
    ),
  )
  let count = 0
  const page = async (number = 1) => {
    const response = await reviewPage(slug, number, ctx)
    const node = productNode(response.document)
    const product = productOf(response, node, slug)
    const cards = reviewCards(response.document)
    const read = ([at, card]: [number, Element]) => ({
      ...product,
      ...reviewOf(card, at, node, slug, ctx),
    })
    const rows = await Array.fromAsync(readRows(cards.entries(), read, ctx))
    count += cards.length
    const { productReviewCount: total } = product
    const isLast = cards.length === 0 || (total !== null && count >= total)
    return { rows, next: isLast ? null : number + 1 }
  }
  yield* cursor(page, { cap: ctx.input.maxReviewsPerProduct, keyOf: ({ id }) => id })
}

/**
 * Returns the list of reviews that the page loads, or the page itself if the first list has no
 * cards.
 */
async function reviewPage(slug: string, number: number, ctx: Context): Promise<UpstreamResponse> {
  const query = number === 1 ? "" : `?page=${number}`
  const isList = (response: UpstreamResponse) =>
    reviewCards(response.document).length > 0 ||
    (number === 1 ? isEmpty(response) : hasList(response))
  const list = ctx.page(`${g2}/products/${slug}/reviews_and_filters${query}`, {
    ...options,
    has: (response) => isSearch(response) || isList(response),
  })
  const response = await list.catch((error) => {
    if (number > 1 || !(error instanceof EmptyShell)) throw error
    return error
  })
  if (!(response instanceof EmptyShell)) {
    if (isSearch(response)) throw new NotFound(`G2 has no product ${slug}.`, { response })
    if (isList(response)) return response
    if (number > 1) throw response.explainMissing(what)
  }
  const whole = await orNull(ctx, "whole page of reviews", () =>
    ctx.page(`${g2}/products/${slug}/reviews`, {
      ...options,
      has: isList,
      waitFor: 'article[id*="-review-"]',
      scroll: 10,
    }),
  )
  if (whole && isList(whole)) return whole
  throw response instanceof EmptyShell ? response : response.explainMissing(what)
}

const isSearch = ({ url }: UpstreamResponse) => /^\/search\b/.test(new URL(url).pathname)

const hasList = ({ document }: UpstreamResponse): boolean =>
  document.querySelector('turbo-frame[id="reviews-and-filters"], section[id="reviews"]') !== null

/** A list of reviews is empty only if the page states it. */
function isEmpty(response: UpstreamResponse): boolean {
  if (!hasList(response)) return false
  const counted = productNode(response.document).integer("aggregateRating", "reviewCount")
  if (counted !== null) return counted === 0
  return /\b0 reviews\b|\(0\)/i.test(plainText(response.document.body) ?? "")
}
