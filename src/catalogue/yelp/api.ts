import { distinct, isoDate } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, orNull } from "../kit/index.ts"
import { shortReview } from "./feed.ts"
import { type BusinessUrl, businessUrl, hoursOf, weekdays, withLine } from "./yelp.ts"

const api = "https://api.yelp.com/v3/businesses"

/** Returns a business from Yelp's own API, for operators with a key. */
export async function apiBusiness(address: BusinessUrl, key: string, ctx: Context) {
  const url = `${api}/${address.alias}`
  const headers = { authorization: `Bearer ${key}` }
  const business = new JsonReader(await ctx.json(url, { headers }))
  const id = business.text("id")
  const name = business.title("name")
  if (!id || !name) throw new Changed("Yelp's API returned no ID or name of the business.", { url })
  const alias = business.text("alias") ?? address.alias
  const place = business.in("location")
  const phone = business.text("display_phone") ?? business.text("phone")
  const reviews = await orNull(ctx, "reviews", async () => {
    const response = new JsonReader(await ctx.json(`${url}/reviews`, { headers, retries: 0 }))
    return response.list("reviews").map(reviewOf)
  })
  return {
    url: business.text("url")?.replace(/[?#].*$/, "") ?? businessUrl({ host: address.host, alias }),
    alias,
    id,
    name,
    rating: business.number("rating"),
    reviewCount: business.integer("review_count"),
    priceRange: business.text("price"),
    categories: business.list("categories").flatMap((category) => {
      const title = category.title("title")
      return title ? { title, alias: category.text("alias") } : []
    }),
    phone,
    website: business.text("attributes", "business_url"),
    address: withLine(
      {
        street: lines(place, "address1", "address2", "address3"),
        city: place.text("city"),
        region: place.text("state"),
        postalCode: place.text("zip_code"),
        country: place.text("country"),
      },
      place.texts("display_address").join(", ") || null,
    ),
    latitude: business.number("coordinates", "latitude"),
    longitude: business.number("coordinates", "longitude"),
    hours: apiHours(business),
    openNow: business.flag("hours", 0, "is_open_now"),
    claimed: business.flag("is_claimed"),
    closed: business.flag("is_closed"),
    photos: distinct(business.texts("photos")),
    reviews: reviews ?? [],
  }
}

const lines = (place: JsonReader, ...names: string[]) =>
  names.flatMap((name) => place.text(name) ?? []).join(", ") || null

/** Days count from 0 for Monday; a day without hours is closed. */
function apiHours(business: JsonReader) {
  const spans = business.list("hours", 0, "open")
  if (spans.length === 0) return null
  return hoursOf((day) => {
    const own = spans.filter((span) => span.integer("day") === weekdays.indexOf(day))
    return own.length === 0 ? ["Closed"] : own.flatMap(spanText)
  })
}

/** Returns nothing if the hours have no start or end. */
function spanText(span: JsonReader): string | [] {
  const [start, end] = [span.text("start"), span.text("end")]
  if (!start || !end) return []
  const overnight = span.flag("is_overnight") ?? false
  if (overnight && start === end) return "Open 24 hours"
  return `${clock(start)} - ${clock(end)}${overnight ? " (Next day)" : ""}`
}

/** Returns "2330" as "11:30 PM". */
function clock(time: string): string {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(2)} ${hour < 12 ? "AM" : "PM"}`
}

const reviewOf = (review: JsonReader) =>
  shortReview({
    id: review.text("id"),
    rating: review.number("rating"),
    text: review.text("text"),
    createdAt: isoDate(review.text("time_created")),
    reviewer: { id: review.text("user", "id"), name: review.title("user", "name") },
  })
