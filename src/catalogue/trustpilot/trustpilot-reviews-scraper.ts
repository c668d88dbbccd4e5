import { distinct, unseen } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, defineScraper, inputs, items } from "../kit/index.ts"
import { apiReviews } from "./api.ts"
import { companyName, reviewPages } from "./pages.ts"
import { fields, itemsOf } from "./trustpilot.ts"

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
