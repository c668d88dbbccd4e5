import { Type } from "@sinclair/typebox"
import { distinct, firstText, parseCount } from "../../extract/core/index.ts"
import {
  type Answer,
  addressField,
  Blocked,
  businessFields,
  type Context,
  defineScraper,
  guardedPage,
  inputObject,
  inputs,
  integerField,
  itemObject,
  lacking,
  NotFound,
  numberField,
  pagedRows,
  textField,
  textsField,
} from "../kit/index.ts"
import { listingsOf, yellowPages } from "./yellowpages.ts"

const item = itemObject({
  searchTerm: Type.String({ description: "What was searched for." }),
  location: Type.String({ description: "Where it was searched for." }),
  position: Type.Integer({ description: "Place among the results, from 1." }),
  id: Type.String({ description: "Number of the listing." }),
  url: Type.String({ description: "The listing's page." }),
  ...businessFields("name", "phone"),
  address: addressField,
  ...businessFields("rating", "reviewCount"),
  openingHours: textsField("Opening hours, such as Mo-Th 11:00-21:30."),
  ...businessFields("categories", "website"),
  yearsInBusiness: integerField("Years in business."),
  ...businessFields("priceRange"),
  snippet: textField("What the listing says of itself."),
  tripAdvisorRating: numberField("Rating of TripAdvisor, of five."),
  amenities: textsField("What the business offers."),
  badges: textsField("Marks that the site gives the listing."),
  imageUrl: textField("A picture."),
  sponsored: Type.Boolean({ description: "Whether it is an advertisement." }),
})

const wall = { statuses: [403] }
const maxPages = 100

export default defineScraper({
  slug: "yellowpages-scraper",
  name: "Yellow Pages",
  tagline: "US local businesses from Yellow Pages by what and where.",
  category: "business",
  tier: "premium",
  input: inputObject({
    searchTerms: inputs.texts("What to look for, such as plumbers.", { max: 200 }),
    location: inputs.text("City and state such as Austin, TX, a ZIP code, or a state."),
    maxResults: inputs.count("Most results of each term; 30 make a page.", { max: 3000, or: 30 }),
  }),
  item,
  example: { searchTerms: ["plumbers"], location: "Austin, TX", maxResults: 30 },
  pace: { "www.yellowpages.com": { perSecond: 0.33, concurrency: 1 } },
  access: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.searchTerms.map((term) => term.trim())),
  identify: (searchTerm, { location }) => ({ input: searchTerm, searchTerm, location }),

  async *scrape(searchTerm, ctx) {
    const { location, maxResults } = ctx.input
    const rows = pagedRows(ctx, resultPages(searchTerm, location, ctx), {
      cap: maxResults,
      keyOf: ({ id }) => id,
      target: { input: searchTerm, searchTerm, location },
    })
    let position = 0
    for await (const row of rows) {
      yield "error" in row ? row : { searchTerm, location, position: ++position, ...row }
    }
  },
})

async function* resultPages(searchTerm: string, location: string, ctx: Context) {
  for (let number = 1; number <= maxPages; number++) {
    const query = new URLSearchParams({
      search_terms: searchTerm,
      geo_location_terms: location,
      page: String(number),
    })
    const answer = await resultPage(`${yellowPages}/search?${query}`, ctx)
    const listings = listingsOf(answer)
    if (listings.length === 0) requireEmpty(answer, location)
    yield listings
    if (!hasNext(answer, number)) return
  }
}

async function resultPage(url: string, ctx: Context): Promise<Answer> {
  try {
    return await guardedPage(ctx, url, wall, { headers: { "accept-language": "en-US,en;q=0.9" } })
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    const message = `${error.message} Yellow Pages answers addresses in the United States only.`
    throw new Blocked(message, error.vendor, { url, statusCode: error.statusCode, cause: error })
  }
}

/** "Showing 1-30 of 90" counts results, not pages. */
function hasNext({ document }: Answer, number: number): boolean {
  if (document.querySelector(".pagination a.next")) return true
  const total = parseCount(/\bof ([\d,]+)/.exec(firstText(document, ".pagination span") ?? "")?.[1])
  return total !== null && total > number * 30
}

/** A search without results is true only where the page says so itself. */
function requireEmpty(answer: Answer, location: string): void {
  const text = firstText(answer.document, "body") ?? ""
  if (/could not find[^.]{0,80}location|location[^.]{0,80}could not be found/i.test(text)) {
    throw new NotFound(`Yellow Pages does not know the location ${location}.`, {
      url: answer.url,
      statusCode: answer.status,
    })
  }
  if (/\bno results found\b/i.test(text) || answer.document.querySelector(".no-results")) return
  throw lacking(answer, "the listings", wall)
}
