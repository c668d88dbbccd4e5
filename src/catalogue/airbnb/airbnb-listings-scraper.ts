import { distinct } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  defineScraper,
  inputs,
  items,
  pageByPage,
  readRows,
  record,
} from "../kit/index.ts"
import { listingOf, searchUrl, staysPage } from "./airbnb.ts"

const maxPages = 15

const item = record({
  searchUrl: items.requiredText("URL of the search."),
  position: items.requiredInteger("Position among the results of the search, from 1."),
  page: items.requiredInteger("Page of the search, from 1."),
  id: items.requiredText("Airbnb's ID of the listing."),
  url: items.requiredText("URL of the listing."),
  bookingUrl: items.requiredText("URL of the listing with the dates and guests of the search."),
  title: items.text("Type and location, for example Condo in Panama City Beach."),
  name: items.text("Name given by the host."),
  roomType: items.text("Type of accommodation, for example Condo."),
  city: items.text("City or region."),
  rating: items.number("Average rating in stars (0-5); null for new listings."),
  reviewCount: items.integer("Number of reviews."),
  latitude: items.number("Approximate latitude in degrees."),
  longitude: items.number("Approximate longitude in degrees."),
  priceTotal: items.number("Price of the whole stay in `currency`."),
  priceOriginal: items.number("Price of the whole stay before the discount, in `currency`."),
  nights: items.integer("Number of nights of the stay."),
  pricePerNight: items.number("Price per night in `currency`."),
  currency: items.text("Currency (ISO 4217)."),
  priceText: items.text("Price as displayed."),
  priceBreakdown: items.objects("Items of the price, each with its amount as displayed.", {
    description: items.requiredText("Text of the line, as displayed."),
    amount: items.text("Amount, as displayed."),
  }),
  images: items.texts("URLs of the images."),
  imageUrl: items.text("URL of the first image."),
  badges: items.texts("Badges, for example SUPERHOST."),
  isSuperhost: items.boolean(
    "Whether the host is a superhost; null if the badges are in an unsupported language.",
  ),
  isGuestFavorite: items.boolean(
    "Whether the listing is a guest favorite; null if the badges are in an unsupported language.",
  ),
  summaryLines: items.texts("Lines under the title: beds, dates, distance."),
  beds: items.number("Number of beds."),
  bedrooms: items.number("Number of bedrooms."),
  freeCancellation: items.text("Cancellation terms as displayed."),
})

export default defineScraper({
  slug: "airbnb-listings-scraper",
  name: "Airbnb Listings",
  tagline: "Airbnb search results: name, type, price for the stay, rating, coordinates, photos.",
  notServed: ["reviews", "calendar"],
  category: "travel",
  tier: "premium",
  input: {
    searchUrls: inputs.texts(
      "Search URLs (airbnb.com/s/…); their dates, guests, filters and currency apply.",
      { max: 100 },
    ),
    maxItems: inputs.count("Maximum listings over all searches; one search lists up to 270", {
      max: 1000,
      or: 100,
    }),
  },
  item,
  example: {
    searchUrls: ["https://www.airbnb.com/s/Panama-City-Beach--FL/homes?adults=2"],
    maxItems: 18,
  },
  probe: {
    input: {
      searchUrls: ["https://www.airbnb.com/s/Panama-City-Beach--FL/homes?adults=2"],
      maxItems: 5,
    },
    expect: [
      "items.length equals 5",
      'items[*].id matches "^\\\\d+$"',
      "?items[*].latitude gte 29",
      "?items[*].latitude lte 31",
      "?items[*].imageUrl share 1",
      "?items[*].priceTotal share 0.6",
      "?items[*].rating share 0.5",
      '?items[*].currency only "USD"',
    ],
  },
  rateLimit: { "*": { perSecond: 0.4, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  unverified: ["StaysSearch"],
  concurrency: 1,
  targets: ({ searchUrls }) => distinct(searchUrls),
  identify: (target) => ({ input: target, searchUrl: target }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(target, ctx) {
    const search = searchUrl(target)
    const seen = new Set<string>()
    let cursors: string[] = []
    yield* pageByPage(ctx, { input: target, searchUrl: target }, async function* (page) {
      const response = await staysPage(search, page > 1 ? cursors[page - 1] : undefined, ctx)
      if (page === 1 || response.cursors.length > cursors.length) cursors = response.cursors
      const before = seen.size
      const read = (result: JsonReader) => {
        const listing = listingOf(result, search)
        if (!listing) throw new Changed("A listing in Airbnb's search results has no ID.")
        if (seen.has(listing.id)) return null
        seen.add(listing.id)
        return item.read({ searchUrl: target, position: seen.size, page, ...listing })
      }
      for await (const listing of readRows(response.results, read, ctx)) {
        yield listing
        if (seen.size >= ctx.input.maxItems) return false
      }
      return seen.size > before && page < maxPages && Boolean(cursors[page])
    })
  },
})
