import { distinct } from "../../extract/core/index.ts"
import { defineScraper, inputs, items, nullable, record } from "../kit/index.ts"
import { hotelPage, hotelUrl } from "./booking.ts"

const item = record({
  input: items.requiredText("Hotel as written in the input."),
  url: items.requiredText("URL of the hotel."),
  hotelId: items.text("Booking.com's ID of the hotel."),
  name: items.requiredText("Name."),
  type: items.text("Type of accommodation, as a schema.org type."),
  description: items.text("Description."),
  address: items.text("Postal address."),
  postalCode: items.text("Postal code."),
  city: items.text("City."),
  country: items.requiredText("Country (two letters)."),
  latitude: items.number("Latitude in degrees."),
  longitude: items.number("Longitude in degrees."),
  stars: items.integer("Number of stars (1-5)."),
  reviewScore: items.number("Average score of the reviews (1-10)."),
  reviewCount: items.integer("Number of reviews."),
  bestRating: items.number("Maximum possible score."),
  reviewSubscores: nullable(items.numbersByName("Scores by topic.")),
  priceRange: items.text("Price range, as displayed."),
  facilities: items.texts("The most popular facilities."),
  facilityGroups: items.objects("All facilities by group.", {
    name: items.requiredText("Name of the group."),
    items: items.texts("Facilities of the group."),
  }),
  images: items.texts("Images; their URLs are signed and must not be changed."),
  checkInFrom: items.text("Earliest check-in time."),
  checkOutUntil: items.text("Latest check-out time."),
  policies: items.objects("House rules.", {
    name: items.requiredText("Subject of the rule, for example Check-in."),
    text: items.text("Rule, as displayed."),
  }),
  rooms: items.objects("Offers for the dates in the URL; empty without dates.", {
    name: items.requiredText("Name of the room type."),
    maxOccupancy: items.integer("Maximum number of guests."),
    price: items.number("Price of the whole stay in the currency of `currency`."),
    currency: items.text("Currency (ISO 4217)."),
    conditions: items.texts("Conditions of the offer, as displayed."),
  }),
  availabilityChecked: items.requiredBoolean(
    "Whether the URL has dates, so that offers were looked up.",
  ),
})

export default defineScraper({
  slug: "booking-hotel-scraper",
  name: "Booking.com Hotels",
  tagline: "Hotel facts from Booking.com: name, address, score, facilities, photos, policies.",
  notServed: ["room prices", "search by city", "flights", "making a reservation"],
  category: "travel",
  input: {
    hotelUrls: inputs.texts(
      "Hotel page URLs of www.booking.com; their dates, guests, currency and language apply.",
      { max: 500 },
    ),
    useUnlocker: inputs.useUnlocker(),
  },
  item,
  example: { hotelUrls: ["https://www.booking.com/hotel/gb/gardencourthotel.html"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name matches "garden court"',
      '?items[0].city matches "london"',
      "?items[0].reviewScore gte 4",
      "?items[0].reviewCount gte 500",
      "?items[0].facilities.length gte 3",
      "?items[0].latitude gte 51.4",
    ],
  },
  rateLimit: { "www.booking.com": { perSecond: 1, concurrency: 1 } },
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  concurrency: 1,
  pages: { ofTarget: 1 },
  targets: ({ hotelUrls }) => distinct(hotelUrls),

  async *scrape(target, ctx) {
    const address = hotelUrl(target)
    yield item.read({ input: target, url: address.page, ...(await hotelPage(address, ctx)) })
  },
})
