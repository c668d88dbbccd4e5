import { textOrNull } from "../../extract/core/index.ts"
import {
  at,
  endOfString,
  jsonAfter,
  parseLiteral,
  parseLoose,
} from "../../extract/embedded/index.ts"
import {
  assertScrapeError,
  Blocked,
  Changed,
  type Context,
  Forbidden,
  HttpError,
  NotFound,
  type RequestOptions,
  readOnce,
  ScrapeError,
  StaleKey,
  staleKey,
  type UpstreamResponse,
} from "../kit/index.ts"
import { youtubeTable } from "./upstream.ts"

export const youtubeRateLimit = { "www.youtube.com": { perSecond: 1, concurrency: 2 } }

export const youtube = "https://www.youtube.com"

const languages = { "accept-language": "en-US,en;q=0.9" }

export type Json = Record<string, unknown>
type Endpoint = "search" | "browse" | "player" | "next"

/** YouTube blocks clients that read many lists with 429; for single videos, 429 is a rate limit. */
const listEndpoints: readonly Endpoint[] = ["search", "browse"]

/** A YouTube client as it identifies itself; without its own user agent, it is the website. */
interface Client {
  clientName: string
  clientId: string
  clientVersion: string
  userAgent?: string
  /** URL of the page that embeds the player. */
  embedUrl?: string
  [device: string]: string | undefined
}

/** Calls the API of the website's scripts: JSON without a key or login, texts in English. */
export function innertube(endpoint: Endpoint, body: Json, ctx: Context): Promise<Json> {
  const { clientName, clientId, clientVersion } = ctx.upstream(youtubeTable)
  return clientCall({ clientName, clientId, clientVersion }, endpoint, body, ctx)
}

/**
 * Returns a `player` response from other clients, requested in order until one has the wanted data;
 * null if none has.
 */
export async function byOtherClients(body: Json, has: (response: Json) => boolean, ctx: Context) {
  for (const [name, client] of Object.entries(ctx.upstream(youtubeTable).playerClients)) {
    const found = await clientCall(client, "player", body, ctx).catch((error) => {
      assertScrapeError(error, ctx)
      ctx.log(`YouTube's client "${name}" is refused too: ${error.message}`)
      return null
    })
    if (found && has(found)) return found
  }
  return null
}

/** Key of the visitor ID: a visitor to whom YouTube has assigned an ID continues with it. */
const visitorKey = "youtube.visitor"

async function clientCall(
  { clientId, embedUrl, ...named }: Client,
  endpoint: Endpoint,
  body: Json,
  ctx: Context,
): Promise<Json> {
  const visitorData = ctx.shared.get(visitorKey) as string | undefined
  const client = { ...named, hl: "en", gl: "US", utcOffsetMinutes: 0, visitorData }
  const { userAgent } = named
  const response = await ctx.data(`${youtube}/youtubei/v1/${endpoint}?prettyPrint=false`, {
    what: "YouTube's data",
    refusal: listEndpoints.includes(endpoint) ? { statuses: [429] } : {},
    identity: userAgent === undefined ? "browser" : "service",
    json: {
      context: {
        client,
        user: { lockedSafetyMode: false },
        ...(embedUrl === undefined ? {} : { thirdParty: { embedUrl } }),
      },
      ...body,
    },
    headers: {
      ...languages,
      origin: youtube,
      "x-youtube-client-name": clientId,
      "x-youtube-client-version": named.clientVersion,
      ...(visitorData === undefined ? {} : { "x-goog-visitor-id": visitorData }),
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
    },
    cookies: ctx.upstream(youtubeTable).consentCookies,
    // These calls only read, so they can be repeated.
    retries: 2,
    accept: [400, 404],
  })
  const json = response.json<Json | null>()
  if (response.status >= 400) throw refusal(response, json)
  if (typeof json !== "object" || json === null) throw response.explainMissing("YouTube's data")
  keepCookieSession(json, ctx)
  return json
}

function keepCookieSession(json: Json | undefined, ctx: Context): void {
  const visitor = at(json, "responseContext", "visitorData")
  if (typeof visitor === "string" && !ctx.shared.has(visitorKey))
    ctx.shared.set(visitorKey, visitor)
}

function refusal(response: UpstreamResponse, json: unknown): ScrapeError {
  const reason = at<string>(json, "error", "message") ?? `status ${response.status}`
  if (response.status === 404)
    return new NotFound(`No such resource on YouTube: ${reason}`, { response })
  // An error in the request's own values is reported as "invalid argument".
  if (/precondition|client version|unsupported/i.test(reason)) {
    const message = `YouTube no longer supports this version of its client: ${reason}`
    return staleKey(youtubeTable, "clientVersion", message, { response })
  }
  return new Changed(`YouTube rejects the request: ${reason}`, { response })
}

/**
 * Returns a page of the site with the data for its scripts. If it asks visitors to prove that they
 * are not a bot, the next fetch method is tried. If all of them are asked, returns the data outside
 * the player.
 */
export async function youtubePage(path: string, query: RequestOptions["query"], ctx: Context) {
  let refused: UpstreamResponse | undefined
  const has = (response: UpstreamResponse) => {
    const holds = dataIn(response) !== undefined || playerIn(response) !== undefined
    if (!holds || !asksForProof(response)) return holds
    refused ??= response
    return false
  }
  const requested = ctx.page(`${youtube}${path}`, {
    has,
    what: "YouTube's data",
    refusal: { ...{ vendor: "Google", address: /^https:\/\/consent\./ }, sign: asksForProof },
    // The consent page is the only refusal; if YouTube is busy, waiting helps.
    retries: 3,
    query: { ...query, hl: "en", gl: "US" },
    headers: languages,
    cookies: ctx.upstream(youtubeTable).consentCookies,
  })
  const response = await requested.catch((error) => {
    ctx.signal.throwIfAborted()
    if (refused === undefined || !(error instanceof Blocked)) throw error
    return refused
  })
  const data = dataIn(response)
  keepCookieSession(data, ctx)
  return { data, player: playerIn(response) }
}

const dataIn = readOnce((response) => pageData(response.text(), "ytInitialData"))
const playerIn = readOnce((response) => {
  const text = response.text()
  return pageData(text, "ytInitialPlayerResponse") ?? formerPlayer(text)
})

/** Returns an object that the page's scripts contain, as itself or as JSON in a string. */
function pageData(text: string, name: string): Json | undefined {
  const assigned = String.raw`\b${name}["']?\]?\s*=\s*`
  const object = jsonAfter<Json>(text, new RegExp(assigned))
  if (object) return object
  const quoted = new RegExp(String.raw`${assigned}(?:JSON\.parse\(\s*)?(?=["'])`).exec(text)
  if (!quoted) return undefined
  const start = quoted.index + quoted[0].length
  const end = endOfString(text, start, text[start]!)
  return end < 0 ? undefined : objectIn(parseLiteral(text.slice(start, end + 1)))
}

/** Returns the player's data in pages before 2021. */
const formerPlayer = (text: string) =>
  objectIn(at(jsonAfter(text, /\bytplayer\.config\s*=/), "args", "player_response"))

function objectIn(json: unknown): Json | undefined {
  const value = typeof json === "string" ? parseLoose(json) : undefined
  return typeof value === "object" && value !== null ? (value as Json) : undefined
}

/** Matches "Sign in to confirm you're not a bot" in the visitor's language. */
export const namesBots =
  /(?<!\p{L})(?:ro)?bot(?:em|a)?(?!\p{L})|robô|(?<!\p{L})(?:ро)?бот|ボット|로봇|봇이|机器人|機器人/iu

function asksForProof(response: UpstreamResponse): boolean {
  const status = at(playerIn(response), "playabilityStatus")
  const reason = textOrNull(at(status, "reason")) ?? ""
  return at(status, "status") === "LOGIN_REQUIRED" && namesBots.test(reason)
}

/**
 * Returns the response to a call of the site's scripts. If it is refused or unreadable, returns the
 * data in the page. Throws the call's error if the page has no data either.
 */
export async function orFromPage(
  ctx: Context,
  call: () => Promise<Json>,
  page: () => Promise<{ data: Json | undefined }>,
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

export function isRefusal(error: unknown): error is ScrapeError {
  const kinds = [Blocked, Changed, Forbidden, HttpError, StaleKey]
  return error instanceof ScrapeError && kinds.some((kind) => error instanceof kind)
}
