import { integerOrNull, plainTime, textOrNull } from "../../extract/core/index.ts"
import { at, balancedText, parseLoose } from "../../extract/embedded/index.ts"
import {
  busyIsRateLimit,
  Changed,
  type Context,
  field,
  RateLimited,
  type Row,
  readOnce,
  record,
  required,
  type UpstreamResponse,
} from "../kit/index.ts"
import { googleChallenge, googleCookies } from "./google.ts"
import { play } from "./play.ts"

/** A review: a list of values by position, which may end early. */
export const review = record({
  id: required(field.text("0", "ID.")),
  author: field.title("1.0", "Name of the author."),
  authorAvatarUrl: field.text("1.1.3.2", "URL of the author's image."),
  rating: required(field.integer("2", "Stars, 1 to 5.")),
  text: field.text("4", "Text of the review."),
  publishedAt: field.unixTime("5.0", "Time of writing or editing (ISO 8601, UTC).", plainTime),
  helpfulCount: field.integer("6", "Number of people who found the review helpful."),
  replyText: field.text("7.1", "Developer's reply."),
  repliedAt: field.unixTime("7.2.0", "Time of the developer's reply.", plainTime),
  appVersion: field.text("10", "Version of the app that was reviewed."),
  criteria: field.objects(criteriaOf, "Answers to Google's questions about the app.", {
    name: required(field.text("name", "Google's name of the question.")),
    rating: field.integer("rating", "Answer, if it is a number."),
  }),
})

export const sorts = { relevance: 1, newest: 2, rating: 3 } as const

const waits = [5, 10, 15]

interface Requested {
  appId: string
  call: string
  sort: number
  count: number
  token: string | null
  language: string
  country: string
}

/**
 * Returns a page of reviews and the token of the next one. Throws RateLimited, Blocked or Changed.
 */
export async function reviewPage(requested: Requested, ctx: Context) {
  for (const seconds of [...waits, null]) {
    const call = ctx.data(`${play}/_/PlayStoreUi/data/batchexecute`, {
      has: (response) => isBusy(response) || rowIn(response) !== undefined,
      what,
      refusal,
      query: { hl: requested.language, gl: requested.country },
      form: { "f.req": JSON.stringify([[[requested.call, inner(requested), null, "generic"]]]) },
      identity: "browser",
      headers: { accept: "*/*", origin: play, referer: `${play}/` },
      cookies: googleCookies(ctx),
      // The call has no side effects.
      retries: 2,
    })
    const response = await busyIsRateLimit(call)
    if (!isBusy(response)) return readPage(response)
    if (seconds !== null) await ctx.pause(seconds, "Google Play limits the rate of requests.")
  }
  throw new RateLimited("Google Play still limits the rate of requests after waiting. Retry later.")
}

const what = "the response to the call for reviews"
const refusal = {
  vendor: "Google",
  sign: (response: UpstreamResponse) => googleChallenge(response) !== null,
}
const isBusy = (response: UpstreamResponse) => response.text().includes("PlayGatewayError")
const rowIn = readOnce((response) => responseRow(response.text()))

function inner({ appId, sort, count, token }: Requested): string {
  const paging = token === null ? [count] : [count, null, token]
  return JSON.stringify([null, [2, sort, paging, null, Array(9).fill(null)], [appId, 7]])
}

function readPage(response: UpstreamResponse) {
  const row = rowIn(response)
  if (!row) throw response.explainMissing(what)
  const data = typeof row[2] === "string" ? parseLoose(row[2]) : null
  if (data === undefined) throw new Changed("Google Play's reviews are not JSON.")
  const rows = at(data, 0)
  const list = Array.isArray(rows) ? rows : []
  const reviews = list
    .filter((row) => textOrNull(at(row, 0)) !== null && integerOrNull(at(row, 2)) !== null)
    .map((row) => review.read(row))
  if (list.length > 0 && reviews.length === 0) {
    throw new Changed("Google Play's reviews have no ID and rating at the expected position.")
  }
  // The token is in the second part, which was sometimes the last but one.
  const parts = Array.isArray(data) ? data : []
  const paging = parts.length > 2 ? parts.at(-2) : null
  const token = at(data, 1, 1) ?? (Array.isArray(paging) ? paging.at(-1) : null)
  return { reviews, next: textOrNull(token) }
}

/** Returns the first list of responses; byte counts may separate the lists. */
function responseRow(text: string): unknown[] | undefined {
  const plain = text.replace(/^\s*\)\]\}'/, "")
  let from = 0
  for (const { index } of plain.matchAll(/(?<=^|\n)[ \t\r]*(?=\[)/g)) {
    if (index < from) continue
    const start = plain.indexOf("[", index)
    const source = balancedText(plain, start)
    if (source === null) return undefined
    from = start + source.length
    const rows = parseLoose(source)
    const row = Array.isArray(rows) ? rows.find((entry) => at(entry, 0) === "wrb.fr") : undefined
    if (row) return row as unknown[]
  }
}

function criteriaOf(row: Row) {
  const criteria = at(row, 12, 0)
  return (Array.isArray(criteria) ? criteria : [])
    .map((criterion) => ({ name: textOrNull(at(criterion, 0)), rating: at(criterion, 1, 0) }))
    .filter(({ name }) => name !== null)
}
