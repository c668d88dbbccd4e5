import { Type } from "@sinclair/typebox"
import { absoluteUrl, distinct, firstAttribute, plainText } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  type InputOf,
  inputs,
  NotFound,
  partFailed,
  readOnce,
  type UpstreamResponse,
} from "../kit/index.ts"
import { apartmentsPage, apartmentsUrl, isListing } from "./apartments.ts"
import { listedOf, placardItem, placardOf } from "./placards.ts"
import { profileItem, profileOf } from "./profile.ts"

const maxPages = 18

const input = {
  urls: inputs.texts("Search or listing URLs of www.apartments.com.", { max: 200 }),
  maxItems: inputs.count("Maximum listings over all URLs", { max: 700, or: 100 }),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "apartments-listings-scraper",
  name: "Apartments.com Listings",
  tagline:
    "Apartments.com rentals: rents by bedroom, address, phone, units, fees, pets, amenities.",
  serves: [
    "apartments for rent in a city",
    "rents and fees of a flat",
    "pet-friendly rentals",
    "find a flat to rent",
    "what does a two bedroom flat cost to rent",
    "rental homes that allow dogs",
    "average rent in a city",
    "apartment with parking",
    "flats for rent",
    "rent of a two-room apartment in a US city",
    "rental listings",
    "pet policy and fees of an apartment building",
  ],
  notServed: ["homes for sale"],
  category: "real-estate",
  tier: "premium",
  input,
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
  const what = "the listing"
  const wanted = {
    has: (response: UpstreamResponse) =>
      !isListing(new URL(response.url)) || profileIn(response) !== null,
    what,
    waitFor: "#propertyName",
  }
  const response = await apartmentsPage(url.origin + url.pathname, wanted, ctx)
  if (!isListing(new URL(response.url))) {
    throw new NotFound(
      "Apartments.com shows a search page instead of this listing, which no longer exists.",
      {
        url: url.href,
        statusCode: response.status,
      },
    )
  }
  const profile = profileIn(response)
  if (!profile) throw response.explainMissing(what)
  return { type: "property" as const, ...profile }
}

const profileIn = readOnce(({ document, url }) => profileOf(document, url))

async function* search(target: string, first: URL, ctx: Context<Input>) {
  const seen = new Set<string>()
  let next: string | null = first.href
  for (let page = 1; next !== null && page <= maxPages; page++) {
    try {
      const result = await searchPage(next, ctx)
      for (const placard of result.placards) {
        if (seen.has(placard.id)) continue
        seen.add(placard.id)
        yield { type: "listing" as const, searchUrl: target, position: seen.size, ...placard }
        if (seen.size >= ctx.input.maxItems) return
      }
      next = result.next
    } catch (error) {
      if (page === 1) throw error
      yield partFailed(ctx, error, { input: target, page })
      return
    }
  }
}

async function searchPage(url: string, ctx: Context) {
  const wanted = {
    has: (response: UpstreamResponse) => countIn(response) > 0 || statesNone(response),
    what: "the listings of a search",
    waitFor: "article.placard",
  }
  const response = await apartmentsPage(url, wanted, ctx)
  if (countIn(response) === 0) {
    if (!statesNone(response)) throw response.explainMissing(wanted.what)
    ctx.log(`${url} finds nothing.`)
  }
  const { document } = response
  const { found, listed } = placardsIn(response)
  const placards =
    found.length > 0 ? found.flatMap((placard) => placardOf(placard, response.url) ?? []) : listed
  if (placards.length === 0 && found.length > 0) {
    throw new Changed("The listings of Apartments.com have no IDs or URLs.", { url })
  }
  const link = firstAttribute(document, 'nav#paging a.next[href], link[rel="next"]', "href")
  return { placards, next: absoluteUrl(link, response.url) }
}

/** Returns the listing cards of a page, or else its structured list. */
const placardsIn = readOnce(({ document }) => {
  const matches = [...document.querySelectorAll("#placardContainer article.placard")]
  return { found: matches, listed: matches.length === 0 ? listedOf(document) : [] }
})

function countIn(response: UpstreamResponse): number {
  const { found, listed } = placardsIn(response)
  return found.length + listed.length
}

function statesNone({ document }: UpstreamResponse): boolean {
  const text = plainText(document.body) ?? ""
  const none = /\b(?:0|no) (?:rentals|results|apartments|matching)/i
  return document.querySelector("#placardContainer") !== null && none.test(text)
}
