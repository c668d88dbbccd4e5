import { at, JsonReader, nextState, parseLoose, scriptJson } from "../../extract/embedded/index.ts"
import {
  Blocked,
  type Context,
  cookiesOf,
  Forbidden,
  failsRun,
  isPlain,
  NotFound,
  type PageOptions,
  type Refusal,
  readOnce,
  redirectTarget,
  type ScrapeError,
  type UpstreamResponse,
} from "../kit/index.ts"

export const tiktokSite = "https://www.tiktok.com"

/** The parts of a definition that the scrapers of TikTok share. */
export const tiktokScraper = {
  category: "social",
  tier: "premium",
  rateLimit: { "www.tiktok.com": { perSecond: 0.5, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  failsRun,
} as const

const headers = { "accept-language": "en-US,en;q=0.9" }
/** Maximum number of puzzles per run; further puzzles mean that TikTok rejects the solutions. */
const maxPuzzles = 2
const stateScript = "script#__UNIVERSAL_DATA_FOR_REHYDRATION__"

/**
 * Pages without their data do not explain why. A page has changed if its state has another form, or
 * if the part with the data has another name.
 */
export const tiktokRefusal: Refusal = {
  statuses: [403],
  sign(response) {
    const state = scriptJson(response.document, stateScript)
    if (state === undefined || state === null) return isPlain(response)
    const scope = at(state, "__DEFAULT_SCOPE__")
    return scope !== undefined && !Object.keys(scope ?? {}).some((key) => /detail/i.test(key))
  },
}

/** A part of a page's state, and the page. */
export type TiktokState = { state: JsonReader; response: UpstreamResponse }

/**
 * Returns a part of the state that a page contains, for example `webapp.user-detail`. `older` reads
 * the same from the state of older pages.
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
  const requested = ctx.escalate(tiktokSite, {
    http: (ctx) => unpuzzled(url, options, ctx),
    browser: (ctx) => ctx.page(url, { ...options, waitFor: stateScript }),
  })
  const response = await requested.catch((error) => {
    throw /^\/login\b/.test(redirectTarget(error)) ? loginRequired(url) : error
  })
  if (isLogin(response)) throw loginRequired(response.url)
  const state = stateIn(response)
  if (!state) throw response.explainMissing(options.what)
  return { state, response }
}

const isLogin = ({ url }: UpstreamResponse) => /^\/login\b/.test(new URL(url).pathname)

/**
 * Returns a page by plain requests, with its puzzle solved; Chrome solves the puzzle without help.
 */
async function unpuzzled(
  url: string,
  options: PageOptions & { has(response: UpstreamResponse): boolean },
  ctx: Context,
): Promise<UpstreamResponse> {
  const has = (response: UpstreamResponse) => options.has(response) || isPuzzle(response.document)
  const request = () => ctx.page(url, { ...options, has })
  const response = await request().catch((error) => {
    if (!(error instanceof Blocked) || error.statusCode !== 200) throw error
    // Pages occasionally come without their state. The cookies of such a page are new.
    ctx.log("TikTok's page has no state. Trying again with the cookies of that page.")
    return request()
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

const puzzled = (response: UpstreamResponse) =>
  new Blocked("TikTok returns its puzzle again and rejects the solution.", "TikTok", { response })

function stateOf(document: Document, part: string, older: (state: JsonReader) => unknown) {
  const scope = at(scriptJson(document, stateScript), "__DEFAULT_SCOPE__")
  const state =
    at(scope, part) ??
    older(new JsonReader(scriptJson(document, "script#SIGI_STATE"))) ??
    oldest(at(nextState(document), "props", "pageProps"))
  return state === undefined || state === null ? null : new JsonReader(state)
}

/** Returns the state of pages before 2022, which has the part's form. */
const oldest = (props: unknown) =>
  ["userInfo", "itemInfo"].some((name) => at(props, name) != null) ? props : undefined

/**
 * Returns a page's own facts. If all fetch methods are refused, returns the few facts that TikTok
 * gives to sites that embed it. A refusal of these adds no information.
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
  const message = "TikTok shows this content only to members. The operator can set TIKTOK_COOKIE."
  return new Forbidden(message, { code: "login_required", url })
}

/** Messages and error codes by TikTok's status. */
const refusals = new Map<number, readonly [string, string]>([
  [10204, ["TikTok reports that this video is not available.", "unavailable"]],
  [10216, ["This post is private.", "private"]],
  [10222, ["This account is private.", "private"]],
])

/** Returns the error for a state's code other than 0; null if the code is 0. */
export function stateRefusal({ state, response: { url } }: TiktokState): ScrapeError | null {
  const number = state.integer("statusCode") ?? 0
  if (number === 0) return null
  if ([10202, 10221, 10223].includes(number))
    return new NotFound("No such user on TikTok.", { url })
  const [message, code] = refusals.get(number) ?? [
    `TikTok does not show this content (TikTok's status ${number}).`,
  ]
  return new Forbidden(message, { url, ...(code && { code }) })
}

const shortLink = /^(?:https?:\/\/)?(?:(?:vm|vt)\.tiktok\.com\/|(?:www\.)?tiktok\.com\/t\/)\w/i
export const isShortLink = (target: string) => shortLink.test(target.trim())

/** Returns the URL that a short link leads to. @throws NotFound if it leads to the home page */
export async function resolveShortLink(target: string, ctx: Context): Promise<string> {
  let url = target.trim().replace(/^(?!https?:\/\/)/i, "https://")
  for (let hop = 0; hop < 3 && isShortLink(url); hop++) {
    const response = await ctx.get(url, { redirect: "manual", identity: "browser", headers })
    const location = response.headers.get("location")
    if (!location) throw response.explainMissing("the URL that a short link leads to")
    url = new URL(location, url).href
  }
  if (new URL(url).pathname === "/")
    throw new NotFound("This short link no longer leads to a page.", { url: target.trim() })
  return url
}

/** The puzzle's solution is below this number. */
const maxTries = 1_000_000

type Puzzle = { v?: { a?: string; c?: string }; [field: string]: unknown }

/** Returns whether a page is TikTok's puzzle for clients without the right cookie. */
const isPuzzle = (document: Document) => document.querySelector("#cs") !== null

/**
 * Returns the cookies that a puzzle page requires. The page has a salt and the hash of the salt
 * followed by a number, which is the solution. Null if the page is not a puzzle of this kind.
 */
function solvePuzzle(document: Document): Record<string, string> | null {
  const words = (id: string) => document.querySelector(id)?.getAttribute("class")?.trim() ?? ""
  const puzzle = parseLoose(Buffer.from(words("#cs"), "base64").toString()) as Puzzle | undefined
  const name = words("#wci")
  if (!name || !puzzle?.v?.a || !puzzle.v.c) return null
  const response = findNumber(Buffer.from(puzzle.v.a, "base64"), Buffer.from(puzzle.v.c, "base64"))
  if (response === null) return null
  const solved = { ...puzzle, d: Buffer.from(String(response)).toString("base64") }
  const cookies = { [name]: Buffer.from(JSON.stringify(solved)).toString("base64") }
  const [originName, origin] = [words("#rci"), words("#rs")]
  return originName && origin ? { ...cookies, [originName]: origin } : cookies
}

function findNumber(salt: Buffer, wanted: Buffer): number | null {
  const text = Buffer.alloc(salt.length + String(maxTries).length)
  salt.copy(text)
  const hash = new Uint8Array(32)
  for (let number = 0; number <= maxTries; number++) {
    const length = text.write(String(number), salt.length, "ascii")
    // biome-ignore lint/style/noRestrictedGlobals: a hash needs no I/O, and up to a million may be needed
    Bun.SHA256.hash(text.subarray(0, salt.length + length), hash)
    if (hash[0] === wanted[0] && wanted.equals(hash)) return number
  }
  return null
}
