import {
  integerOrNull,
  numberOrNull,
  plainTime,
  textOrNull,
  titleOrNull,
  words,
} from "../../extract/core/index.ts"
import {
  at,
  findKey,
  findObjects,
  mergeParts,
  parseLoose,
  scriptJson,
} from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  field,
  NotFound,
  type Row,
  readOnce,
  record,
  required,
} from "../kit/index.ts"
import { edited } from "./words.json"

/** A review in the format of the page's data since 2025. */
export const storeReview = record({
  id: required(field.text("id", "ID.")),
  title: field.title("title", "Title."),
  text: required(field.text("contents", "Text of the review.")),
  rating: required(field.integer("rating", "Stars, 1 to 5.")),
  author: field.title("reviewerName", "Name of the author."),
  isEdited: field.boolean(isEdited, "Whether the review was edited."),
  publishedAt: field.time("date", "Time of writing or editing (ISO 8601, UTC).", plainTime),
  replyText: field.text("response.contents", "Developer's reply."),
  repliedAt: field.time("response.date", "Time of the developer's reply.", plainTime),
})
type StoreReview = ReturnType<typeof storeReview.read>

export const reviewPageUrl = (appId: string, country: string) =>
  `https://apps.apple.com/${country}/app/id${appId}?see-all=reviews`

/**
 * Returns the reviews on an app's App Store page: the ones rated most helpful.
 * @throws NotFound if the app is not sold in that country, Changed (`layout_changed`) without the
 * page's data
 */
export async function storeReviewPage(appId: string, country: string, ctx: Context) {
  const what = "the reviews' data"
  const reply = await ctx.page(reviewPageUrl(appId, country), {
    has: (reply) => reply.status === 404 || reviewsOn(reply) !== null,
    what,
    refusal: { statuses: [403, 429] },
    headers: { "accept-language": "en-US,en;q=0.9" },
    accept: [404],
    retries: 2,
  })
  if (reply.status === 404) {
    const message = `The App Store of ${country.toUpperCase()} has no app ${appId}.`
    throw new NotFound(message, { response: reply })
  }
  const page = reviewsOn(reply)
  if (page) return page
  throw new Changed(reply.explainMissing(what).message, { code: "layout_changed", response: reply })
}

const reviewsOn = readOnce(
  ({ document }) =>
    svelteData(scriptJson(document, "script#serialized-server-data")) ??
    emberData(scriptJson(document, "script#shoebox-media-api-cache-apps")),
)

/** Parses the data since 2025, which has each review several times, in changing sections. */
function svelteData(data: unknown) {
  const matches = [...findObjects(data, (entry) => entry.$kind === "Review")]
  const byId = Map.groupBy(matches, ({ id }) => id)
  // The fields of a review are spread over several sections.
  const reviews = [...byId.values()].flatMap((same) => readReview(mergeParts(same)) ?? [])
  // Sections with other apps may contain their own app headers.
  const page = at(data, "data", 0, "data") ?? at(data, 0, "data")
  const name = titleOrNull(at(at(page, "lockup") ?? findKey(data, "lockup"), "title"))
  const ratings = at(findKey(data, "productRatings"), "items", 0)
  if (reviews.length === 0 && name === null && ratings === undefined) return null
  const average = numberOrNull(at(ratings, "ratingAverage"))
  return {
    appName: name,
    appRating: average,
    appRatingCount: integerOrNull(at(ratings, "totalNumberOfRatings")),
    appRatingHistogram: histogram(at(ratings, "ratingCounts"), average),
    reviews,
  }
}

function readReview(row: Row): StoreReview | null {
  const rating = integerOrNull(row.rating)
  if (textOrNull(row.id) === null || textOrNull(row.contents) === null) return null
  return rating && rating <= 5 ? storeReview.read(row) : null
}

/** The language depends on the country; a date text in an unsupported one returns null. */
function isEdited({ dateText, dateAuthorText }: Row): boolean | null {
  const texts = [dateText, dateAuthorText].map((text) => textOrNull(text)?.trim() ?? "")
  if (texts.some((text) => editedText.test(text))) return true
  return texts.every((text) => text === "") || texts.some((text) => plainDate.test(text))
    ? false
    : null
}

const editedText = new RegExp(`^(?:${words(edited)})`, "iu")
/** Matches "12/03/2025", "3 mars", "Mar 12", "5d ago", and an author after it. */
const plainDate = /^(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d)/i

/** Counts usually start with five stars. The right order has the mean that the page states. */
function histogram(counts: unknown, average: number | null): Record<string, number> | null {
  if (!Array.isArray(counts) || counts.length !== 5) return null
  const rising = counts.map((count) => integerOrNull(count) ?? 0).toReversed()
  const total = rising.reduce((sum, count) => sum + count, 0)
  const mean = (list: number[]) =>
    list.reduce((sum, count, index) => sum + count * (index + 1), 0) / total
  const off = (list: number[]) => Math.abs(mean(list) - (average ?? 0))
  const reversed = rising.toReversed()
  const turned = average !== null && total > 0 && off(reversed) < off(rising)
  return Object.fromEntries((turned ? reversed : rising).map((count, index) => [index + 1, count]))
}

/** Parses the page's data before 2025: JSON texts, keyed by request. */
function emberData(cache: unknown) {
  if (typeof cache !== "object" || cache === null) return null
  for (const text of Object.values(cache)) {
    const app = at(typeof text === "string" ? parseLoose(text) : text, "d", 0)
    const attributes = at(app, "attributes")
    if (attributes === undefined) continue
    const rows = at(app, "relationships", "reviews", "data")
    const average = numberOrNull(at(attributes, "userRating", "value"))
    return {
      appName: titleOrNull(at(attributes, "name")),
      appRating: average,
      appRatingCount: integerOrNull(at(attributes, "userRating", "ratingCount")),
      appRatingHistogram: histogram(at(attributes, "userRating", "ratingCountList"), average),
      reviews: (Array.isArray(rows) ? rows : []).flatMap((row) => emberReview(row) ?? []),
    }
  }
  return null
}

function emberReview(row: unknown): StoreReview | null {
  const attributes = at<Row>(row, "attributes") ?? {}
  const { review, userName, developerResponse: reply } = attributes
  const read = readReview({
    ...attributes,
    id: at(row, "id"),
    contents: review,
    reviewerName: userName,
    response: { contents: at(reply, "body"), date: at(reply, "modified") },
  })
  return read && { ...read, isEdited: attributes.isEdited === true }
}
