import { decodeEntities, isoDate } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  field,
  record,
  required,
  reviewField,
  staleKey,
  starsOf,
  type Tab,
  type UpstreamResponse,
} from "../kit/index.ts"
import { yelpTable } from "./upstream.ts"

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
export function shortReview({ reviewer, ...known }: KnownReview) {
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
