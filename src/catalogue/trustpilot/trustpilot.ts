import { Type } from "@sinclair/typebox"
import { objectList } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  field,
  nullable,
  readRows,
  record,
  required,
  reviewField,
} from "../kit/index.ts"

export const trustpilot = "https://www.trustpilot.com"

/** The company's part of an item. */
const company = record({
  companyDomain: field.trimmed("identifyingName", "Trustpilot's name of the company."),
  companyName: field.title("displayName", "The company's name."),
  companyUrl: field.trimmed(
    "identifyingName",
    "The company's page.",
    (name) => `${trustpilot}/review/${name}`,
  ),
  companyTrustScore: field.number("trustScore", "TrustScore, of five."),
  companyStars: field.number("stars", "Stars that are shown for it, in halves."),
  companyReviewCount: field.integer("numberOfReviews", "Reviews that the score counts."),
  companyCategories: field.texts(
    (unit: JsonReader) => unit.list("categories").map((category) => category.title("name")),
    "Categories of the company.",
  ),
})

/** A review's part of an item. */
const review = record({
  id: required(field.trimmed("id", "Identifier of the review.")),
  url: required(field.trimmed("id", "The review's page.", (id) => `${trustpilot}/reviews/${id}`)),
  rating: reviewField.rating("rating"),
  title: reviewField.title("title"),
  text: reviewField.text("text"),
  language: reviewField.language("language"),
  publishedAt: reviewField.publishedAt("dates.publishedDate"),
  updatedAt: reviewField.updatedAt("dates.updatedDate"),
  experiencedAt: field.time(
    "dates.experiencedDate",
    "When the reviewer dealt with the company (ISO 8601).",
  ),
  verified: reviewField.verified("labels.verification.isVerified"),
  verificationLevel: field.trimmed(
    "labels.verification.verificationLevel",
    "Such as verified, invited or not-verified.",
  ),
  source: field.trimmed("labels.verification.reviewSourceName|source", "Origin of the review."),
  helpfulCount: field.integer("likes", "Readers who found it useful."),
  reviewerId: field.trimmed("consumer.id", "Identifier of the reviewer."),
  reviewerName: reviewField.reviewerName("consumer.displayName"),
  reviewerCountry: field.trimmed(
    "consumer.countryCode",
    "Country of the reviewer, in two letters.",
  ),
  reviewerReviewCount: reviewField.reviewerReviewCount("consumer.numberOfReviews"),
  reviewerAvatarUrl: reviewField.reviewerAvatarUrl((row: JsonReader) =>
    row.flag("consumer", "hasImage") === false
      ? null
      : row.text("consumer", "imageUrl")?.replace(/^\/\//, "https://"),
  ),
  reviewerVerified: field.boolean(
    "consumer.isVerified",
    "Whether the reviewer has proved who they are.",
  ),
  reviewerReviewsOfCompany: field.integer(
    "consumersReviewCountOnSameDomain",
    "Reviews by the same person of this company.",
  ),
  reply: field.object(
    (row: JsonReader) => (row.has("reply", "message") ? row.in("reply") : null),
    "Reply of the company.",
    {
      text: field.trimmed("message", "Text."),
      publishedAt: field.time("publishedDate", "ISO 8601."),
      updatedAt: field.time("updatedDate", "ISO 8601."),
    },
  ),
  location: field.of(
    nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Industry of the company on Trustpilot.",
      }),
    ),
    (row: JsonReader) => objectList([row.value<Record<string, unknown>>("location")])[0] ?? null,
  ),
  pending: field.boolean("isPending|pending", "Not yet released."),
  filtered: field.boolean("filtered", "Held back by the site."),
})

export const fields = { ...company.fields, ...review.fields }

/** The items of a page's reviews. @throws Changed */
export function itemsOf(unit: JsonReader, reviews: readonly JsonReader[], ctx: Context) {
  const ofCompany = company.read(unit)
  const read = (row: JsonReader) => {
    if (!row.text("id") || row.integer("rating") === null) {
      throw new Changed("A review of Trustpilot has no id or rating.")
    }
    return { ...ofCompany, ...review.read(row) }
  }
  return Array.fromAsync(readRows(reviews, read, ctx))
}
