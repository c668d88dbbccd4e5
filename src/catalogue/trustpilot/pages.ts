import { JsonReader, nextState } from "../../extract/embedded/index.ts"
import { schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  decodedPath,
  Forbidden,
  isPlain,
  NotFound,
  RateLimited,
  type Refusal,
  ratingsOf,
  readOnce,
  starsOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import { trustpilot } from "./trustpilot.ts"

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
interface ReviewPage {
  buildId: string | null
  props: JsonReader
}

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
  if (isMissing(pathname)) {
    throw new NotFound(`No such company on Trustpilot: ${name}.`, { response })
  }
  const state = read(response)
  if (!state) throw response.explainMissing(what)
  const props = state.in("props", "pageProps")
  if (!props.text("businessUnit", "identifyingName") || !Array.isArray(props.value("reviews"))) {
    throw new Changed("Trustpilot's page has no reviews in its state.", { url: response.url })
  }
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

/**
 * Returns the JSON-LD of a company's page in the form of the page's state, as far as possible: no
 * replies, no verification. Null if it has no company.
 */
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
