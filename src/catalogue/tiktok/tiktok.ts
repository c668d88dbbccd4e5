import { at, JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import {
  type Answer,
  Blocked,
  type Context,
  cookiesOf,
  Forbidden,
  guardedPage,
  lacking,
  ledTo,
  NotFound,
  nextWay,
  type Outcome,
} from "../kit/index.ts"
import { isPuzzle, solvePuzzle } from "./waf.ts"

export const tiktokSite = "https://www.tiktok.com"
export const tiktokPace = { "www.tiktok.com": { perSecond: 0.5, concurrency: 1 } }

const headers = { "accept-language": "en-US,en;q=0.9" }
/** Puzzles that are solved in a run; more of them mean that the answers are not believed. */
const mostPuzzles = 2
/** Pages without their data carry no words that tell why. */
const wall = { statuses: [403], wordless: true }

/** What a page told: the part of its state, and the page. */
export interface TiktokState {
  state: JsonReader
  answer: Answer
}

/**
 * A part of the state that a page carries, such as `webapp.user-detail`; by Chrome where plain
 * requests are refused. `older` reads the same out of the state that pages had before.
 * @throws Blocked, Forbidden (login_required)
 */
export async function tiktokState(
  path: string,
  part: string,
  ctx: Context,
  older: (state: JsonReader) => unknown,
): Promise<TiktokState> {
  const url = `${tiktokSite}${path}`
  const read = (answer: Answer) => ({ state: stateOf(answer, part, older), answer })
  try {
    return read(await tiktokPage(url, ctx))
  } catch (error) {
    if (/^\/login\b/.test(ledTo(error))) throw loginRequired(url)
    if (!(error instanceof Blocked)) throw error
    const render = () =>
      ctx.render(url, { headers, waitFor: "script#__UNIVERSAL_DATA_FOR_REHYDRATION__" })
    return nextWay(ctx, error, "Chrome", async () => read(await render()))
  }
}

/** A page by plain HTTP, with its puzzle solved. */
async function tiktokPage(url: string, ctx: Context): Promise<Answer> {
  const cookies = cookiesOf(ctx.secret("TIKTOK_COOKIE"), "sessionid")
  const answer = await guardedPage(ctx, url, wall, { identity: "browser", headers, cookies })
  if (!isPuzzle(answer.document)) return answer
  const solvedBefore = (ctx.shared.get("tiktok.puzzles") as number | undefined) ?? 0
  const solution = solvedBefore < mostPuzzles ? solvePuzzle(answer.document) : null
  if (!solution) throw puzzled(answer)
  ctx.shared.set("tiktok.puzzles", solvedBefore + 1)
  const next = await guardedPage(ctx, url, wall, {
    identity: "browser",
    headers,
    cookies: solution,
  })
  if (isPuzzle(next.document)) throw puzzled(next)
  return next
}

function puzzled(answer: Answer): Blocked {
  return new Blocked(
    "TikTok answers with its puzzle, and does not accept the solution.",
    "TikTok",
    {
      url: answer.url,
      statusCode: answer.status,
    },
  )
}

function stateOf(answer: Answer, part: string, older: (state: JsonReader) => unknown): JsonReader {
  if (/^\/login\b/.test(new URL(answer.url).pathname)) throw loginRequired(answer.url)
  const { document } = answer
  const scope = at(
    scriptJson(document, "script#__UNIVERSAL_DATA_FOR_REHYDRATION__"),
    "__DEFAULT_SCOPE__",
  )
  const state = at(scope, part) ?? older(new JsonReader(scriptJson(document, "script#SIGI_STATE")))
  if (state !== undefined && state !== null) return new JsonReader(state)
  throw lacking(answer, "TikTok's state", wall)
}

export function loginRequired(url: string): Forbidden {
  return new Forbidden("TikTok shows this to members only; set TIKTOK_COOKIE.", {
    code: "login_required",
    url,
  })
}

/** What a state's number other than 0 means; null for a state that is well. */
export function tiktokRefusal({ state, answer }: TiktokState): Outcome | null {
  const number = state.integer("statusCode") ?? 0
  const details = { url: answer.url }
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
      return new Forbidden(`TikTok does not show this (its status ${number}).`, {
        ...details,
        code: "unavailable",
      })
  }
}

const shortLink = /^(?:https?:\/\/)?(?:(?:vm|vt)\.tiktok\.com\/|(?:www\.)?tiktok\.com\/t\/)\w/i
export const isShortLink = (target: string) => shortLink.test(target.trim())

/** The address that a short link leads to. @throws NotFound when it leads to the front page */
export async function resolveShortLink(target: string, ctx: Context): Promise<string> {
  let url = target.trim().replace(/^(?!https?:\/\/)/i, "https://")
  for (let hop = 0; hop < 3 && isShortLink(url); hop++) {
    const answer = await ctx.get(url, { redirect: "manual", identity: "browser", headers })
    const location = answer.headers.get("location")
    if (!location) throw answer.lacks("the address that a short link leads to")
    url = new URL(location, url).href
  }
  if (new URL(url).pathname === "/") {
    throw new NotFound("This short link leads to nothing any more.", { url: target.trim() })
  }
  return url
}
