import { firstText } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  inputs,
  items,
  orNull,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import {
  type AmazonDomain,
  amazonPage,
  amazonRateLimit,
  amazonTargets,
  countIn,
  domainInput,
  identifyProduct,
  productPart,
  productUrl,
  resolveTarget,
} from "./amazon.ts"
import { allReviews, reviewsOn } from "./reviews.ts"

const item = record({
  input: items.requiredText("Product as written in the input."),
  asin: items.requiredText("ASIN of the product."),
  domain: items.requiredText("Marketplace."),
  productTitle: items.text("Name of the product."),
  reviewId: items.requiredText("Amazon's ID of the review."),
  url: items.requiredText("URL of the review."),
  rating: items.number("Number of stars (1-5)."),
  title: items.text("Title."),
  text: items.text("Text of the review."),
  author: items.text("Name of the author."),
  authorUrl: items.text("URL of the author's profile."),
  publishedAt: items.text("Day of the review (YYYY-MM-DD)."),
  country: items.text("Country, as displayed."),
  isLocal: items.requiredBoolean("Whether the review is from this marketplace."),
  verifiedPurchase: items.requiredBoolean("Whether the purchase is verified."),
  variant: items.text("Variant that was bought."),
  helpfulCount: items.requiredInteger("Number of readers who found the review helpful."),
  images: items.texts("URLs of the images."),
})

export default defineScraper({
  slug: "amazon-reviews-scraper",
  name: "Amazon Reviews",
  tagline:
    "Customer reviews of Amazon products: stars, title, text, date, country, verified, helpful votes.",
  notServed: ["product price"],
  category: "reviews",
  tier: "premium",
  input: {
    products: inputs.texts("Product URLs or ASINs, for example B08N5WRWNW.", { max: 500 }),
    domain: domainInput(", for bare ASINs"),
    maxReviews: inputs.count("Maximum reviews per product; without a login Amazon shows about 12", {
      max: 500,
      or: 20,
    }),
  },
  item,
  example: { products: ["B0DR8G428S"], maxReviews: 5 },
  probe: {
    input: { products: ["0141439513"], maxReviews: 5 },
    expect: [
      "items.length gte 3",
      'items[0].asin equals "0141439513"',
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].text share 0.8",
      "items[*].publishedAt share 0.8",
    ],
  },
  rateLimit: amazonRateLimit,
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 2,
  targets: (input) => amazonTargets(input.products, input.domain),
  identify: identifyProduct,

  async *scrape(target, ctx) {
    const { input, asin, domain } = await resolveTarget(target, ctx)
    const { maxReviews } = ctx.input
    const cookie = ctx.secret("AMAZON_COOKIE")
    if (cookie) {
      let count = 0
      for await (const { productTitle, ...review } of allReviews(asin, domain, cookie, ctx)) {
        yield item.read({ input, asin, domain, productTitle, ...review })
        if (++count >= maxReviews) return
      }
      return
    }
    const response = await productPage(asin, domain, ctx)
    const productTitle = titleOf(response)
    const reviews = reviewsOn(response.document, response.url, domain)
    if (reviews.length < maxReviews) {
      ctx.log(`Amazon shows ${reviews.length} reviews of ${asin} without a signed-in session.`)
    }
    for (const review of reviews.slice(0, maxReviews)) {
      yield item.read({ input, asin, domain, productTitle, ...review })
    }
  },
})

const titleOf = (response: UpstreamResponse): string | null =>
  firstText(response.document, "#productTitle", "#title")

/** Returns the product's page with its reviews. Some pages load them only after scrolling. */
async function productPage(asin: string, domain: AmazonDomain, ctx: Context) {
  const url = `${productUrl(domain, asin)}?th=1&psc=1`
  const response = await amazonPage(url, domain, productPart, ctx)
  if (!titleOf(response)) throw new Changed("Amazon's page has no title.", { url })
  if (reviewsOn(response.document, response.url, domain).length > 0) return response
  const ratings = countIn(firstText(response.document, "#acrCustomerReviewText"))
  const late = ratings
    ? await orNull(ctx, "reviews by scrolling the page", () =>
        ctx.page(url, { scripted: true, scroll: 20, waitFor: "[data-hook=review]", retries: 0 }),
      )
    : null
  if (late && titleOf(late) && reviewsOn(late.document, late.url, domain).length > 0) return late
  // A missing list means no reviews only if the page is complete.
  const hasSection = response.document.querySelector("#reviewsMedley, #customerReviews") !== null
  if (!hasSection || !/<\/html>/i.test(response.text())) {
    throw new Changed("Amazon's page has no review section.", { url })
  }
  return response
}
