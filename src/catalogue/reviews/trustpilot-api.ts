import { isoDate } from "../../extract/dates.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import type { Context } from "../context.ts"
import { Changed } from "../outcome.ts"
import { trustpilot } from "./trustpilot.ts"

const api = "https://api.trustpilot.com/v1/business-units"
const pageSize = 100

/** Pages of a company's reviews by Trustpilot's own API, for operators who have a key. */
export async function* apiReviews(name: string, key: string, ctx: Context) {
  const ask = async (path: string, query: Record<string, string | number>) =>
    new JsonReader(await ctx.json(`${api}${path}`, { query, headers: { apikey: key } }))
  const unit = await ask("/find", { name })
  const id = unit.text("id")
  if (!id) throw new Changed("Trustpilot's API names no id of the company.")
  const company = companyOf(unit, name)
  for (let page = 1; ; page++) {
    const answer = await ask(`/${id}/reviews`, { perPage: pageSize, page })
    if (!Array.isArray(answer.value("reviews"))) {
      throw new Changed("Trustpilot's API gives no list of reviews.")
    }
    const reviews = answer.list("reviews")
    yield reviews.map((review) => ({ ...company, ...reviewOf(review) }))
    if (reviews.length < pageSize) return
  }
}

function companyOf(unit: JsonReader, name: string) {
  const domain = unit.text("name", "identifying") ?? name
  return {
    companyDomain: domain,
    companyName: unit.title("displayName"),
    companyUrl: `${trustpilot}/review/${domain}`,
    companyTrustScore: unit.number("score", "trustScore"),
    companyStars: unit.number("score", "stars"),
    companyReviewCount: unit.integer("numberOfReviews", "total"),
    companyCategories: [],
  }
}

function reviewOf(review: JsonReader) {
  const id = review.text("id")
  const rating = review.integer("stars")
  if (!id || rating === null) throw new Changed("A review of Trustpilot's API has no id or stars.")
  const consumer = review.in("consumer")
  const reply = review.in("companyReply")
  return {
    id,
    url: `${trustpilot}/reviews/${id}`,
    rating,
    title: review.text("title"),
    text: review.text("text"),
    language: review.text("language"),
    publishedAt: isoDate(review.text("createdAt")),
    updatedAt: isoDate(review.text("updatedAt")),
    experiencedAt: isoDate(review.text("experiencedAt")),
    verified: review.flag("isVerified"),
    verificationLevel: review.text("reviewVerificationLevel"),
    source: review.text("source"),
    likes: review.integer("numberOfLikes"),
    reviewerId: consumer.text("id"),
    reviewerName: consumer.title("displayName"),
    reviewerCountry: consumer.text("displayLocation"),
    reviewerReviewCount: consumer.integer("numberOfReviews"),
    reviewerImage: null,
    reviewerVerified: null,
    reviewerReviewsOfCompany: null,
    reply: reply.has("text")
      ? {
          text: reply.text("text"),
          publishedAt: isoDate(reply.text("createdAt")),
          updatedAt: isoDate(reply.text("updatedAt")),
        }
      : null,
    location: review.value<Record<string, unknown> | null>("location") ?? null,
    pending: null,
    filtered: null,
  }
}
