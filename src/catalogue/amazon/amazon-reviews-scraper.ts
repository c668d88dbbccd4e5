import {
  absoluteUrl,
  allTexts,
  blockText,
  distinct,
  firstAttribute,
  firstText,
  isoDay,
  plainText,
  unseen,
  words,
} from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  Forbidden,
  inputs,
  items,
  orNull,
  ratingOf,
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
import monthsTable from "./months.json"
import { verifiedPurchase } from "./words.json"

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

/** Matches "Reviewed in the United States on July 30, 2026". */
const reviewOrigins: readonly RegExp[] = [
  /^\S+ in (?<country>.+?) on (?<date>.+)$/i,
  /^\S+ en (?<country>.+?) el (?<date>.+)$/i,
  /^(?:Kunden)?rezension aus (?<country>.+?) vom (?<date>.+)$/i,
  /^\S+ in (?<country>.+?) am (?<date>.+)$/i,
  /^\S+(?: \S+)? (?:en|au|aux|à) (?<country>.+?) le (?<date>.+)$/i,
  /^Recensito (?:in|n[a-z]{2,4}) (?<country>.+?) il (?<date>.+)$/i,
  /^Beoordeeld in (?<country>.+?) op (?<date>.+)$/i,
  /^Avaliado (?:no|na|em|nos|nas) (?<country>.+?) em (?<date>.+)$/i,
  /^\S+ i (?<country>.+?) den (?<date>.+)$/i,
  /^\S+(?: \S+)? we? (?<country>.+?)(?: dnia)? (?<date>\d.+)$/i,
  /^(?<date>\d.+?) tarihinde (?<country>.+?)['’]\S+ değerlendirildi$/i,
  /^(?<date>\d{4}年\d{1,2}月\d{1,2}日)に(?<country>.+?)でレビュー済み$/,
]

const verified = new RegExp(`^(?:${words(verifiedPurchase)})$`, "iu")

/** Returns the reviews of a page. Pages of 2026 repeat a review that has images. */
function reviewsOn(document: Document, pageUrl: string, domain: AmazonDomain) {
  const reviews = [...document.querySelectorAll("[data-hook=review]")].flatMap((review) => {
    const reviewId = /^(?:customer_review-)?(R[A-Z0-9]{8,})/.exec(review.id)?.[1]
    return reviewId ? reviewOf(review, reviewId, pageUrl, domain) : []
  })
  return unseen(reviews, new Set(), ({ reviewId }) => reviewId)
}

function reviewOf(review: Element, reviewId: string, pageUrl: string, domain: AmazonDomain) {
  const profile = firstAttribute(review, "a.a-profile[href]", "href")
  const origin = originOf(firstText(review, "[data-hook=review-date]"))
  const badge = "[data-hook=avp-badge], [data-hook=avp-badge-linkless]"
  const selector = "[data-hook=helpful-vote-statement], [data-hook=cmps-helpful-vote-statement]"
  const votes = firstText(review, selector)
  return {
    reviewId,
    url: `https://www.amazon.${domain}/gp/customer-reviews/${reviewId}`,
    rating: ratingOf(
      firstText(review, "[data-hook=review-star-rating]", "[data-hook=cmps-review-star-rating]"),
    ),
    title: reviewTitle(review),
    text: textOf(review),
    author: firstText(review, ".a-profile-name"),
    authorUrl: profile ? new URL(profile, pageUrl).href.replace(/[?#].*$/s, "") : null,
    publishedAt: origin.date,
    country: origin.country,
    isLocal: review.closest("#cm-cr-global-review-list, #globalTopReviewsList") === null,
    verifiedPurchase:
      review.querySelector(badge) !== null ||
      allTexts(review, "span, a").some((text) => verified.test(text)),
    variant: firstText(review, "[data-hook=format-strip]", "[data-hook=format-strip-linkless]"),
    // "One person found this helpful" has no digit in any language.
    helpfulCount: votes === null ? 0 : (countIn(votes) ?? 1),
    images: imagesOf(review),
  }
}

/** Until 2024 the stars were inside the title. */
function reviewTitle(review: Element): string | null {
  const today = firstText(review, "[data-hook=reviewTitle]")
  if (today) return today
  const title = review.querySelector("[data-hook=review-title]")
  const parts = [...(title?.querySelectorAll("span:not(.a-icon-alt):not(.a-letter-space)") ?? [])]
  return plainText(parts.at(-1)) ?? plainText(title)
}

/** Removes the helper texts around a review ("Brief content visible …", "Read more"). */
function textOf(review: Element): string | null {
  const body =
    review.querySelector("[data-hook=reviewRichContentContainer]") ??
    review.querySelector("[data-hook=review-body] .review-text-content") ??
    review.querySelector("[data-hook=review-body]")
  return body ? blockText(body) || null : null
}

function imagesOf(review: Element): string[] {
  return distinct(
    [...review.querySelectorAll('[data-hook$="review-image-tile"]')].flatMap((tile) => {
      const url = tile.getAttribute("data-src") ?? tile.getAttribute("src")
      return absoluteUrl(url, "https://www.amazon.com") ?? []
    }),
  ).filter((url) => !url.includes("grey-pixel"))
}

function originOf(sentence: string | null): { date: string | null; country: string | null } {
  for (const pattern of reviewOrigins) {
    const match = pattern.exec(sentence ?? "")?.groups
    if (match) return { date: dayOf(match.date!), country: match.country! }
  }
  // In other sentences the day alone is certain.
  const day = /(?<!\d)\d{1,2}\.?(?: de)? \p{L}+(?: de)? \d{4}$/u.exec(sentence ?? "")?.[0]
  return { date: day ? dayOf(day) : null, country: null }
}

/** Polish, Turkish and Swedish months that the date parser does not support. */
const months: Readonly<Record<string, number>> = monthsTable

function dayOf(text: string): string | null {
  const own = /^(\d{1,2})\.? (\p{L}+) (\d{4})$/u.exec(text)
  const month = months[own?.[2]?.toLowerCase() ?? ""]
  return isoDay(own && month ? `${own[3]}-${month}-${own[1]}` : text)
}

const filters = ["", "one_star", "two_star", "three_star", "four_star", "five_star"]
const pagesOfFilter = 10

/** Returns what a signed-in session can page through: ten pages in all and per number of stars. */
async function* allReviews(asin: string, domain: AmazonDomain, cookie: string, ctx: Context) {
  const known = new Set<string>()
  for (const filterByStar of filters) {
    for (let page = 1; page <= pagesOfFilter; page++) {
      const query = new URLSearchParams({
        ie: "UTF8",
        reviewerType: "all_reviews",
        sortBy: "recent",
        pageNumber: String(page),
      })
      if (filterByStar) query.set("filterByStar", filterByStar)
      const url = `https://www.amazon.${domain}/product-reviews/${asin}/?${query}`
      const response = await reviewPage(url, domain, cookie, ctx)
      const reviews = reviewsOn(response.document, response.url, domain)
      const productTitle = firstText(response.document, "[data-hook=product-link]")
      for (const review of unseen(reviews, known, ({ reviewId }) => reviewId)) {
        yield { productTitle, ...review }
      }
      if (!response.document.querySelector("ul.a-pagination li.a-last:not(.a-disabled) a")) {
        if (filterByStar === "") return
        break
      }
    }
  }
}

async function reviewPage(url: string, domain: AmazonDomain, cookie: string, ctx: Context) {
  const selector = "#cm_cr-review_list, [data-hook=review], #ap_email, form[name=signIn]"
  const wanted = { selector, what: "the reviews", cookie }
  const response = await amazonPage(url, domain, wanted, ctx)
  if (/\/ap\/signin/.test(new URL(response.url).pathname)) {
    throw new Forbidden(
      "Amazon shows these reviews only to signed-in users, and AMAZON_COOKIE is expired. The operator sets a new one.",
      { code: "login_required", url },
    )
  }
  return response
}
