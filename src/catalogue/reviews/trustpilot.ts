import { Type } from "@sinclair/typebox"
import type { JsonReader } from "../../extract/json-reader.ts"
import { nullable } from "../fields.ts"
import { Changed } from "../outcome.ts"
import { field, type Row, record, required } from "../record.ts"
import { reviewField } from "./review-fields.ts"

export const trustpilot = "https://www.trustpilot.com"

interface Review extends Row {
  id: string
  consumer?: { hasImage?: boolean; imageUrl?: string } | null
  reply?: { message?: string } | null
  location?: Record<string, unknown> | null
}

/** The company's part of an item. */
const company = record({
  companyDomain: field.text("identifyingName", "Trustpilot's name of the company."),
  companyName: field.title("displayName", "The company's name."),
  companyUrl: field.text(
    "identifyingName",
    "The company's page.",
    (name) => `${trustpilot}/review/${name}`,
  ),
  companyTrustScore: field.number("trustScore", "TrustScore, of five."),
  companyStars: field.number("stars", "Stars that are shown for it, in halves."),
  companyReviewCount: field.integer("numberOfReviews", "Reviews that the score counts."),
  companyCategories: field.texts("categories.*.name", "Categories of the company."),
})

/** A review's part of an item. */
const review = record({
  id: required(field.text("id", "Identifier of the review.")),
  url: required(field.text("id", "The review's page.", (id) => `${trustpilot}/reviews/${id}`)),
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
  verificationLevel: field.text(
    "labels.verification.verificationLevel",
    "Such as verified, invited or not-verified.",
  ),
  source: field.text(
    "labels.verification.reviewSourceName|source",
    "How the review came to the site.",
  ),
  likes: field.integer("likes", "Readers who found it useful."),
  reviewerId: field.text("consumer.id", "Identifier of the reviewer."),
  reviewerName: reviewField.reviewerName("consumer.displayName"),
  reviewerCountry: field.text("consumer.countryCode", "Country of the reviewer, in two letters."),
  reviewerReviewCount: reviewField.reviewerReviewCount("consumer.numberOfReviews"),
  reviewerImage: reviewField.reviewerImage(({ consumer }: Review) =>
    consumer?.hasImage === false ? null : consumer?.imageUrl?.replace(/^\/\//, "https://"),
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
    ({ reply }: Review) => (typeof reply?.message === "string" ? reply : null),
    "What the company answered.",
    {
      text: field.text("message", "Text.", (text) => text.trim()),
      publishedAt: field.time("publishedDate", "ISO 8601."),
      updatedAt: field.time("updatedDate", "ISO 8601."),
    },
  ),
  location: field.of(
    nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "The company's branch, as Trustpilot describes it.",
      }),
    ),
    (row: Review) => row.location ?? null,
  ),
  pending: field.boolean("isPending|pending", "Not yet released."),
  filtered: field.boolean("filtered", "Held back by the site."),
})

export const fields = { ...company.fields, ...review.fields }

/** The items of a page's reviews. @throws Changed */
export function itemsOf(unit: JsonReader, reviews: readonly JsonReader[]) {
  const ofCompany = company.read(unit.root)
  return reviews.map((reader) => {
    if (!reader.text("id") || reader.integer("rating") === null) {
      throw new Changed("A review of Trustpilot has no id or rating.")
    }
    return { ...ofCompany, ...review.read(reader.root as Review) }
  })
}
