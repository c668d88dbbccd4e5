import { countOf, countSource, titleOrNull, unseen } from "../../extract/core/index.ts"
import {
  findObjects,
  JsonReader,
  jsonAfter,
  mergeParts,
  parseLoose,
} from "../../extract/embedded/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  cookiesOf,
  Forbidden,
  failsRun,
  NotFound,
  RateLimited,
  readOnce,
  redirectTarget,
  ScrapeError,
  Timeout,
  Unreachable,
  UpstreamError,
  type UpstreamResponse,
  upstreamTable,
} from "../kit/index.ts"

export const instagramSite = "https://www.instagram.com"

/** Constants of the site's web build. */
export const instagramTable = upstreamTable("instagram", "2026-08", { appId: "936619743392459" })

/** The parts of a definition that all scrapers of Instagram share. */
export const instagramScraper = {
  category: "social",
  tier: "premium",
  rateLimit: { "www.instagram.com": { perSecond: 1 / 3, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  failsRun,
} as const

const userKey = "xig_user_by_username"
const pathsOfTheSite = new Set("p reel reels tv stories explore accounts direct".split(" "))

/** A profile, as signed-out visitors see it, and its source. */
export interface InstagramProfile {
  source: "api" | "page" | "meta"
  /** Whether `user` has the fields of the API; pages before 2022 contained the API's response. */
  isOfApi: boolean
  /** Upstream user object of `api` or `page`; empty for `meta`. */
  user: JsonReader
  /** Nodes of the posts; null if the response does not mention posts. */
  posts: JsonReader[] | null
  head: PageHead | null
  url: string
}

/** @throws BadInput */
export function instagramName(target: string): string {
  const text = target.trim()
  const url = /^(?:https?:\/\/)?(?:www\.|m\.)?instagram\.com\/([^/?#]+)/i.exec(text)
  const name = (url?.[1] ?? text.replace(/^@/, "")).toLowerCase()
  if (/^[a-z0-9_.]{1,30}$/.test(name) && !(url && pathsOfTheSite.has(name))) return name
  throw new BadInput(`"${target}" is not an Instagram profile. Use a username or a profile URL.`)
}

/** Returns a response of the site's own API with any status. Throws Forbidden (login_required). */
export async function instagramApi(
  path: string,
  referer: string,
  ctx: Context,
  form?: URLSearchParams,
): Promise<UpstreamResponse> {
  const cookies = cookiesOf(ctx.secret("INSTAGRAM_COOKIE"), "sessionid")
  const options = {
    identity: "browser",
    accept: "any",
    retries: 0,
    cookies,
    headers: {
      accept: "*/*",
      "accept-language": "en-US",
      "sec-fetch-site": "same-origin",
      "sec-fetch-mode": "cors",
      "sec-fetch-dest": "empty",
      "x-ig-app-id": ctx.upstream(instagramTable).appId,
      "x-requested-with": "XMLHttpRequest",
      referer,
      ...(cookies.csrftoken && { "x-csrftoken": cookies.csrftoken }),
      ...(form && { "content-type": "application/x-www-form-urlencoded" }),
    },
  } as const
  const url = `${instagramSite}${path}`
  const pending = form
    ? ctx.post(url, { ...options, body: form.toString() })
    : ctx.get(url, options)
  const response = await pending.catch((error) => {
    throw isLoginPath(redirectTarget(error))
      ? loginRequired({ url: error.url, status: 302 })
      : error
  })
  if (isLoginPath(new URL(response.url).pathname)) throw loginRequired(response)
  return response
}

/**
 * Returns a profile from the API, or else from its page. An EmptyShell that `check` throws for a
 * partial profile makes the engine try the next fetch method. Throws NotFound, RateLimited, Blocked
 * (login_required), EmptyShell or Changed.
 */
export function instagramProfile(
  name: string,
  ctx: Context,
  check: (profile: InstagramProfile) => void = () => {},
): Promise<InstagramProfile> {
  const checked = (request: typeof plainProfile) => async (ctx: Context) => {
    const profile = await request(name, ctx)
    check(profile)
    return profile
  }
  return ctx.escalate(instagramSite, {
    http: checked(plainProfile),
    browser: checked(profileOfPage),
  })
}

async function plainProfile(name: string, ctx: Context): Promise<InstagramProfile> {
  let refused: ScrapeError
  try {
    return await profileOfApi(name, ctx)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof ScrapeError) || error instanceof NotFound) throw error
    ctx.log(`${error.message} Reading the profile's page.`)
    refused = error
  }
  try {
    return await profileOfPage(name, ctx)
  } catch (error) {
    // A page that does not respond is less informative than the API's refusal.
    throw error instanceof Unreachable || error instanceof Timeout ? refused : error
  }
}

async function profileOfApi(name: string, ctx: Context): Promise<InstagramProfile> {
  const path = `/api/v1/users/web_profile_info/?username=${encodeURIComponent(name)}`
  const response = await instagramApi(path, `${instagramSite}/${name}/`, ctx)
  if (response.status !== 200) throw apiRefusal(response)
  const { data } = response.json<{ data?: { user?: unknown } }>({ bigIntegers: true })
  if (data?.user === null) throw notFound(response)
  const user = new JsonReader(data?.user)
  if (!user.has("username")) throw new Changed("Instagram's response has no user.")
  return { source: "api", isOfApi: true, user, ...postsOfApi(user), url: response.url }
}

const postsOfApi = (user: JsonReader) => ({
  posts: user.has("edge_owner_to_timeline_media", "edges")
    ? user.list("edge_owner_to_timeline_media", "edges").map((edge) => edge.in("node"))
    : null,
  head: null,
})

/** Returns the error for an API response with a status other than 200. */
export function apiRefusal(response: UpstreamResponse): ScrapeError {
  const details = { response }
  const text = response.text().slice(0, 2000)
  if (response.status === 404) return notFound(response)
  // "Please wait a few minutes" comes with it, even after a long wait.
  const asksLogin = /"require_login"\s*:\s*true/.test(text)
  if (response.status >= 500 && !asksLogin)
    return new UpstreamError(`Instagram failed (status ${response.status}).`, details)
  if (!asksLogin && (response.status === 429 || /wait a few minutes/i.test(text)))
    return new RateLimited("Instagram limits the rate of requests.", null, details)
  if (asksLogin || /log(?:ged)? in|require_login|checkpoint|challenge/i.test(text))
    return loginRequired(response)
  return new Blocked(
    `Instagram refused the request (status ${response.status}).`,
    "Instagram",
    details,
  )
}

export const loginRequired = (response: Reported) =>
  new Forbidden(membersOnly, loginDetails(response))

/** Returns the error for a login page instead of a profile, which only suspected bots get. */
const loginChallenge = (response: Reported) =>
  new Blocked(membersOnly, "Instagram", loginDetails(response))

type Reported = Pick<UpstreamResponse, "url" | "status">

const membersOnly =
  "Instagram shows this only to signed-in users. The operator can set INSTAGRAM_COOKIE; a session used from a server is often challenged."

const loginDetails = ({ url, status }: Reported) => ({
  code: "login_required",
  url,
  statusCode: status,
})

const notFound = (response: UpstreamResponse) =>
  new NotFound("Instagram has no such page.", { response })

const isLoginPath = (path: string) => /^\/(?:accounts\/login|challenge)\b/.test(path)

async function profileOfPage(name: string, ctx: Context): Promise<InstagramProfile> {
  const what = "the profile"
  const response = await ctx
    .page(`${instagramSite}/${name}/`, {
      has: (response) => profileOn(response) !== null || refusalOn(response) !== null,
      what,
      refusal: { vendor: "Instagram" },
      accept: [401, 403],
      cookies: cookiesOf(ctx.secret("INSTAGRAM_COOKIE"), "sessionid"),
      headers: { "accept-language": "en-US,en;q=0.9" },
    })
    .catch((error) => {
      throw isLoginPath(redirectTarget(error))
        ? loginChallenge({ url: error.url, status: 302 })
        : error
    })
  const profile = isLogin(response) ? null : profileOn(response)
  if (!profile) throw refusalOn(response) ?? response.explainMissing(what)
  return profile
}

const isLogin = ({ url, status }: UpstreamResponse) =>
  status >= 400 || isLoginPath(new URL(url).pathname)

const profileOn = readOnce((response): InstagramProfile | null => {
  const { document, url } = response
  const parts = embeddedObjects(document, userKey)
  const head = pageHead(document, response)
  const user = new JsonReader(mergeParts(parts.filter((part) => part !== null)))
  const timeline = "polaris_ordered_timeline_connection"
  const posts = user.has(timeline, "edges")
    ? distinctPosts(user.list(timeline, "edges").map((edge) => edge.in("node")))
    : null
  const profile = { source: "page", isOfApi: false, user, posts, head, url } as const
  if (user.has("pk") || user.has("follower_count")) return profile
  const former = formerUser(document)
  if (former) return { source: "page", isOfApi: true, user: former, ...postsOfApi(former), url }
  if (head) return { ...profile, source: "meta", user: new JsonReader({}) }
  return posts && posts.length > 0 ? profile : null
})

/** Returns the user in `window._sharedData`, or null. */
function formerUser(document: Document): JsonReader | null {
  for (const { textContent: text } of document.querySelectorAll("script:not([src])")) {
    if (!text?.includes('"edge_followed_by"')) continue
    const user = new JsonReader(jsonAfter(text, '"graphql":')).in("user")
    if (user.has("username")) return user
  }
  return null
}

/** Returns the reason stated on a page without the profile, or null if it states none. */
function refusalOn(response: UpstreamResponse): NotFound | Blocked | null {
  if (isLogin(response)) return loginChallenge(response)
  const { document } = response
  const statesNone = embeddedObjects(document, userKey).length > 0
  if (statesNone || /page not found/i.test(document.title)) return notFound(response)
  const asksLogin =
    meta(document, "og:title") === "Instagram" &&
    /create an account or log in/i.test(response.text())
  return asksLogin ? loginChallenge(response) : null
}

/** Returns the values under a key in the page's data blocks, in order, including null. */
export function embeddedObjects(document: Document, key: string): (object | null)[] {
  return [...document.querySelectorAll('script[type="application/json"]')].flatMap((script) => {
    const text = script.textContent ?? ""
    if (!text.includes(`"${key}"`)) return []
    // IDs exceed the precision of numbers.
    const data = parseLoose(text.replace(/([:[,]\s*)(\d{16,})(?=\s*[,}\]])/g, '$1"$2"'))
    return [...findObjects(data, (object) => key in object)].map(
      (object) => object[key] as object | null,
    )
  })
}

function distinctPosts(nodes: JsonReader[]): JsonReader[] {
  const codeOf = (node: JsonReader) => node.text("code") ?? node.text("shortcode") ?? ""
  return unseen(nodes.filter(codeOf), new Set(), codeOf)
}

export type PageHead = NonNullable<ReturnType<typeof pageHead>>

/** Returns the data in a profile page's head. Its counts are outdated, and rounded above 10,000. */
function pageHead(document: Document, response: UpstreamResponse) {
  const named = /^(.*)\(@([\w.]+)\)\s*[•·|]/s.exec(meta(document, "og:title") ?? "")
  if (!named) return null
  const counts = countsIn(meta(document, "og:description") ?? "")
  const [followers = null, following = null, posts = null] = counts
  const stated = meta(document, "description") ?? ""
  return {
    username: named[2]!,
    fullName: titleOrNull(named[1]),
    id: /"profile_id"\s*:\s*"?(\d+)/.exec(response.text())?.[1] ?? null,
    biography: /Instagram\s*[:：]\s*["“„«「]\s*(.+)["“”»」]/s.exec(stated)?.[1]?.trim() ?? null,
    imageUrl: meta(document, "og:image"),
    followers,
    following,
    posts,
  }
}

const countForms = new RegExp(`(?<![\\d.,])${countSource}`, "giv")

/**
 * Parses followers, following and posts: three numbers, in this order in every language, before a
 * dash and an invitation with the name. Empty if there are more or fewer.
 */
function countsIn(description: string): (number | null)[] {
  const counts = description.split(/\s[-–—]\s/)[0]!
  // "mi" is a million in Portuguese, but a mile elsewhere.
  const matches = [...counts.replace(/(?<=\d)\s?mi\b/gi, " mio").matchAll(countForms)]
  if (matches.length !== 3) return []
  return matches.map(([, digits, unit]) => countOf(digits!, unit))
}

function meta(document: Document, name: string): string | null {
  const element = document.querySelector(`meta[property="${name}"], meta[name="${name}"]`)
  return element?.getAttribute("content")?.trim() || null
}
