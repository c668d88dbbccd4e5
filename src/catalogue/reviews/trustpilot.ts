import { isoDate } from "../../extract/dates.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { Changed } from "../outcome.ts"

export const trustpilot = "https://www.trustpilot.com"

/** The company's part of an item. */
export function companyOf(unit: JsonReader) {
  const domain = unit.text("identifyingName")
  return {
    companyDomain: domain,
    companyName: unit.title("displayName"),
    companyUrl: domain && `${trustpilot}/review/${domain}`,
    companyTrustScore: unit.number("trustScore"),
    companyStars: unit.number("stars"),
    companyReviewCount: unit.integer("numberOfReviews"),
    companyCategories: unit.list("categories").flatMap((one) => one.title("name") ?? []),
  }
}

/** A review's part of an item. @throws Changed */
export function reviewOf(review: JsonReader) {
  const id = review.text("id")
  const rating = review.integer("rating")
  if (!id || rating === null) throw new Changed("A review of Trustpilot has no id or rating.")
  const consumer = review.in("consumer")
  const reply = review.in("reply")
  const verification = review.in("labels", "verification")
  const image = consumer.text("imageUrl")
  return {
    id,
    url: `${trustpilot}/reviews/${id}`,
    rating,
    title: review.text("title"),
    text: review.text("text"),
    language: review.text("language"),
    publishedAt: isoDate(review.text("dates", "publishedDate")),
    updatedAt: isoDate(review.text("dates", "updatedDate")),
    experiencedAt: isoDate(review.text("dates", "experiencedDate")),
    verified: verification.flag("isVerified"),
    verificationLevel: verification.text("verificationLevel"),
    source: verification.text("reviewSourceName") ?? review.text("source"),
    likes: review.integer("likes"),
    reviewerId: consumer.text("id"),
    reviewerName: consumer.title("displayName"),
    reviewerCountry: consumer.text("countryCode"),
    reviewerReviewCount: consumer.integer("numberOfReviews"),
    reviewerImage:
      consumer.flag("hasImage") === false ? null : (image?.replace(/^\/\//, "https://") ?? null),
    reviewerVerified: consumer.flag("isVerified"),
    reviewerReviewsOfCompany: review.integer("consumersReviewCountOnSameDomain"),
    reply: reply.has("message")
      ? {
          text: reply.text("message"),
          publishedAt: isoDate(reply.text("publishedDate")),
          updatedAt: isoDate(reply.text("updatedDate")),
        }
      : null,
    location: review.value<Record<string, unknown> | null>("location") ?? null,
    pending: review.flag("isPending") ?? review.flag("pending"),
    filtered: review.flag("filtered"),
  }
}
