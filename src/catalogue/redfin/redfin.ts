import { JsonReader, jsonAfter, parseGuarded } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  NotFound,
  type Refusal,
  readOnce,
  targetUrl,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"

export const homesPerCall = 350

const refusal: Refusal = {
  statuses: [403, 405, 429],
  sign: /Human Verification|\/ratelimited\/|Request blocked|ratelimited/i,
}
const headers = { "accept-language": "en-US,en;q=0.9" }

/** Returns the URL of the search in the input: of a page, or of a call of the API. */
export function searchUrl(target: string): URL {
  const url = targetUrl(target)
  if (!url || !/^(?:www\.)?redfin\.(?:com|ca)$/i.test(url.hostname)) {
    throw new BadInput(`"${target}" is not a Redfin URL.`)
  }
  if (/\/home\/\d+/.test(url.pathname)) {
    throw new BadInput(
      `"${target}" is a single home. Use the URL of a search, for example https://www.redfin.com/zipcode/98122.`,
    )
  }
  const isSearch =
    /\/(?:city|zipcode|county|neighborhood|state|school|province)\/|\/filter\/|^\/stingray\/api\/gis$|-?apartments/i
  if (!isSearch.test(url.pathname))
    throw new BadInput(
      `"${target}" is not a Redfin search. Use a URL such as https://www.redfin.com/zipcode/98122.`,
    )
  url.hash = ""
  if (!url.hostname.startsWith("www.")) url.hostname = `www.${url.hostname}`
  return url
}

/**
 * Returns the homes of a page of a search, whose state contains the API's response, and the API's
 * URL for the same search; null if the page does not have it.
 */
export async function searchPage(url: string, ctx: Context) {
  const what = "the homes of a search"
  const has = (response: UpstreamResponse) => callIn(response) !== undefined
  const response = await ctx.page(url, { has, what, refusal, headers })
  const entry = callIn(response)
  if (!entry) throw response.explainMissing(what)
  const [key, { root }] = entry
  const stored = new JsonReader(root)
  const body = stored.value("res", "body")
  const text =
    stored.text("res", "text") ??
    stored.text("res", "body") ??
    (body && typeof body === "object" ? JSON.stringify(body) : null)
  const query = queryOf(key, stored)
  const call = query ? new URL(`/stingray/api/gis?${query}`, response.url) : null
  if (text === null && !call) throw new Changed("Redfin's page has no homes.", { url })
  return { homes: text === null ? [] : homesOf(text, url), call }
}

/** Returns the URL of the call that a page made for its homes, and the response. */
const callIn = readOnce((response) => {
  const state = jsonAfter(response.text(), "root.__reactServerState.InitialContext")
  const cache = new JsonReader(state).entries("ReactServerAgent.cache", "dataCache")
  return cache.find(([key]) => /^\/stingray\/api\/gis(?:\?|$)/.test(key))
})

/** Returns the query of the call that a page made. */
function queryOf(key: string, stored: JsonReader): URLSearchParams | null {
  const written = key.split("?")[1]
  if (written) return new URLSearchParams(written)
  const requested = stored.value("requestData", "queryParams")
  const pairs = (Array.isArray(requested) ? requested : [requested]).flatMap((part) =>
    Object.entries(part ?? {}),
  )
  return pairs.length > 0
    ? new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))
    : null
}

/** Requests the API directly, or from Redfin's home page in Chrome. */
export async function gisHomes(url: string, ctx: Context): Promise<JsonReader[]> {
  const what = "Redfin's homes"
  const response = await ctx.escalate(url, {
    http: (ctx) =>
      ctx.data(url, {
        has: isCallResponse,
        what,
        refusal,
        identity: "browser",
        headers: { ...headers, accept: "*/*", referer: new URL("/", url).href },
      }),
    browser: (ctx) => fromChrome(url, ctx),
  })
  if (!isCallResponse(response)) throw response.explainMissing(what)
  return homesOf(response.text(), url)
}

const isCallResponse = (response: UpstreamResponse) => /^\s*(?:\{\}\s*&&|\{)/.test(response.text())

const fromChrome = (url: string, ctx: Context): Promise<UpstreamResponse> =>
  ctx.browse(async (tab) => {
    await tab.goto(new URL("/", url).href)
    const response = await tab.fetch(url)
    if (response.status < 400 && isCallResponse(response)) return response
    const details = { url, statusCode: response.status }
    throw new Blocked(`Redfin refuses Chrome, too (${response.status}).`, null, details)
  })

/** Returns the homes in the API's response, `{}&&{"resultCode":0,"payload":{"homes":[…]}}`. */
function homesOf(text: string, url: string): JsonReader[] {
  const response = new JsonReader(parseGuarded(text))
  const code = response.integer("resultCode")
  const message = response.text("errorMessage") ?? "no reason given"
  if (code === 101) throw new NotFound(`No such region on Redfin: ${message}.`, { url })
  if (code !== null && code !== 0) {
    throw new UpstreamError(`Redfin's API failed with code ${code}: ${message}.`, { url })
  }
  if (!Array.isArray(response.value("payload", "homes"))) {
    throw new Changed("Redfin's response has no list of homes.", { url })
  }
  return response.list("payload", "homes")
}
