import { Type } from "@sinclair/typebox"
import { distinct } from "../../extract/core/index.ts"
import {
  defineScraper,
  inputObject,
  inputs,
  integerField,
  itemObject,
  nullable,
  numberField,
  objectsField,
  textField,
  textsField,
} from "../kit/index.ts"
import { hotelPage, hotelUrl } from "./booking.ts"

const item = itemObject({
  input: Type.String({ description: "Hotel as written in the input." }),
  url: Type.String({ description: "URL of the hotel." }),
  hotelId: textField("Booking.com's ID of the hotel."),
  name: Type.String({ description: "Name." }),
  type: textField("Type of accommodation, as a schema.org type."),
  description: textField("Description."),
  address: textField("Postal address."),
  postalCode: textField("Postal code."),
  city: textField("City."),
  country: Type.String({ description: "Country (two letters)." }),
  latitude: numberField("Latitude in degrees."),
  longitude: numberField("Longitude in degrees."),
  stars: integerField("Number of stars (1-5)."),
  reviewScore: numberField("Average score of the reviews (1-10)."),
  reviewCount: integerField("Number of reviews."),
  bestRating: numberField("Maximum possible score."),
  reviewSubscores: nullable(
    Type.Record(Type.String(), Type.Number(), { description: "Scores by topic." }),
  ),
  priceRange: textField("Price range, as displayed."),
  facilities: textsField("The most popular facilities."),
  facilityGroups: objectsField("All facilities by group.", {
    name: Type.String({ description: "Name of the group." }),
    items: textsField("Facilities of the group."),
  }),
  images: textsField("Images; their URLs are signed and must not be changed."),
  checkInFrom: textField("Earliest check-in time."),
  checkOutUntil: textField("Latest check-out time."),
  policies: objectsField("House rules.", {
    name: Type.String({ description: "Subject of the rule, for example Check-in." }),
    text: textField("Rule, as displayed."),
  }),
  rooms: objectsField("Offers for the dates in the URL; empty without dates.", {
    name: Type.String({ description: "Name of the room type." }),
    maxOccupancy: integerField("Maximum number of guests."),
    price: numberField("Price of the whole stay in the currency of `currency`."),
    currency: textField("Currency (ISO 4217)."),
    conditions: textsField("Conditions of the offer, as displayed."),
  }),
  availabilityChecked: Type.Boolean({
    description: "Whether the URL has dates, so that offers were looked up.",
  }),
})

export default defineScraper({
  slug: "booking-hotel-scraper",
  name: "Booking.com Hotels",
  tagline: "Hotel facts from Booking.com: name, address, score, facilities, photos, policies.",
  serves: [
    "details of a hotel",
    "facilities and guest score of a hotel",
    "hotel on Booking.com with address, photos and policies",
    "does a hotel have a pool, breakfast or parking",
    "is a hotel any good and what do guests rate it",
    "check-in time and pets at a hotel",
    "does a hotel have parking and wifi",
    "stars, address and pictures of a hotel",
    "hotel facilities such as spa, gym or breakfast",
    "rooms of a hotel",
    "what do rooms of a hotel cost",
    "is there a pool or spa at a hotel",
    "reviews score of a hotel",
    "check-in and check-out of a hotel",
    "facilities of a hotel",
    "hotel on booking.com",
    "guest score and address of a hotel",
    "services of a hotel",
  ],
  notServed: ["room prices", "search by city", "flights", "making a reservation"],
  category: "travel",
  tier: "free",
  input: inputObject({
    hotelUrls: inputs.texts(
      "Hotel page URLs of www.booking.com; their dates, guests, currency and language apply.",
      { max: 500 },
    ),
    useUnlocker: inputs.useUnlocker(),
  }),
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
  targets: ({ hotelUrls }) => distinct(hotelUrls),

  async *scrape(target, ctx) {
    const address = hotelUrl(target)
    yield { input: target, url: address.page, ...(await hotelPage(address, ctx)) }
  },
})
