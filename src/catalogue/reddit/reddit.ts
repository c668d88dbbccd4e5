import { htmlToText, isoDate, objectList } from "../../extract/core/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  cookiesOf,
  Forbidden,
  failsRun,
  NotFound,
  type RequestOptions,
  redirectTarget,
  type UpstreamResponse,
} from "../kit/index.ts"

export const site = "https://www.reddit.com"

/** The parts of a definition that all scrapers of Reddit share. */
export const redditScraper = {
  category: "social",
  tier: "premium",
  // Reddit allows anonymous clients about ten requests a minute, and an app a hundred.
  rateLimit: {
    "www.reddit.com": { perSecond: 1 / 6, concurrency: 1 },
    "oauth.reddit.com": { perSecond: 1, concurrency: 1 },
  },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  failsRun,
} as const

export type Thing = { kind: string; data: Record<string, unknown> }
export type Listing = { after: string | null; things: Thing[] }
export type Query = Record<string, string | number | undefined>

/**
 * Requests Reddit's API, as a member or through an app. `form` contains the fields that the old page
 * would send.
 */
export type RedditRequest = (
  path: string,
  query: Query,
  ctx: Context,
  form?: Record<string, string>,
) => Promise<UpstreamResponse>

/**
 * Returns a response of the API's public `.json` URLs, as the operator's signed-in session gets it.
 * Reddit refuses them to all signed-out clients since June 2026; use `withSession`.
 * @throws Forbidden (private, quarantined), NotFound, Blocked
 */
export const asMember: RedditRequest = async (path, query, ctx, form) => {
  const earlier = ctx.shared.get(refusedKey)
  if (earlier instanceof Blocked) throw earlier
  const url = `${site}${path}.json`
  const cookies = sessionCookies(ctx)
  const options: RequestOptions = { ...parametersOf(query, form), identity: "browser", cookies }
  try {
    return await checked(path, form ? ctx.post(url, { ...options, form }) : ctx.get(url, options))
  } catch (error) {
    if (error instanceof Blocked) ctx.shared.set(refusedKey, error)
    throw error
  }
}

/** Set after a run's first refusal: more requests could close Reddit's feeds and pages, too. */
const refusedKey = "reddit.refused"

export function parametersOf(query: Query, form: Record<string, string> | undefined) {
  return {
    // A form contains this parameter.
    query: form ? query : { raw_json: 1, ...query },
    accept: [400, 401, 403, 404],
    headers: { accept: "application/json" },
  }
}

/** Returns a response with the requested data. @throws Forbidden, NotFound, Blocked */
export async function checked(path: string, requested: Promise<UpstreamResponse>) {
  const response = await requested.catch((error) => {
    throwIfElsewhere(redirectTarget(error), `${site}${path}`)
    throw error
  })
  if (response.status >= 400) throw refusal(response)
  throwIfElsewhere(new URL(response.url).pathname, response.requestedUrl)
  return response
}

/** @throws NotFound, Forbidden (login_required) if Reddit redirects away from the requested page */
function throwIfElsewhere(path: string, url: string): void {
  if (path.startsWith("/subreddits/search"))
    throw new NotFound("No such community on Reddit.", { url })
  if (/^\/login\b/.test(path))
    throw new Forbidden("Reddit requires a login.", { url, code: "login_required" })
}

/** Returns the cookie of consent to all content, and the operator's session if there is one. */
export const sessionCookies = (ctx: Context): Record<string, string> => ({
  over18: "1",
  _options: encodeURIComponent('{"pref_gated_sr_optin":true}'),
  ...cookiesOf(ctx.secret("REDDIT_COOKIE"), "reddit_session"),
})

function refusal(response: UpstreamResponse) {
  const details = { response }
  const isJson = /^\s*\{/.test(response.text())
  const reason = isJson ? response.json<{ reason?: string }>().reason : undefined
  if (response.status === 404) {
    if (!isJson) return new NotFound("No such page on Reddit.", details)
    const isBanned = reason === "banned"
    const message = isBanned
      ? "Reddit has banned this community."
      : "No such page, user or post on Reddit."
    return new NotFound(message, details)
  }
  if (response.status === 400) return new BadInput("Reddit rejects this request.", details)
  if (response.status === 401)
    return new Forbidden("Reddit requires a login.", { response, code: "login_required" })
  if (!isJson) return new Blocked(`Reddit has blocked this request. ${advice}`, "Reddit", details)
  if (reason === "private")
    return new Forbidden("This community is private.", { ...details, code: "private" })
  const why = reason ?? "quarantined, gated or closed to this client"
  return new Forbidden(`Reddit refuses access to this content (${why}).`, details)
}

const advice =
  "Reddit refuses most signed-out clients. The operator can use Chrome or another IP address, or set REDDIT_FEED or REDDIT_COOKIE of an account. New apps (REDDIT_CLIENT_ID) need Reddit's approval since November 2025."

/** Returns the entries of a list; leaves out entries without kind or data. */
export const thingsIn = (list: unknown): Thing[] =>
  (Array.isArray(list) ? objectList<Thing>(list) : []).filter(
    ({ kind, data }) => typeof kind === "string" && typeof data === "object" && data !== null,
  )

/** @throws Changed if the value is not a listing */
export function listingOf(value: unknown, url: string): Listing {
  const { kind, data } = (value ?? {}) as { kind?: string; data?: Record<string, unknown> }
  if (kind !== "Listing" || !Array.isArray(data?.children))
    throw new Changed("Reddit's response is not a listing.", { url })
  const known = thingsIn(data.children)
  if (data.children.length > 0 && known.length === 0)
    throw new Changed("Reddit's listing has entries without kind or data.", { url })
  return { after: typeof data.after === "string" ? data.after : null, things: known }
}

export type Post = Record<string, unknown>

/** Returns a time as the API writes it, in seconds. */
export function unixSeconds(time: string | null | undefined): number | null {
  const iso = isoDate(time)
  return iso === null ? null : Date.parse(iso) / 1000
}

/** Returns HTML under the names that a text has in the API. */
export const textsOf = (html: string | null | undefined, name: string) => ({
  [name]: htmlToText(html),
  [`${name}_html`]: html ?? null,
  [`${name}_markdown`]: fragmentMarkdown(html, site),
})

/** Returns the part of a URL after a prefix such as `/r/`; null if the text is not such a URL. */
export function redditPath(target: string, kinds: string): string | null {
  const pattern = new RegExp(
    `^(?:(?:https?://)?(?:[\\w-]+\\.)?reddit\\.com)?/?(?:${kinds})/([^/?#]+)`,
    "i",
  )
  return pattern.exec(target.trim())?.[1] ?? null
}

/** @throws BadInput */
export function subredditName(target: string): string {
  const name = redditPath(target, "r") ?? target.trim()
  const communities = /^\w{2,21}(?:[+-]\w{2,21})*$/
  if (communities.test(name) || /^u_[\w-]{1,20}$/.test(name)) return name
  throw new BadInput(`"${target}" is not a subreddit. Write its name, for example "programming".`)
}
