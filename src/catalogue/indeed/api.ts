import { at, JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, cursor, type Row, readRows } from "../kit/index.ts"
import { type JobCard, job } from "./job.ts"

const endpoint = "https://apis.indeed.com/graphql"
const maxAtOnce = 100

/** A search by keywords, in the format of the API. */
export interface ApiSearch {
  /** Site of the country: its jobs are searched, and their URLs are on it. */
  site: URL
  words: string
  location: string | null
  cap: number
}

/**
 * Returns jobs from the API of Indeed's own apps, which needs an API key.
 * It returns full adverts and no bot protection blocks it. It supports the keywords and location of
 * a search, but not the filters of a URL.
 */
export function apiJobs(search: ApiSearch, key: string, ctx: Context) {
  const headers = { "indeed-api-key": key, "indeed-co": countryOf(search.site.host) }
  const page = async (next: string | undefined) => {
    const query = queryOf(search, next)
    const response = (await ctx.post(endpoint, { headers, json: { query }, accept: [400] })).json()
    const reader = new JsonReader(response).in("data", "jobSearch")
    if (!reader.has("results")) {
      const reason = new JsonReader(response).text("errors", 0, "message")
      const message = reason
        ? `Indeed's API rejects the search: ${reason}`
        : "Indeed's API returned no list of jobs."
      throw new Changed(message, { url: endpoint })
    }
    const read = (result: JsonReader) =>
      job.read({ ...cardOf(result.in("job")), site: search.site })
    const rows = await Array.fromAsync(readRows(reader.list("results"), read, ctx))
    return { rows, next: reader.text("pageInfo", "nextCursor") }
  }
  return cursor(page, { cap: search.cap, keyOf: ({ id }) => id })
}

/** Texts are encoded as JSON, which GraphQL accepts. */
function queryOf({ words, location, cap }: ApiSearch, next: string | undefined): string {
  const requested = [
    `what: ${JSON.stringify(words)}`,
    location && `location: {where: ${JSON.stringify(location)}, radius: 50, radiusUnit: MILES}`,
    `limit: ${Math.min(cap, maxAtOnce)}`,
    next && `cursor: ${JSON.stringify(next)}`,
    "sort: RELEVANCE",
  ]
  const range =
    "range { ... on Range { min max } ... on AtLeast { min } ... on AtMost { max } ... on Exactly { value } }"
  const pay = `currencyCode baseSalary { unitOfWork ${range} }`
  return `query GetJobData { jobSearch(${requested.filter(Boolean).join(", ")}) { pageInfo { nextCursor } results { job {
    key title sourceEmployerName dateOnIndeed description { html }
    location { countryCode admin1Code city }
    compensation { ${pay} estimated { ${pay} } }
    attributes { key label }
    employer { name relativeCompanyPageUrl ugcStats { ratings { overallRating { value count } } } dossier { images { squareLogoUrl } } }
    recruit { viewJobUrl }
  } } } }`
}

/** Returns a job of the API in the format of the site's own lists. */
function cardOf(reader: JsonReader): JobCard & { descriptionHtml: string | undefined } {
  const key = reader.text("key")
  if (!key || !reader.text("title"))
    throw new Changed("Indeed's API returned a job without a key or title.", { url: endpoint })
  const attributes = reader.list("attributes")
  const keys = new Set(attributes.map((attribute) => attribute.text("key")))
  const stated = payOf(reader.in("compensation"))
  const guessed = payOf(reader.in("compensation", "estimated"))
  const employer = reader.in("employer")
  const rating = employer.in("ugcStats", "ratings", "overallRating")
  const [city, state] = [reader.text("location", "city"), reader.text("location", "admin1Code")]
  return {
    jobkey: key,
    title: reader.text("title"),
    company: employer.text("name") ?? reader.text("sourceEmployerName"),
    companyRating: rating.number("value"),
    companyReviewCount: rating.integer("count"),
    companyOverviewLink: employer.text("relativeCompanyPageUrl"),
    companyBrandingAttributes: { logoUrl: employer.text("dossier", "images", "squareLogoUrl") },
    formattedLocation: [city, state].filter(Boolean).join(", "),
    jobLocationCity: city,
    jobLocationState: state,
    remoteLocation: keys.has(remoteKey),
    remoteWorkModel: {
      type: keys.has(remoteKey) ? "REMOTE_ALWAYS" : keys.has(hybridKey) ? "REMOTE_HYBRID" : null,
    },
    jobTypes: attributes.flatMap((attribute) =>
      jobTypeKeys.has(attribute.text("key") ?? "") ? (attribute.title("label") ?? []) : [],
    ),
    extractedSalary: stated,
    estimatedSalary: guessed,
    salarySnippet: {
      currency: at(stated ?? guessed, "currency"),
      source: stated ? "EXTRACTION" : null,
    },
    pubDate: reader.integer("dateOnIndeed"),
    createDate: reader.integer("dateOnIndeed"),
    thirdPartyApplyUrl: reader.text("recruit", "viewJobUrl"),
    descriptionHtml: reader.text("description", "html") ?? undefined,
  }
}

const remoteKey = "DSQF7"
const hybridKey = "PAXZC"
/** Full-time, part-time, contract (three), internship, temporary (two), per diem, volunteer, permanent. */
const jobTypeKeys = new Set(
  "CF3CP 75GKK NJXCK T9BXE T65DZ VDTG7 4HKF7 CJWTS TQKYQ UXQZ8 5QWDV".split(" "),
)

const periods: Record<string, string> = {
  HOUR: "HOURLY",
  DAY: "DAILY",
  WEEK: "WEEKLY",
  MONTH: "MONTHLY",
  YEAR: "YEARLY",
}

function payOf(pay: JsonReader): Row | null {
  const salary = pay.in("baseSalary")
  const range = salary.in("range")
  const exact = range.number("value")
  const [min, max] = [range.number("min") ?? exact, range.number("max") ?? exact]
  if (min === null && max === null) return null
  const unit = salary.text("unitOfWork") ?? ""
  return { min, max, type: periods[unit] ?? unit, currency: pay.text("currencyCode") }
}

function countryOf(host: string): string {
  const site = host.split(".")[0]!
  return site === "www" ? "US" : site === "uk" ? "GB" : site.toUpperCase()
}
