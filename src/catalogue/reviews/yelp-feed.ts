import { isoDate } from "../../extract/dates.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { decodeEntities } from "../../extract/text.ts"
import type { Answer, Context, Tab } from "../context.ts"
import { Changed } from "../outcome.ts"
import { starsOf } from "./review-fields.ts"
import { yelpVersion } from "./yelp.ts"

const pageSize = 10

/** The newest reviews, asked for from inside the business's page. @throws Changed */
export async function newestReviews(id: string, page: Answer, tab: Tab, ctx: Context) {
  const { origin } = new URL(page.url)
  const { reviewsDocument } = ctx.upstream("yelp", yelpVersion)
  const answer = await tab.fetch(`${origin}/gql/batch`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-apollo-operation-name": "GetBusinessReviewFeed",
      origin,
      referer: page.url,
    },
    body: JSON.stringify([
      {
        operationName: "GetBusinessReviewFeed",
        variables: variables(id),
        extensions: { operationType: "query", documentId: reviewsDocument },
      },
    ]),
  })
  if (answer.status >= 400) throw new Changed(`Yelp's list of reviews failed (${answer.status}).`)
  const feed = new JsonReader(answer.json()).in(0, "data", "business", "reviews")
  if (!feed.has("edges")) throw new Changed("Yelp's answer holds no list of reviews.")
  return feed.list("edges").map((edge) => nodeReview(edge.in("node")))
}

function variables(id: string) {
  return {
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
  }
}

function nodeReview(node: JsonReader) {
  const text = node.text("text", "full")
  return {
    id: node.text("encid"),
    rating: node.number("rating"),
    text: text && decodeEntities(text.replace(/<br\s*\/?>/gi, "\n")),
    language: node.text("text", "language"),
    createdAt: isoDate(node.text("createdAt", "utcDateTime")),
    useful: node.integer("feedback", "usefulCount"),
    funny: node.integer("feedback", "funnyCount"),
    cool: node.integer("feedback", "coolCount"),
    reactions: node
      .list("availableReactionsContainer", "availableReactions")
      .flatMap((reaction) => {
        const type = reaction.text("reactionType")
        return type ? { type, count: reaction.integer("count") } : []
      }),
    reviewer: {
      id: node.text("author", "encid"),
      name: node.title("author", "displayName"),
      location: node.title("author", "displayLocation"),
      reviewCount: node.integer("author", "reviewCount"),
      friendCount: node.integer("author", "friendCount"),
      photoCount: node.integer("author", "businessPhotoCount"),
    },
    photos: node.list("businessPhotos").flatMap((photo) => {
      const url = photo.text("photoUrl", "url")
      return url ? { id: photo.text("encid"), url, caption: photo.text("caption") } : []
    }),
  }
}

/** A review of the page's JSON-LD, where the list cannot be had. */
export function dataReview(review: JsonReader): ReturnType<typeof nodeReview> {
  const text = review.text("description") ?? review.text("reviewBody")
  return {
    ...nodeReview(new JsonReader({})),
    rating: starsOf(review.in("reviewRating")),
    text: text && decodeEntities(text),
    createdAt: isoDate(review.text("datePublished")),
    reviewer: {
      id: null,
      name: review.title("author", "name") ?? review.title("author"),
      location: null,
      reviewCount: null,
      friendCount: null,
      photoCount: null,
    },
  }
}
