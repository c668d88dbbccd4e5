import { decodeEntities, distinct, isoDate } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  field,
  orNull,
  record,
  required,
  reviewField,
  staleKey,
  starsOf,
  type Tab,
  type UpstreamResponse,
} from "../kit/index.ts"
import { yelpTable } from "./upstream.ts"
import { type BusinessUrl, businessUrl, hoursOf, weekdays, withLine } from "./yelp.ts"

/** Returns a business from Yelp's own API, for operators with a key. */
export async function apiBusiness(address: BusinessUrl, key: string, ctx: Context) {
  const url = `https://api.yelp.com/v3/businesses/${address.alias}`
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
    return response.list("reviews").map((review) =>
      shortReview({
        id: review.text("id"),
        rating: review.number("rating"),
        text: review.text("text"),
        createdAt: isoDate(review.text("time_created")),
        reviewer: { id: review.text("user", "id"), name: review.title("user", "name") },
      }),
    )
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

const pageSize = 10

/** Returns the newest reviews, requested from within the business's page. @throws Changed */
export async function newestReviews(id: string, page: UpstreamResponse, tab: Tab, ctx: Context) {
  const { origin } = new URL(page.url)
  const { reviewsDocument } = ctx.upstream(yelpTable)
  const operationName = "GetBusinessReviewFeed"
  const extensions = { operationType: "query", documentId: reviewsDocument }
  const response = await tab.fetch(`${origin}/gql/batch`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-apollo-operation-name": operationName,
      origin,
      referer: page.url,
    },
    body: JSON.stringify([{ operationName, variables: variables(id), extensions }]),
  })
  const isForgotten = /persisted|document/i.test(response.text().slice(0, 2000))
  if (response.status >= 400) {
    const message = `Yelp's list of reviews failed (${response.status}).`
    throw isForgotten ? staleKey(yelpTable, "reviewsDocument", message) : new Changed(message)
  }
  const feed = new JsonReader(response.json()).in(0, "data", "business", "reviews")
  if (!feed.has("edges")) throw new Changed("Yelp's response has no list of reviews.")
  return feed.list("edges").map((edge) => review.read(edge.in("node")))
}

const variables = (id: string) => ({
  encBizId: id,
  reviewsPerPage: pageSize,
  selectedReviewEncId: "",
  hasSelectedReview: false,
  sortBy: "DATE_DESC",
  languageCode: "en",
  ratings: [5, 4, 3, 2, 1],
  isSearching: false,
  after: btoa(JSON.stringify({ version: 1, type: "offset", offset: 0 })),
  isTranslating: false,
  translateLanguageCode: "en",
  reactionsSourceFlow: "businessPageReviewSection",
  minConfidenceLevel: "HIGH_CONFIDENCE",
  highlightType: "",
  highlightIdentifier: "",
  isHighlighting: false,
})

/** Returns the objects of a list that have a text at a path; leaves out the others. */
const having =
  (list: string[], ...path: string[]) =>
  (node: JsonReader) =>
    node.list(...list).filter((entry) => entry.text(...path))

/** Fields of a review, from its node in the list. */
export const review = record({
  id: field.trimmed("encid", "ID of the review."),
  rating: reviewField.rating("rating"),
  text: reviewField.text((node: JsonReader) =>
    decodeEntities((node.text("text", "full") ?? "").replace(/<br\s*\/?>/gi, "\n")),
  ),
  language: reviewField.language("text.language"),
  createdAt: field.time("createdAt.utcDateTime", "Time of the review (ISO 8601)."),
  useful: field.integer("feedback.usefulCount", "Number of readers who found the review useful."),
  funny: field.integer("feedback.funnyCount", "Number of readers who found the review funny."),
  cool: field.integer("feedback.coolCount", "Number of readers who found the review cool."),
  reactions: field.objects(
    having(["availableReactionsContainer", "availableReactions"], "reactionType"),
    "Reactions by kind.",
    {
      type: required(field.trimmed("reactionType", "Kind of reaction.")),
      count: field.integer("count", "Number of readers with this reaction."),
    },
  ),
  reviewer: required(
    field.object((node: JsonReader) => node.in("author"), "Author of the review.", {
      id: field.trimmed("encid", "ID of the author."),
      name: field.title("displayName", "Name of the author."),
      location: field.title("displayLocation", "Location of the author."),
      reviewCount: field.integer("reviewCount", "Number of reviews by the author."),
      friendCount: field.integer("friendCount", "Number of friends of the author."),
      photoCount: field.integer("businessPhotoCount", "Number of photos of businesses."),
    }),
  ),
  photos: field.objects(having(["businessPhotos"], "photoUrl", "url"), "Photos in the review.", {
    id: field.trimmed("encid", "ID of the photo."),
    url: required(field.trimmed("photoUrl.url", "URL of the photo.")),
    caption: field.trimmed("caption", "Caption of the photo."),
  }),
})

interface KnownReview {
  id?: string | null
  rating: number | null
  text: string | null
  createdAt: string | null
  reviewer: { id: string | null; name: string | null }
}

/** Returns a review with only these fields. */
function shortReview({ reviewer, ...known }: KnownReview) {
  const nothing = review.read(new JsonReader({}))
  return { ...nothing, ...known, reviewer: { ...nothing.reviewer, ...reviewer } }
}

/** Returns a review of the page's JSON-LD, for when the list is not available. */
export function dataReview(data: JsonReader) {
  const text = data.text("description") ?? data.text("reviewBody")
  return shortReview({
    rating: starsOf(data.in("reviewRating")),
    text: text && decodeEntities(text),
    createdAt: isoDate(data.text("datePublished")),
    reviewer: { id: null, name: data.title("author", "name") ?? data.title("author") },
  })
}
