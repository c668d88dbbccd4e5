import { objectList } from "../../extract/core/index.ts"
import { JsonReader, nextState } from "../../extract/embedded/index.ts"
import { schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  decodedPath,
  Forbidden,
  field,
  isPlain,
  items,
  NotFound,
  nullable,
  RateLimited,
  type Refusal,
  ratingsOf,
  readOnce,
  readRows,
  record,
  required,
  reviewField,
  starsOf,
  type UpstreamResponse,
} from "../kit/index.ts"

/** All pages of the site have a state; a page without one is a challenge. */
const refusal: Refusal = { statuses: [403], sign: isPlain }
const headers = { "accept-language": "en-US,en;q=0.9" }
const starSlices = ["5", "4", "3", "2", "1"]

/**
 * Returns Trustpilot's name of a company, which may have a path, for example `calo.app/en`. @throws
 * BadInput
 */
export function companyName(company: string): string {
  const text = company.trim()
  const page = /^(?:https?:\/\/)?(?:[\w-]+\.)?trustpilot\.com\/review\/([^?#]+)/i.exec(text)?.[1]
  const site = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  const name = decodedPath(page ?? site ?? text).replace(/(?<!\/)\/+$/, "")
  if (/^[\p{L}\p{N}.-]+\.\p{L}{2,}(?:\/[^\s?#]+)?$/u.test(name)) {
    const [domain, ...path] = name.split("/")
    return [domain!.toLowerCase(), ...path].join("/")
  }
  throw new BadInput(`"${company}" is neither a domain nor the URL of a company on Trustpilot.`)
}

/** A page of a company's reviews: its state, and the build ID that its data calls contain. */
type ReviewPage = { buildId: string | null; props: JsonReader }

/**
 * Yields the state of the pages in order, newest reviews first. If visitors must sign in, the list
 * continues separately for each number of stars, which repeats reviews.
 */
export async function* reviewPages(company: string, ctx: Context): AsyncGenerator<JsonReader> {
  const first = visible(await openPage(company, {}, ctx))
  const name = first.props.text("businessUnit", "identifyingName") ?? company
  yield first.props
  try {
    yield* furtherPages(name, first, {}, ctx)
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error
    ctx.log(`${error.message} Continuing by number of stars.`)
    for (const stars of starSlices) yield* slicePages(name, stars, ctx)
  }
}

async function* slicePages(name: string, stars: string, ctx: Context): AsyncGenerator<JsonReader> {
  const first = visible(await openPage(name, { stars }, ctx))
  yield first.props
  try {
    yield* furtherPages(name, first, { stars }, ctx)
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error
    ctx.log(`The reviews with ${stars} stars are incomplete: ${error.message}`, "warning")
  }
}

async function* furtherPages(
  name: string,
  first: ReviewPage,
  filter: Record<string, string>,
  ctx: Context,
): AsyncGenerator<JsonReader> {
  let { buildId } = first
  // Uses the data of the page's scripts, or the page, whichever the fetch method allows.
  const furtherPage = (query: Record<string, string>) =>
    ctx.escalate(pageUrl(name), {
      http: async (ctx) =>
        (buildId === null ? null : await dataPage(name, buildId, query, ctx)) ??
        openPage(name, query, ctx),
      browser: (ctx) => openPage(name, query, ctx),
    })
  const last = first.props.integer("filters", "pagination", "totalPages") ?? 1
  for (let number = 2; number <= last; number++) {
    const page = visible(await furtherPage({ ...filter, page: String(number) }))
    buildId = page.buildId
    yield page.props
  }
}

const pageUrl = (name: string) => `${trustpilot}/review/${encodeURIComponent(name)}`
const listQuery = { languages: "all", sort: "recency" }

/** Returns a page as its scripts load it; null if it must be loaded as a whole. */
async function dataPage(
  name: string,
  buildId: string,
  query: Record<string, string>,
  ctx: Context,
): Promise<ReviewPage | SignIn | null> {
  const path = `/_next/data/${buildId}/review/${encodeURIComponent(name)}.json`
  try {
    const response = await ctx.get(`${trustpilot}${path}`, {
      identity: "browser",
      redirect: "manual",
      retries: 0,
      query: { businessUnit: name, ...listQuery, ...query },
      headers: { ...headers, accept: "*/*", "x-nextjs-data": "1", referer: pageUrl(name) },
    })
    const props = new JsonReader(response.json()).in("pageProps")
    if (isSignIn(props.text("__N_REDIRECT"))) return signIn(response)
    return props.has("reviews") ? { buildId, props } : null
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof RateLimited) throw error
    ctx.log(`Could not load the data of page ${query.page}; reading the page instead.`)
    return null
  }
}

async function openPage(name: string, query: Record<string, string>, ctx: Context) {
  const what = "the company's reviews"
  const read = readOnce((response) => stateOf(response, name))
  const response = await ctx.page(pageUrl(name), {
    has: (response) => isElsewhere(response) || read(response) !== null,
    what,
    refusal,
    headers,
    query: { ...listQuery, ...query },
  })
  const { pathname } = new URL(response.url)
  if (isSignIn(pathname)) return signIn(response)
  if (isMissing(pathname))
    throw new NotFound(`No such company on Trustpilot: ${name}.`, { response })
  const state = read(response)
  if (!state) throw response.explainMissing(what)
  const props = state.in("props", "pageProps")
  if (!props.text("businessUnit", "identifyingName") || !Array.isArray(props.value("reviews")))
    throw new Changed("Trustpilot's page has no reviews in its state.", { url: response.url })
  return { buildId: state.text("buildId"), props }
}

function stateOf({ document }: UpstreamResponse, name: string): JsonReader | null {
  const written = nextState(document)
  return written ? new JsonReader(written) : jsonLdState(document, name)
}

const isMissing = (path: string) => /^\/(?:search|evaluate)\b/.test(path)

const isSignIn = (path: string | null) =>
  path !== null && /^\/(?:users\/connect|users\/login|login)\b/.test(path)

function isElsewhere({ url }: UpstreamResponse): boolean {
  const { pathname } = new URL(url)
  return isMissing(pathname) || isSignIn(pathname)
}

/** The sign-in page instead of the requested page. No other fetch method avoids it. */
class SignIn extends Forbidden {}

const signIn = ({ url }: UpstreamResponse) =>
  new SignIn("Trustpilot requires visitors to sign in for further reviews.", { url })

/** @throws SignIn */
function visible(page: ReviewPage | SignIn): ReviewPage {
  if (page instanceof SignIn) throw page
  return page
}

const pageSize = 20
const lastPart = (url: string | null) =>
  url
    ?.replace(/(?<!\/)\/+$/, "")
    .split("/")
    .at(-1) ?? null

/** Returns a company's JSON-LD in the form of a state (no replies, no verification), or null. */
function jsonLdState(document: Document, name: string): JsonReader | null {
  const nodes = schemaNodes(document)
  const company = nodes.find((node) => node.has("aggregateRating"))
  if (!company?.text("name")) return null
  const { rating, reviewCount } = ratingsOf(company.in("aggregateRating"))
  const listed = nodes.filter((node) => node.isOfType("Review"))
  // An entry without any of these has no card.
  const stated = (listed.length > 0 ? listed : company.list("review")).filter((review) =>
    ["author", "reviewRating", "reviewBody"].some((property) => review.has(property)),
  )
  // Pages before 2022 have the IDs only in their cards, which are in the same order.
  const cards = document.querySelectorAll("article.review[id]")
  const reviews = stated.map((review, index) => ({
    id:
      lastPart(review.text("@id")) ??
      (cards.length === stated.length ? cards[index]!.getAttribute("id") : null),
    rating: starsOf(review.in("reviewRating")),
    title: review.text("headline"),
    text: review.text("reviewBody"),
    language: review.text("inLanguage"),
    dates: { publishedDate: review.text("datePublished") },
    consumer: {
      id: lastPart(review.text("author", "url")),
      displayName: review.text("author", "name"),
    },
  }))
  const businessUnit = {
    identifyingName: /\/review\/(.+)$/.exec(company.text("url") ?? "")?.[1] ?? name,
    displayName: company.text("name"),
    trustScore: rating,
    numberOfReviews: reviewCount,
  }
  const totalPages = Math.ceil((reviewCount ?? 0) / pageSize)
  const filters = { pagination: { totalCount: reviewCount, totalPages } }
  return new JsonReader({ props: { pageProps: { businessUnit, reviews, filters } } })
}

const trustpilot = "https://www.trustpilot.com"

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
    if (!row.text("id") || row.integer("rating") === null)
      throw new Changed("Trustpilot's response has a review without an ID or rating.")
    return { ...ofCompany, ...review.read(row) }
  }
  return Array.fromAsync(readRows(reviews, read, ctx))
}
