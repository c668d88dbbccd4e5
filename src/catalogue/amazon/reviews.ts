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
import { type Context, Forbidden, ratingOf } from "../kit/index.ts"
import { type AmazonDomain, amazonPage, countIn } from "./amazon.ts"
import { verifiedPurchase } from "./words.json"

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

const globalLists = "#cm-cr-global-review-list, #globalTopReviewsList"

/** Returns the reviews of a page. Pages of 2026 repeat a review that has images. */
export function reviewsOn(document: Document, pageUrl: string, domain: AmazonDomain) {
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
    title: titleOf(review),
    text: textOf(review),
    author: firstText(review, ".a-profile-name"),
    authorUrl: profile ? new URL(profile, pageUrl).href.replace(/[?#].*$/s, "") : null,
    publishedAt: origin.date,
    country: origin.country,
    isLocal: review.closest(globalLists) === null,
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
function titleOf(review: Element): string | null {
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
  const tiles = review.querySelectorAll('[data-hook$="review-image-tile"]')
  return distinct(
    [...tiles].flatMap((tile) => {
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
const months: Record<string, number> = {
  stycznia: 1, lutego: 2, marca: 3, kwietnia: 4, maja: 5, czerwca: 6, lipca: 7, sierpnia: 8,
  września: 9, października: 10, listopada: 11, grudnia: 12,
  ocak: 1, şubat: 2, mart: 3, nisan: 4, mayıs: 5, haziran: 6, temmuz: 7, ağustos: 8, eylül: 9,
  ekim: 10, kasım: 11, aralık: 12, maj: 5,
} // biome-ignore format: a table reads better dense

function dayOf(text: string): string | null {
  const own = /^(\d{1,2})\.? (\p{L}+) (\d{4})$/u.exec(text)
  const month = months[own?.[2]?.toLowerCase() ?? ""]
  return isoDay(own && month ? `${own[3]}-${month}-${own[1]}` : text)
}

const filters = ["", "one_star", "two_star", "three_star", "four_star", "five_star"]
const pagesOfFilter = 10

/** Returns what a signed-in session can page through: ten pages in all and per number of stars. */
export async function* allReviews(
  asin: string,
  domain: AmazonDomain,
  cookie: string,
  ctx: Context,
) {
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
