import { at, JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import {
  Blocked,
  type Context,
  cookiesOf,
  Forbidden,
  isPlain,
  ledTo,
  NotFound,
  type PageOptions,
  type Refusal,
  readOnce,
  type ScrapeError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { isPuzzle, solvePuzzle } from "./waf.ts"

export const tiktokSite = "https://www.tiktok.com"
export const tiktokRateLimit = { "www.tiktok.com": { perSecond: 0.5, concurrency: 1 } }

const headers = { "accept-language": "en-US,en;q=0.9" }
/** Puzzles that are solved in a run; more of them mean that the answers are not believed. */
const maxPuzzles = 2
const stateScript = "script#__UNIVERSAL_DATA_FOR_REHYDRATION__"

/**
 * Pages without their data have no words that explain why. A page has changed if its state has
 * another form, or the details of something another name.
 */
export const tiktokRefusal: Refusal = {
  statuses: [403],
  sign(response) {
    const state = scriptJson(response.document, stateScript)
    if (state === undefined || state === null) return isPlain(response)
    const scope = at(state, "__DEFAULT_SCOPE__")
    return scope !== undefined && !Object.keys(scope as object).some((key) => /detail/i.test(key))
  },
}

/** The part of a page's state, and the page. */
export interface TiktokState {
  state: JsonReader
  response: UpstreamResponse
}

/**
 * A part of the state that a page carries, such as `webapp.user-detail`. `older` reads the same out
 * of the state that pages had before.
 * @throws Blocked, Forbidden (login_required)
 */
export async function tiktokState(
  path: string,
  part: string,
  ctx: Context,
  older: (state: JsonReader) => unknown,
): Promise<TiktokState> {
  const url = `${tiktokSite}${path}`
  const stateIn = readOnce(({ document }) => stateOf(document, part, older))
  const options = {
    has: (response: UpstreamResponse) => stateIn(response) !== null || isLogin(response),
    what: "TikTok's state",
    refusal: tiktokRefusal,
    headers,
    cookies: cookiesOf(ctx.secret("TIKTOK_COOKIE"), "sessionid"),
  }
  const waitFor = stateScript
  const requested = ctx.escalate(tiktokSite, {
    http: (ctx) => unpuzzled(url, options, ctx),
    browser: (ctx) => ctx.page(url, { ...options, waitFor }),
  })
  const response = await requested.catch((error) => {
    throw /^\/login\b/.test(ledTo(error)) ? loginRequired(url) : error
  })
  if (isLogin(response)) throw loginRequired(response.url)
  const state = stateIn(response)
  if (!state) throw response.explainMissing(options.what)
  return { state, response }
}

const isLogin = ({ url }: UpstreamResponse) => /^\/login\b/.test(new URL(url).pathname)

/**
 * Returns a page by plain requests, with its puzzle solved; Chrome solves the puzzle on its own.
 */
async function unpuzzled(
  url: string,
  options: PageOptions & { has(response: UpstreamResponse): boolean },
  ctx: Context,
): Promise<UpstreamResponse> {
  const has = (response: UpstreamResponse) => options.has(response) || isPuzzle(response.document)
  const ask = () => ctx.page(url, { ...options, has })
  const response = await ask().catch((error) => {
    if (!(error instanceof Blocked) || error.statusCode !== 200) throw error
    // Pages come without their state now and then; the cookies that came with this one are new.
    ctx.log("TikTok's page came without its state. Asking again with the cookies of that page.")
    return ask()
  })
  if (!isPuzzle(response.document)) return response
  const solvedBefore = (ctx.shared.get("tiktok.puzzles") as number | undefined) ?? 0
  const solution = solvedBefore < maxPuzzles ? solvePuzzle(response.document) : null
  if (!solution) throw puzzled(response)
  ctx.shared.set("tiktok.puzzles", solvedBefore + 1)
  const next = await ctx.page(url, { ...options, has, cookies: solution })
  if (isPuzzle(next.document)) throw puzzled(next)
  return next
}

function puzzled({ url, status }: UpstreamResponse): Blocked {
  const message = "TikTok answers with its puzzle, and does not accept the solution."
  return new Blocked(message, "TikTok", { url, statusCode: status })
}

function stateOf(
  document: Document,
  part: string,
  older: (state: JsonReader) => unknown,
): JsonReader | null {
  const scope = at(scriptJson(document, stateScript), "__DEFAULT_SCOPE__")
  const state = at(scope, part) ?? older(new JsonReader(scriptJson(document, "script#SIGI_STATE")))
  return state === undefined || state === null ? null : new JsonReader(state)
}

/**
 * Returns a page's own facts; if all fetch methods are refused, the few facts that TikTok gives to
 * other sites. Another refusal of these adds no information.
 */
export async function orEmbedded<T>(
  ctx: Context,
  what: string,
  own: () => Promise<T>,
  embedded: (ctx: Context) => Promise<T>,
): Promise<T> {
  try {
    return await own()
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    ctx.log(`${error.message} Reading ${what}.`)
    return ctx.escalate(tiktokSite, { http: embedded }).catch((failure) => {
      ctx.signal.throwIfAborted()
      throw failure instanceof NotFound ? failure : error
    })
  }
}

export function loginRequired(url: string): Forbidden {
  return new Forbidden("TikTok shows this to members only; set TIKTOK_COOKIE.", {
    code: "login_required",
    url,
  })
}

/** What a state's number other than 0 means; null for a state that is well. */
export function stateRefusal({ state, response }: TiktokState): ScrapeError | null {
  const number = state.integer("statusCode") ?? 0
  const details = { url: response.url }
  switch (number) {
    case 0:
      return null
    case 10202:
    case 10221:
    case 10223:
      return new NotFound("TikTok knows no such user.", details)
    case 10216:
      return new Forbidden("This post is private.", { ...details, code: "private" })
    case 10222:
      return new Forbidden("This account is private.", { ...details, code: "private" })
    case 10204:
      return new Forbidden("TikTok says that this video is not available.", {
        ...details,
        code: "unavailable",
      })
    default:
      return new Forbidden(`TikTok does not show this (its status ${number}).`, details)
  }
}

const shortLink = /^(?:https?:\/\/)?(?:(?:vm|vt)\.tiktok\.com\/|(?:www\.)?tiktok\.com\/t\/)\w/i
export const isShortLink = (target: string) => shortLink.test(target.trim())

/** The address that a short link leads to. @throws NotFound when it leads to the front page */
export async function resolveShortLink(target: string, ctx: Context): Promise<string> {
  let url = target.trim().replace(/^(?!https?:\/\/)/i, "https://")
  for (let hop = 0; hop < 3 && isShortLink(url); hop++) {
    const response = await ctx.get(url, { redirect: "manual", identity: "browser", headers })
    const location = response.headers.get("location")
    if (!location) throw response.explainMissing("the address that a short link leads to")
    url = new URL(location, url).href
  }
  if (new URL(url).pathname === "/") {
    throw new NotFound("This short link leads to nothing any more.", { url: target.trim() })
  }
  return url
}
