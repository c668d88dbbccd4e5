import { distinct, unseen } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, defineScraper, inputs, items, type Row } from "../kit/index.ts"
import { companyName, fields, itemsOf, reviewPages } from "./trustpilot.ts"

const api = "https://api.trustpilot.com/v1/business-units"
const pageSize = 100

/** Yields pages of a company's reviews from Trustpilot's own API, for operators with a key. */
async function* apiReviews(name: string, key: string, ctx: Context) {
  const request = async (path: string, query: Record<string, string | number>) =>
    new JsonReader(await ctx.json(`${api}${path}`, { query, headers: { apikey: key } }))
  const unit = await request("/find", { name })
  const id = unit.text("id")
  if (!id) throw new Changed("Trustpilot's API returned no ID of the company.")
  const company = companyState(unit, name)
  for (let page = 1; ; page++) {
    const response = await request(`/${id}/reviews`, { perPage: pageSize, page })
    if (!Array.isArray(response.value("reviews")))
      throw new Changed("Trustpilot's API returned no list of reviews.")
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

export default defineScraper({
  slug: "trustpilot-reviews-scraper",
  name: "Trustpilot Reviews",
  tagline:
    "Reviews of any company on Trustpilot, with replies, verification and the company's score.",
  notServed: ["product reviews"],
  category: "reviews",
  tier: "premium",
  input: {
    companies: inputs.texts(
      "Domains, for example www.thriftbooks.com, or Trustpilot review page URLs.",
      { max: 500 },
    ),
    maxReviews: inputs.count("Maximum reviews per company, newest first", { max: 4000, or: 100 }),
  },
  item: { company: items.requiredText("Company as written in the input."), ...fields },
  example: { companies: ["www.thriftbooks.com"], maxReviews: 20 },
  probe: {
    input: { companies: ["www.thriftbooks.com"], maxReviews: 5 },
    expect: [
      "items.length equals 5",
      'items[0].companyName matches "thrift"',
      "items[*].rating gte 1",
      "items[*].rating lte 5",
      "items[*].text share 0.6",
      "items[*].publishedAt fresh 60",
      "?items[0].companyReviewCount gte 1000",
    ],
  },
  rateLimit: {
    "www.trustpilot.com": { perSecond: 0.4, concurrency: 1 },
    "api.trustpilot.com": { perSecond: 2, concurrency: 1 },
  },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.companies),
  identify: (company) => ({ input: company, company }),

  async *scrape(company, ctx) {
    const name = companyName(company)
    const key = ctx.secret("TRUSTPILOT_API_KEY")
    const pages = key ? apiReviews(name, key, ctx) : siteReviews(name, ctx)
    const seen = new Set<string>()
    let provided = 0
    // Lists by stars start with reviews that have been returned already. This does not end a list.
    for await (const reviews of pages) {
      for (const review of unseen(reviews, seen, ({ id }) => id)) {
        yield { company, ...review }
        if (++provided >= ctx.input.maxReviews) return
      }
    }
  },
})

async function* siteReviews(name: string, ctx: Context) {
  let first = true
  for await (const props of reviewPages(name, ctx)) {
    const reviews = props.list("reviews")
    if (first) {
      logSummary(props, ctx)
      requireReviews(props, reviews)
    }
    first = false
    yield await itemsOf(props.in("businessUnit"), reviews, ctx)
  }
}

/** Accepts a list without reviews only if the page counts none. */
function requireReviews(props: JsonReader, reviews: JsonReader[]): void {
  if (reviews.length > 0) return
  const counted =
    props.integer("filters", "pagination", "totalCount") ??
    props.integer("businessUnit", "numberOfReviews")
  if (counted === 0) return
  throw new Changed("Trustpilot's page counts reviews of the company but lists none.")
}

function logSummary(props: JsonReader, ctx: Context): void {
  const unit = props.in("businessUnit")
  const ratings = props.in("filters", "reviewStatistics", "ratings")
  const byStars = ["five", "four", "three", "two", "one"].map((name) => ratings.integer(name) ?? 0)
  ctx.log(
    `${unit.title("displayName")}: score ${unit.number("trustScore")}, ` +
      `${unit.integer("numberOfReviews")} reviews (5 to 1 stars: ${byStars.join(", ")}), ` +
      `${unit.flag("isClaimed") ? "claimed" : "not claimed"}.`,
  )
}
