import { at, jsonAfter } from "../../extract/embedded/index.ts"
import {
  type Answer,
  Blocked,
  Changed,
  type Context,
  Forbidden,
  HttpError,
  NotFound,
  Outcome,
  type Refusal,
  readOnce,
  StaleKey,
  staleKey,
} from "../kit/index.ts"
import { youtubeTable } from "./upstream.ts"

export const youtubePace = { "www.youtube.com": { perSecond: 1, concurrency: 2 } }

export const youtube = "https://www.youtube.com"

const languages = { "accept-language": "en-US,en;q=0.9" }

export type Json = Record<string, unknown>
type Endpoint = "search" | "browse" | "player" | "next"

/** Readers of lists are turned away by 429; for single videos it is a matter of pace. */
const refusals: Record<Endpoint, Refusal> = {
  search: { statuses: [429] },
  browse: { statuses: [429] },
  player: {},
  next: {},
}

/** What the website's scripts ask: JSON without key or login, with all texts in English. */
export async function innertube(endpoint: Endpoint, body: Json, ctx: Context): Promise<Json> {
  const { clientName, clientId, clientVersion, consentCookies } = ctx.upstream(youtubeTable)
  const client = { clientName, clientVersion, hl: "en", gl: "US", utcOffsetMinutes: 0 }
  const url = `${youtube}/youtubei/v1/${endpoint}?prettyPrint=false`
  const answer = await ctx.data(url, {
    what: "YouTube's data",
    refusal: refusals[endpoint],
    json: { context: { client, user: { lockedSafetyMode: false } }, ...body },
    headers: {
      ...languages,
      origin: youtube,
      "x-youtube-client-name": clientId,
      "x-youtube-client-version": clientVersion,
    },
    cookies: consentCookies,
    // These calls only read.
    retries: 2,
    accept: [400, 404],
  })
  const json = answer.json<Json | null>()
  if (answer.status >= 400) throw refusal(answer, json)
  if (typeof json !== "object" || json === null) throw answer.lacks("YouTube's data")
  return json
}

function refusal(answer: Answer, json: unknown): Outcome {
  const reason = at<string>(json, "error", "message") ?? `status ${answer.status}`
  const details = { url: answer.url, statusCode: answer.status }
  if (answer.status === 404) return new NotFound(`YouTube does not know this: ${reason}`, details)
  // What is wrong with a request's own values is an "invalid argument".
  if (/precondition|client version|unsupported/i.test(reason)) {
    const message = `YouTube does not serve this version of its client any more: ${reason}`
    return staleKey(youtubeTable, "clientVersion", message, details)
  }
  return new Changed(`YouTube does not accept the request: ${reason}`, details)
}

export interface YoutubePage {
  answer: Answer
  data: Json | undefined
  player: Json | undefined
}

/** A page of the site with the data that it carries for its scripts. */
export async function youtubePage(
  path: string,
  query: Record<string, string | undefined>,
  ctx: Context,
): Promise<YoutubePage> {
  const answer = await ctx.page(`${youtube}${path}`, {
    has: (answer) => dataIn(answer) !== undefined || playerIn(answer) !== undefined,
    what: "YouTube's data",
    refusal: consentPage,
    // Its consent page is the one refusal; where it is busy, a wait helps.
    retries: 3,
    query: { ...query, hl: "en", gl: "US" },
    headers: languages,
    cookies: ctx.upstream(youtubeTable).consentCookies,
  })
  return { answer, data: dataIn(answer), player: playerIn(answer) }
}

const dataIn = readOnce((answer) => jsonAfter<Json>(answer.text(), /ytInitialData["']?\]?\s*=/))
const playerIn = readOnce((answer) => jsonAfter<Json>(answer.text(), /ytInitialPlayerResponse\s*=/))
const consentPage = { vendor: "Google", address: /^https:\/\/consent\./ }

/**
 * What a call of the site's scripts gives; where it is refused or unreadable, what the page itself
 * carries. @throws the call's own failure when the page has nothing either
 */
export async function orFromPage(
  ctx: Context,
  call: () => Promise<Json>,
  page: () => Promise<YoutubePage>,
): Promise<Json> {
  try {
    return await call()
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!isRefusal(error)) throw error
    ctx.log(`${error.message} Reading the page instead.`)
    const found = await page().catch(() => {
      ctx.signal.throwIfAborted()
      throw error
    })
    if (found.data === undefined) throw error
    return found.data
  }
}

export function isRefusal(error: unknown): error is Outcome {
  const kinds = [Blocked, Changed, Forbidden, HttpError, StaleKey]
  return error instanceof Outcome && kinds.some((kind) => error instanceof kind)
}
