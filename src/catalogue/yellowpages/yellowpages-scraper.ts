import { distinct, firstText, parseCount } from "../../extract/core/index.ts"
import {
  addressField,
  businessFields,
  type Context,
  cursor,
  defineScraper,
  inputs,
  items,
  NotFound,
  type Refusal,
  readOnce,
  record,
  ScrapeError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { listingsOf, yellowPages } from "./yellowpages.ts"

const item = record({
  searchTerm: items.requiredText("Search term of the input."),
  location: items.requiredText("Location of the search."),
  position: items.requiredInteger("Position in the results, from 1."),
  id: items.requiredText("ID of the listing."),
  url: items.requiredText("URL of the listing's page."),
  ...businessFields("name", "phone"),
  address: addressField,
  ...businessFields("rating", "reviewCount"),
  openingHours: items.texts("Opening hours, for example Mo-Th 11:00-21:30."),
  ...businessFields("categories", "website"),
  yearsInBusiness: items.integer("Number of years in business."),
  ...businessFields("priceRange"),
  snippet: items.text("Description of the listing."),
  tripAdvisorRating: items.number("Rating on TripAdvisor (0-5)."),
  amenities: items.texts("Services of the business."),
  badges: items.texts("Labels of the listing."),
  imageUrl: items.text("URL of an image of the listing."),
  sponsored: items.requiredBoolean("Whether the listing is an advertisement."),
})

const refusal: Refusal = { statuses: [403] }
const maxPages = 100

export default defineScraper({
  slug: "yellowpages-scraper",
  name: "Yellow Pages",
  tagline: "US local businesses from Yellow Pages by what and where.",
  notServed: ["businesses outside the US"],
  category: "business",
  tier: "premium",
  input: {
    searchTerms: inputs.texts("Search words, for example plumbers.", { max: 200 }),
    location: inputs.text("City and state, for example Austin, TX, or a ZIP code or state."),
    maxResults: inputs.count("Maximum results per search term; a page lists 30", {
      max: 3000,
      or: 30,
    }),
  },
  item,
  example: { searchTerms: ["plumbers"], location: "Austin, TX", maxResults: 30 },
  probe: {
    input: { searchTerms: ["plumbers"], location: "Austin, TX", maxResults: 10 },
    expect: [
      "items.length gte 5",
      "items[*].name share 1",
      "items[*].phone share 0.8",
      "?items[*].categories share 0.8",
    ],
  },
  rateLimit: { "www.yellowpages.com": { perSecond: 0.33, concurrency: 1 } },
  fetchMethods: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.searchTerms.map((term) => term.trim())),
  identify: (searchTerm, { location }) => ({ input: searchTerm, searchTerm, location }),

  async *scrape(searchTerm, ctx) {
    const { location } = ctx.input
    let position = 0
    for await (const result of results(searchTerm, ctx)) {
      yield item.read({ searchTerm, location, position: ++position, ...result })
    }
  },
})

function results(searchTerm: string, ctx: Context<{ location: string; maxResults: number }>) {
  const { location, maxResults } = ctx.input
  const page = async (number = 1) => {
    const query = new URLSearchParams({
      search_terms: searchTerm,
      geo_location_terms: location,
      page: String(number),
    })
    const response = await resultPage(`${yellowPages}/search?${query}`, ctx)
    const rows = listingsIn(response)
    if (rows.length === 0) requireEmpty(response, location)
    const isLast = number >= maxPages || !hasNext(response, number)
    return { rows, next: isLast ? null : number + 1 }
  }
  return cursor(page, { cap: maxResults, keyOf: ({ id }) => id })
}

const what = "the listings"

async function resultPage(url: string, ctx: Context): Promise<UpstreamResponse> {
  const page = ctx.page(url, {
    has: (response) =>
      listingsIn(response).length > 0 || reportsNone(response) || isNowhere(response),
    what,
    refusal,
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  return page.catch((error) => {
    if (error instanceof ScrapeError && error.code === "blocked")
      error.message += " Yellow Pages serves only IP addresses in the United States."
    throw error
  })
}

const listingsIn = readOnce(listingsOf)

/** "Showing 1-30 of 90" counts results, not pages. */
function hasNext({ document }: UpstreamResponse, number: number): boolean {
  if (document.querySelector(".pagination a.next")) return true
  const total = parseCount(/\bof ([\d,]+)/.exec(firstText(document, ".pagination span") ?? "")?.[1])
  return total !== null && total > number * 30
}

/** Accepts a search without results only if the page reports that there are none. */
function requireEmpty(response: UpstreamResponse, location: string): void {
  if (isNowhere(response))
    throw new NotFound(`No such location on Yellow Pages: ${location}.`, { response })
  if (!reportsNone(response)) throw response.explainMissing(what)
}

function reportsNone({ document }: UpstreamResponse): boolean {
  const text = firstText(document, "body") ?? ""
  return /\bno results found\b/i.test(text) || document.querySelector(".no-results") !== null
}

const isNowhere = ({ document }: UpstreamResponse) =>
  /could not find[^.]{0,80}location|location[^.]{0,80}could not be found/i.test(
    firstText(document, "body") ?? "",
  )
