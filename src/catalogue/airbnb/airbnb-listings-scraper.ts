import { Type } from "@sinclair/typebox"
import { distinct } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  booleanField,
  Changed,
  defineScraper,
  inputObject,
  inputs,
  integerField,
  itemObject,
  numberField,
  objectsField,
  partFailed,
  readRows,
  textField,
  textsField,
} from "../kit/index.ts"
import { listingOf, searchUrl, staysPage } from "./airbnb.ts"

const maxPages = 15

const item = itemObject({
  searchUrl: Type.String({ description: "URL of the search." }),
  position: Type.Integer({ description: "Position among the results of the search, from 1." }),
  page: Type.Integer({ description: "Page of the search, from 1." }),
  id: Type.String({ description: "Airbnb's ID of the listing." }),
  url: Type.String({ description: "URL of the listing." }),
  bookingUrl: Type.String({
    description: "URL of the listing with the dates and guests of the search.",
  }),
  title: textField("Type and location, for example Condo in Panama City Beach."),
  name: textField("Name given by the host."),
  roomType: textField("Type of accommodation, for example Condo."),
  city: textField("City or region."),
  rating: numberField("Average rating in stars (0-5); null for new listings."),
  reviewCount: integerField("Number of reviews."),
  latitude: numberField("Approximate latitude in degrees."),
  longitude: numberField("Approximate longitude in degrees."),
  priceTotal: numberField("Price of the whole stay in `currency`."),
  priceOriginal: numberField("Price of the whole stay before the discount, in `currency`."),
  nights: integerField("Number of nights of the stay."),
  pricePerNight: numberField("Price per night in `currency`."),
  currency: textField("Currency (ISO 4217)."),
  priceText: textField("Price as displayed."),
  priceBreakdown: objectsField("Items of the price, each with its amount as displayed.", {
    description: Type.String({ description: "Text of the line, as displayed." }),
    amount: textField("Amount, as displayed."),
  }),
  images: textsField("URLs of the images."),
  imageUrl: textField("URL of the first image."),
  badges: textsField("Badges, for example SUPERHOST."),
  isSuperhost: booleanField(
    "Whether the host is a superhost; null if the badges are in an unsupported language.",
  ),
  isGuestFavorite: booleanField(
    "Whether the listing is a guest favorite; null if the badges are in an unsupported language.",
  ),
  summaryLines: textsField("Lines under the title: beds, dates, distance."),
  beds: numberField("Number of beds."),
  bedrooms: numberField("Number of bedrooms."),
  freeCancellation: textField("Cancellation terms as displayed."),
})

export default defineScraper({
  slug: "airbnb-listings-scraper",
  name: "Airbnb Listings",
  tagline: "Airbnb search results: name, type, price for the stay, rating, coordinates, photos.",
  serves: [
    "holiday apartments in a city",
    "Airbnb stays and prices for dates",
    "vacation rentals",
    "find a place to stay",
    "rent a cabin, villa or flat for a weekend",
    "holiday home for a family with pool",
    "price per night of private rooms",
    "apartment for four people for a few nights",
    "stay somewhere on vacation with a kitchen",
    "holiday flats with price per night",
    "Airbnb search",
    "where can we stay in a city",
    "vacation apartment for a week",
  ],
  notServed: ["reviews", "calendar"],
  category: "travel",
  tier: "premium",
  input: inputObject({
    searchUrls: inputs.texts(
      "Search URLs (airbnb.com/s/…); their dates, guests, filters and currency apply.",
      { max: 100 },
    ),
    maxItems: inputs.count("Maximum listings over all searches; one search lists up to 270", {
      max: 1000,
      or: 100,
    }),
  }),
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
    for (let page = 1; page <= maxPages; page++) {
      const cursor = cursors[page - 1]
      if (page > 1 && !cursor) return
      const before = seen.size
      try {
        const found = await staysPage(search, page > 1 ? cursor : undefined, ctx)
        if (page === 1 || found.cursors.length > cursors.length) cursors = found.cursors
        const read = (result: JsonReader) => {
          const listing = listingOf(result, search)
          if (!listing) throw new Changed("A listing in Airbnb's search results has no ID.")
          if (seen.has(listing.id)) return null
          seen.add(listing.id)
          return { searchUrl: target, position: seen.size, page, ...listing }
        }
        for await (const listing of readRows(found.results, read, ctx)) {
          yield listing
          if (seen.size >= ctx.input.maxItems) return
        }
      } catch (error) {
        if (page === 1) throw error
        yield partFailed(ctx, error, { input: target, searchUrl: target, page })
        return
      }
      if (seen.size === before) return
    }
  },
})
