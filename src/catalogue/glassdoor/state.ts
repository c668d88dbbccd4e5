import {
  ApolloCache,
  allJsonAfter,
  apolloCache,
  at,
  fieldKeys,
  JsonReader,
  jsonAfter,
  nextState,
} from "../../extract/embedded/index.ts"
import { schemaNode } from "../../extract/structured/index.ts"
import type { UpstreamResponse } from "../kit/index.ts"

/** Data of a company page, in any generation of the site. */
export interface Profile {
  cache: ApolloCache
  employer: JsonReader
  /** Object that the site calls employerReviews; undefined if the page has none. */
  reviews: JsonReader | undefined
  /** Score that the page's structured data contains. */
  stated: number | null
  /** ID of the company's profile, which its reviews request needs. */
  profileId: number | null
}

export function profileOf(response: UpstreamResponse, id: string): Profile | undefined {
  const page = at(nextState(response.document), "props", "pageProps")
  const text = response.text()
  const streamed = streamedText(text)
  const cache =
    apolloCache(at(page, "apolloCache")) ??
    apolloCache(jsonAfter(text, /"?apollo(?:State|Cache)"?(?=\s*:)/)) ??
    apolloCache(jsonAfter(streamed, /"apollo(?:State|Cache)"(?=\s*:)/)) ??
    new ApolloCache({})
  const employer = employersOf(cache, id, page, streamed).find(
    (employer) =>
      employer.text("id") === id &&
      (employer.title("shortName") ?? employer.title("name")) !== null,
  )
  if (!employer) return undefined
  const profile = cache.at(employer, "bestProfile")
  return {
    cache,
    employer,
    reviews:
      cachedReviews(cache, id) ?? reviewsFrom(jsonAfter(streamed, /"employerReviews(?:RG)?"/)),
    stated: schemaNode(response.document, "EmployerAggregateRating").number("ratingValue"),
    profileId:
      profile.integer("id") ?? profile.integer("profileId") ?? employer.integer("profileId"),
  }
}

/** Joins the parts that a page of the newest generation is streamed in. */
function streamedText(text: string): string {
  const pieces: string[] = []
  for (const push of allJsonAfter<unknown[]>(text, "self.__next_f.push")) {
    if (typeof push[1] === "string") pieces.push(push[1])
  }
  return pieces.join("")
}

function employersOf(cache: ApolloCache, id: string, page: unknown, streamed: string) {
  const requested = fieldKeys(cache.query, "employer").map((key) => cache.at(cache.query, key))
  const plain = [at(page, "employer"), ...allJsonAfter(streamed, /"employer"(?=\s*:)/)]
  // Older states contain the company only inside its reviews.
  const reviewed = reviewKeys(cache).map((key) => cache.at(cache.at(cache.query, key), "employer"))
  return [
    ...requested,
    ...cache.ofType("Employer").filter((employer) => employer.text("id") === id),
    ...plain.map((employer) => new JsonReader(employer)),
    ...reviewed,
  ]
}

const reviewKeys = ({ query }: ApolloCache) =>
  ["employerReviewsRG", "employerReviews"].flatMap((field) => fieldKeys(query, field))

/** A page may contain several review queries; the one with ratings is used. */
const cachedReviews = (cache: ApolloCache, id: string): JsonReader | undefined =>
  reviewKeys(cache)
    .filter((key) => !key.includes("(") || new RegExp(`(?<!\\d)${id}(?!\\d)`).test(key))
    .map((key) => cache.at(cache.query, key))
    .find((reviews) => cache.at(reviews, "ratings").number("overallRating") !== null)

/** Returns the reviews in a response of the site's own service, or in a state without a cache. */
export function reviewsFrom(value: unknown): JsonReader | undefined {
  const reader = new JsonReader(value)
  return [
    reader.in("data", "employerReviews"),
    reader.in("data", "employerReviewsRG"),
    reader.in("employerReviews"),
    reader,
  ].find((place) => place.has("ratings", "overallRating"))
}
