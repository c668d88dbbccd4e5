import { parseCount, round } from "../../../extract/core/index.ts"
import type { JsonReader } from "../../../extract/embedded/index.ts"
import { items } from "../core/fields.ts"
import { field, schemasOf, shared } from "../core/record.ts"

/**
 * Fields that review sites have in common, under the same names, so that their items fit one table.
 * @example const review = record({ rating: reviewField.rating("stars"), text: reviewField.text("body") })
 */
export const reviewField = {
  rating: shared(field.number, "Stars that the reviewer gave, of five."),
  title: shared(field.trimmed, "Headline of the review."),
  text: shared(field.trimmed, "Text of the review."),
  language: shared(field.trimmed, "Language of the review, for example en."),
  publishedAt: shared(field.time, "Time of publication (ISO 8601; a date if the time is unknown)."),
  updatedAt: shared(field.time, "Time of the last change (ISO 8601)."),
  reviewerName: shared(field.title, "Name of the reviewer."),
  reviewerAvatarUrl: shared(field.trimmed, "URL of the reviewer's image."),
  reviewerReviewCount: shared(field.integer, "Number of reviews that the reviewer has written."),
  verified: shared(field.boolean, "Whether the site has verified the reviewer's experience."),
  pros: shared(field.trimmed, "Advantages that the reviewer names."),
  cons: shared(field.trimmed, "Disadvantages that the reviewer names."),
}

/**
 * Returns the schemas of the named fields, for items that are combined from several sources.
 * @example const item = itemObject({ ...reviewFields("rating", "title", "text") })
 */
export const reviewFields = schemasOf(reviewField)

/**
 * The reply of the business: its text and its date.
 * @example reply: nullable(datedReply),
 */
export const datedReply = items.requiredObject("Reply of the business.", {
  text: items.text("Text of the reply."),
  publishedAt: items.text("Date of the reply (YYYY-MM-DD)."),
})

/**
 * Returns a schema.org rating in stars out of five, whatever its own scale is.
 * @example starsOf(node.in("reviewRating")) // 4, of { ratingValue: 8, bestRating: 10 }
 */
export function starsOf(rating: JsonReader): number | null {
  const value = written(rating.text("ratingValue"))
  const best = written(rating.text("bestRating")) || 5
  return value === null ? null : round((value * 5) / best)
}

/**
 * Returns a schema.org `aggregateRating`; null for a rating without reviews.
 * @example ratingsOf(node.in("aggregateRating")) // { rating: 4.5, reviewCount: 120 }
 */
export function ratingsOf(aggregate: JsonReader) {
  const reviewCount =
    parseCount(aggregate.text("reviewCount")) ?? parseCount(aggregate.text("ratingCount"))
  const rating = reviewCount === 0 ? null : starsOf(aggregate)
  return { rating: rating || null, reviewCount }
}

function written(text: string | null): number | null {
  const number = Number.parseFloat(text?.replace(",", ".") ?? "")
  return Number.isFinite(number) ? number : null
}

/**
 * Returns a headline without the quotation marks that sites put around it.
 * @example unquoted("“Great lamp”") // "Great lamp"
 */
export function unquoted(text: string | null): string | null {
  return text?.replace(/^\s*["“”]\s*/, "").replace(/(?<!\s)\s*["“”]\s*$/, "") || null
}
