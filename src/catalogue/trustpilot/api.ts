import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, type Row } from "../kit/index.ts"
import { itemsOf } from "./trustpilot.ts"

const api = "https://api.trustpilot.com/v1/business-units"
const pageSize = 100

/** Yields pages of a company's reviews from Trustpilot's own API, for operators with a key. */
export async function* apiReviews(name: string, key: string, ctx: Context) {
  const request = async (path: string, query: Record<string, string | number>) =>
    new JsonReader(await ctx.json(`${api}${path}`, { query, headers: { apikey: key } }))
  const unit = await request("/find", { name })
  const id = unit.text("id")
  if (!id) throw new Changed("Trustpilot's API returned no ID of the company.")
  const company = companyState(unit, name)
  for (let page = 1; ; page++) {
    const response = await request(`/${id}/reviews`, { perPage: pageSize, page })
    if (!Array.isArray(response.value("reviews"))) {
      throw new Changed("Trustpilot's API returned no list of reviews.")
    }
    const reviews = response.list("reviews")
    yield await itemsOf(company, reviews.map(reviewState), ctx)
    if (reviews.length < pageSize) return
  }
}

/** Returns the company in the form of the page's state. */
const companyState = (unit: JsonReader, name: string) =>
  new JsonReader({
    identifyingName: unit.text("name", "identifying") ?? name,
    displayName: unit.value("displayName"),
    trustScore: unit.value("score", "trustScore"),
    stars: unit.value("score", "stars"),
    numberOfReviews: unit.value("numberOfReviews", "total"),
  })

/** Returns a review in the form of the page's state; the API has no images. */
function reviewState(review: JsonReader) {
  const { id, stars, title, text, language, source, location } = review.root as Row
  const times = (at: JsonReader) => ({
    publishedDate: at.value("createdAt"),
    updatedDate: at.value("updatedAt"),
    experiencedDate: at.value("experiencedAt"),
  })
  const reply = review.in("companyReply")
  return new JsonReader({
    ...{ id, rating: stars, title, text, language, source, location },
    dates: times(review),
    labels: {
      verification: {
        isVerified: review.value("isVerified"),
        verificationLevel: review.value("reviewVerificationLevel"),
      },
    },
    likes: review.value("numberOfLikes"),
    consumer: {
      id: review.value("consumer", "id"),
      displayName: review.value("consumer", "displayName"),
      countryCode: review.value("consumer", "displayLocation"),
      numberOfReviews: review.value("consumer", "numberOfReviews"),
    },
    reply: { message: reply.value("text"), ...times(reply) },
  })
}
