import { Type } from "@sinclair/typebox"
import { absoluteUrl, distinct, firstAttribute, plainText } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  inputs,
  NotFound,
  pageByPage,
  readPage,
  type UpstreamResponse,
} from "../kit/index.ts"
import { apartmentsUrl, isListing, pageOptions } from "./apartments.ts"
import { listedOf, placardItem, placardOf } from "./placards.ts"
import { profileItem, profileOf } from "./profile.ts"

const maxPages = 18

export default defineScraper({
  slug: "apartments-listings-scraper",
  name: "Apartments.com Listings",
  tagline:
    "Apartments.com rentals: rents by bedroom, address, phone, units, fees, pets, amenities.",
  notServed: ["homes for sale"],
  category: "real-estate",
  tier: "premium",
  input: {
    urls: inputs.texts("Search or listing URLs of www.apartments.com.", { max: 200 }),
    maxItems: inputs.count("Maximum listings over all URLs", { max: 700, or: 100 }),
  },
  item: Type.Union([placardItem, profileItem]),
  example: { urls: ["https://www.apartments.com/austin-tx-78705/"], maxItems: 20 },
  probe: {
    input: { urls: ["https://www.apartments.com/austin-tx-78705/"], maxItems: 5 },
    expect: [
      "items.length equals 5",
      "items[*].name share 0.8",
      "items[*].address share 0.8",
      "items[*].priceText share 0.6",
      "?items[*].phone share 0.5",
    ],
  },
  rateLimit: { "www.apartments.com": { perSecond: 0.25, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.urls),
  maxItems: (input) => input.maxItems,

  async *scrape(target, ctx) {
    const url = apartmentsUrl(target)
    if (isListing(url)) yield await listing(url, ctx)
    else yield* search(target, url, ctx)
  },
})

async function listing(url: URL, ctx: Context) {
  const read = (response: UpstreamResponse) =>
    isListing(new URL(response.url))
      ? profileOf(response.document, response.url)
      : new NotFound(
          "Apartments.com shows a search page instead of this listing, which no longer exists.",
          { url: url.href, response },
        )
  const options = { ...pageOptions, what: "the listing", waitFor: "#propertyName" }
  const profile = await readPage(ctx, url.origin + url.pathname, read, options)
  return { type: "property" as const, ...profile }
}

async function* search(target: string, first: URL, ctx: Context<{ maxItems: number }>) {
  const seen = new Set<string>()
  let next: string | null = first.href
  yield* pageByPage(ctx, { input: target }, async function* (page) {
    const result = await searchPage(next!, ctx)
    for (const placard of result.placards) {
      if (seen.has(placard.id)) continue
      seen.add(placard.id)
      yield { type: "listing" as const, searchUrl: target, position: seen.size, ...placard }
      if (seen.size >= ctx.input.maxItems) return false
    }
    next = result.next
    return next !== null && page < maxPages
  })
}

async function searchPage(url: string, ctx: Context) {
  const options = { ...pageOptions, what: "the listings of a search", waitFor: "article.placard" }
  const { response, found, listed } = await readPage(ctx, url, placardsIn, options)
  if (found.length + listed.length === 0) ctx.log(`${url} finds nothing.`)
  const placards =
    found.length > 0 ? found.flatMap((placard) => placardOf(placard, response.url) ?? []) : listed
  if (placards.length === 0 && found.length > 0) {
    throw new Changed("The listings of Apartments.com have no IDs or URLs.", { url })
  }
  const next = 'nav#paging a.next[href], link[rel="next"]'
  const link = firstAttribute(response.document, next, "href")
  return { placards, next: absoluteUrl(link, response.url) }
}

/** Returns the listing cards of a page, or else its structured list; null if it has neither. */
function placardsIn(response: UpstreamResponse) {
  const { document } = response
  const found = [...document.querySelectorAll("#placardContainer article.placard")]
  const listed = found.length === 0 ? listedOf(document) : []
  const isKnown = found.length + listed.length > 0 || statesNone(document)
  return isKnown ? { response, found, listed } : null
}

const statesNone = (document: Document): boolean =>
  document.querySelector("#placardContainer") !== null &&
  /\b(?:0|no) (?:rentals|results|apartments|matching)/i.test(plainText(document.body) ?? "")
