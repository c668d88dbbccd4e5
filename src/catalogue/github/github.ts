import {
  linkWithRel,
  objectList,
  retryAfterSeconds,
  textOrNull,
  unseen,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  Forbidden,
  inputs,
  NotFound,
  RateLimited,
  type Row,
  type ScrapeError,
  type UpstreamResponse,
} from "../kit/index.ts"

const root = "https://api.github.com"
/** Maximum seconds to wait for the end of a rate limit. */
const maxWait = 60
const maxWaits = 2
const limitedUntil = "github.limitedUntil"

/** What the scrapers of GitHub's API have in common. */
export const githubScraper = {
  category: "developer",
  // GitHub requires requests in sequence; parallel ones exceed its secondary rate limits.
  rateLimit: {
    "api.github.com": {
      perSecond: 10,
      concurrency: 1,
      quota: { requests: 60, hours: 1, without: "GITHUB_TOKEN" },
    },
  },
} as const

export const repositoriesInput = inputs.texts(
  "Repositories as owner/name, for example facebook/react, or GitHub or clone URLs.",
  { max: 200 },
)

/** Returns `owner/name` from a user's input: the pair itself, a web URL or a clone URL. */
export function repositoryPath(target: string): string {
  const url = /^(?:(?:https?|ssh):\/\/)?(?:git@|www\.)?github\.com[/:]([^/?#]+)\/([^/?#]+)/i.exec(
    target.trim(),
  )
  const path = (url ? `${url[1]}/${url[2]}` : target.trim()).replace(/\.git$/i, "")
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(path)) {
    throw new BadInput(
      `"${target}" is not a GitHub repository. Use the form "owner/name" or its URL.`,
    )
  }
  return path
}

/** Returns the URL of a user's profile, also if the response contains only the login. */
export function profileOf(user: unknown): string | null {
  const login = textOrNull(at(user, "login"))
  return textOrNull(at(user, "html_url")) ?? (login && `https://github.com/${login}`)
}

/**
 * Returns a response of GitHub's API. Waits for a rate limit that ends soon.
 * Any other rate limit fails this target and all later ones without further requests.
 * @throws RateLimited, Forbidden (bad token, DMCA, blocked, disabled), BadInput (422), NotFound
 */
export async function github(
  pathOrUrl: string,
  ctx: Context,
  headers: Record<string, string> = {},
): Promise<UpstreamResponse> {
  const token = ctx.secret("GITHUB_TOKEN")
  for (let waits = 0; ; waits++) {
    const heldUntil = (ctx.shared.get(limitedUntil) as number | undefined) ?? 0
    if (heldUntil > ctx.now().getTime()) throw rateLimited(heldUntil, null, ctx)
    const response = await ctx.get(new URL(pathOrUrl, root).href, {
      headers: {
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      accept: [401, 403, 404, 410, 422, 429, 451],
    })
    if (response.status < 400) return response
    const message = refusalMessage(response)
    if (!isRateLimit(response, message)) throw refusal(response, message)
    const now = ctx.now().getTime()
    const seconds = retryAfterSeconds(response.headers, now) ?? maxWait
    // The HTTP client has already waited for a 429.
    if (response.status === 429 || seconds > maxWait || waits >= maxWaits) {
      // A limit that continues after its stated end, because clocks differ, also applies to later
      // targets.
      const until = now + Math.max(seconds, maxWait) * 1000
      ctx.shared.set(limitedUntil, until)
      throw rateLimited(until, response, ctx, message)
    }
    await ctx.pause(seconds, "GitHub limits the rate of requests.")
  }
}

/**
 * Yields the entries of a list as long as the `Link` header has a next page with new entries.
 * Entries move to the next page when others are added before them, so duplicates are skipped.
 */
export async function* githubPages(path: string, ctx: Context): AsyncGenerator<Row[]> {
  const seen = new Set<string>()
  for (let next: string | null = path; next; ) {
    const response = await github(next, ctx)
    const fresh = unseen(listOf(response), seen, ({ id, number, tag_name: tag }) =>
      JSON.stringify([id, number, tag]),
    )
    yield fresh
    next = fresh.length > 0 ? nextPage(response) : null
  }
}

/**
 * Returns the URL of the next page, or null after the last page and for a URL that is not GitHub's.
 */
export function nextPage(response: UpstreamResponse): string | null {
  const link = linkWithRel(response.headers.get("link"), "next")
  return link?.startsWith(`${root}/`) ? link : null
}

export function listOf(response: UpstreamResponse): Row[] {
  const { url } = response
  const list = response.json()
  if (!Array.isArray(list)) throw new Changed("GitHub's response is not a list.", { url })
  const objects = objectList(list as Row[])
  if (list.length > 0 && objects.length === 0) {
    throw new Changed("The entries of GitHub's list are not objects.", { url })
  }
  return objects
}

/**
 * Returns one object and its final URL. With a token, its ETag is stored between runs: an unchanged
 * object then does not count against the rate limit.
 */
export async function githubObject(path: string, ctx: Context) {
  const remembers = ctx.secret("GITHUB_TOKEN") !== undefined
  const key = `etag ${path}`
  const known = remembers ? await ctx.memory.get<{ etag: string; object: Row }>(key) : undefined
  const response = await github(path, ctx, known ? { "if-none-match": known.etag } : {})
  if (response.status === 304 && known) return { object: known.object, response }
  const object = response.json<Row | null>()
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new Changed("GitHub's response is not an object.", { url: response.url })
  }
  const etag = response.headers.get("etag")
  if (remembers && etag) await ctx.memory.set(key, { etag, object })
  return { object, response }
}

function isRateLimit(response: UpstreamResponse, message: string): boolean {
  if (response.status === 429) return true
  if (response.status !== 403) return false
  return (
    /rate limit|abuse detection/i.test(message) ||
    response.headers.get("x-ratelimit-remaining") === "0"
  )
}

function rateLimited(
  until: number,
  response: UpstreamResponse | null,
  ctx: Context,
  message?: string,
): RateLimited {
  const end = new Date(until).toISOString().replace(/\.\d+Z$/, "Z")
  // Uses only the first sentence, without this server's IP address, which GitHub includes.
  const reason = message?.replace(/(?:\.\s| for ).*$/s, "")
  const advice = ctx.secret("GITHUB_TOKEN")
    ? "This is the limit of GITHUB_TOKEN."
    : "The operator can set GITHUB_TOKEN for 5,000 requests an hour instead of 60."
  return new RateLimited(
    `GitHub limits the rate of requests until ${end}${reason ? ` (${reason})` : ""}. ${advice}`,
    Math.max(0, (until - ctx.now().getTime()) / 1000),
    { url: response?.url, statusCode: response?.status },
  )
}

function refusal(response: UpstreamResponse, message: string): ScrapeError {
  if (response.status === 401) {
    return new Forbidden(`GitHub rejects GITHUB_TOKEN: ${message}`, { response })
  }
  if (response.status === 404) {
    const path = decodeURIComponent(new URL(response.url).pathname)
    return new NotFound(`GitHub has no ${path}, or it is private.`, { response })
  }
  if (response.status === 422)
    return new BadInput(`GitHub rejects the request: ${message}`, { response })
  return new Forbidden(`GitHub refuses access: ${message}`, { response })
}

/**
 * Returns GitHub's own message on why it refused. Throws Blocked if the response is a challenge.
 */
function refusalMessage(response: UpstreamResponse): string {
  try {
    const body = response.json<{ message?: string; errors?: { message?: string }[] }>()
    const reasons = [body.message, ...(body.errors ?? []).map((error) => error?.message)]
    return reasons.filter(Boolean).join(": ") || `status ${response.status}`
  } catch (error) {
    if (error instanceof Blocked) throw error
    return `status ${response.status}`
  }
}
