import { objectList } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  field,
  items,
  nullable,
  readRows,
  record,
  required,
  reviewField,
} from "../kit/index.ts"

export const trustpilot = "https://www.trustpilot.com"

const company = record({
  companyDomain: field.trimmed(
    "identifyingName",
    "Identifier of the company on Trustpilot, for example its domain.",
  ),
  companyName: field.title("displayName", "Display name of the company."),
  companyUrl: field.trimmed(
    "identifyingName",
    "URL of the company's page.",
    (name) => `${trustpilot}/review/${name}`,
  ),
  companyTrustScore: field.number("trustScore", "TrustScore of the company (1-5)."),
  companyStars: field.number("stars", "Number of stars that Trustpilot displays, in halves."),
  companyReviewCount: field.integer(
    "numberOfReviews",
    "Number of reviews that the score includes.",
  ),
  companyCategories: field.texts(
    (unit: JsonReader) => unit.list("categories").map((category) => category.title("name")),
    "Categories of the company.",
  ),
})

const review = record({
  id: required(field.trimmed("id", "ID of the review.")),
  url: required(field.trimmed("id", "URL of the review.", (id) => `${trustpilot}/reviews/${id}`)),
  rating: reviewField.rating("rating"),
  title: reviewField.title("title"),
  text: reviewField.text("text"),
  language: reviewField.language("language"),
  publishedAt: reviewField.publishedAt("dates.publishedDate"),
  updatedAt: reviewField.updatedAt("dates.updatedDate"),
  experiencedAt: field.time(
    "dates.experiencedDate",
    "Time of the reviewer's experience (ISO 8601).",
  ),
  verified: reviewField.verified("labels.verification.isVerified"),
  verificationLevel: field.trimmed(
    "labels.verification.verificationLevel",
    "Verification level, for example verified, invited or not-verified.",
  ),
  source: field.trimmed("labels.verification.reviewSourceName|source", "Origin of the review."),
  helpfulCount: field.integer("likes", "Number of readers who found the review useful."),
  reviewerId: field.trimmed("consumer.id", "ID of the reviewer."),
  reviewerName: reviewField.reviewerName("consumer.displayName"),
  reviewerCountry: field.trimmed(
    "consumer.countryCode",
    "Country code of the reviewer, two letters.",
  ),
  reviewerReviewCount: reviewField.reviewerReviewCount("consumer.numberOfReviews"),
  reviewerAvatarUrl: reviewField.reviewerAvatarUrl((row: JsonReader) =>
    row.flag("consumer", "hasImage") === false
      ? null
      : row.text("consumer", "imageUrl")?.replace(/^\/\//, "https://"),
  ),
  reviewerVerified: field.boolean(
    "consumer.isVerified",
    "Whether the reviewer has verified their identity.",
  ),
  reviewerReviewsOfCompany: field.integer(
    "consumersReviewCountOnSameDomain",
    "Number of reviews of this company by the same reviewer.",
  ),
  reply: field.object(
    (row: JsonReader) => (row.has("reply", "message") ? row.in("reply") : null),
    "Reply of the company.",
    {
      text: field.trimmed("message", "Text of the reply."),
      publishedAt: field.time("publishedDate", "Time of the reply (ISO 8601)."),
      updatedAt: field.time("updatedDate", "Time of the reply's last change (ISO 8601)."),
    },
  ),
  location: field.of(
    nullable(items.valuesByName("Industry of the company on Trustpilot.")),
    (row: JsonReader) => objectList([row.value<Record<string, unknown>>("location")])[0] ?? null,
  ),
  pending: field.boolean("isPending|pending", "Whether the review is not released yet."),
  filtered: field.boolean("filtered", "Whether Trustpilot withholds the review."),
})

export const fields = { ...company.fields, ...review.fields }

/** Returns the items of a page's reviews. @throws Changed */
export function itemsOf(unit: JsonReader, reviews: readonly JsonReader[], ctx: Context) {
  const ofCompany = company.read(unit)
  const read = (row: JsonReader) => {
    if (!row.text("id") || row.integer("rating") === null) {
      throw new Changed("Trustpilot's response has a review without an ID or rating.")
    }
    return { ...ofCompany, ...review.read(row) }
  }
  return Array.fromAsync(readRows(reviews, read, ctx))
}
