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
  NotFound,
  RateLimited,
  type ScrapeError,
  type UpstreamResponse,
} from "../kit/index.ts"

const root = "https://api.github.com"
/** A rate limit that ends within this many seconds is waited for. */
const maxWait = 60
const maxWaits = 2
const limitedUntil = "github.limitedUntil"

/** GitHub asks for requests one after the other; more at once meet its secondary limits. */
export const githubRateLimit = {
  "api.github.com": {
    perSecond: 10,
    concurrency: 1,
    quota: { requests: 60, hours: 1, without: "GITHUB_TOKEN" as const },
  },
}

export type GithubObject = Record<string, unknown>

/** `owner/name` in what users write: the pair itself, a web address or a clone address. */
export function repositoryPath(target: string): string {
  const address =
    /^(?:(?:https?|ssh):\/\/)?(?:git@|www\.)?github\.com[/:]([^/?#]+)\/([^/?#]+)/i.exec(
      target.trim(),
    )
  const pair = address ? `${address[1]}/${address[2]}` : target.trim()
  const path = pair.replace(/\.git$/i, "")
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(path)) {
    throw new BadInput(`"${target}" is not a repository; write "owner/name" or its GitHub address.`)
  }
  return path
}

/** A user's page, also where an answer holds the login alone. */
export function profileOf(user: unknown): string | null {
  const login = textOrNull(at(user, "login"))
  return textOrNull(at(user, "html_url")) ?? (login && `https://github.com/${login}`)
}

/**
 * An answer of GitHub's API. A rate limit that ends soon is waited for; any other fails this target
 * and, without asking again, those after it.
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
    // A 429 has been waited for by the HTTP client already.
    if (response.status === 429 || seconds > maxWait || waits >= maxWaits) {
      // A limit that outlasts its own end, as clocks differ, holds for those still to come, too.
      const until = now + Math.max(seconds, maxWait) * 1000
      ctx.shared.set(limitedUntil, until)
      throw rateLimited(until, response, ctx, message)
    }
    await ctx.pause(seconds, "GitHub limits the rate of requests.")
  }
}

/**
 * Pages of a list, as far as the `Link` header leads and there is something new. Entries move to the
 * next page while others are added before them: each is given once.
 */
export async function* githubPages(path: string, ctx: Context): AsyncGenerator<GithubObject[]> {
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

/** The next page's address; null after the last, and for one that is not GitHub's own. */
export function nextPage(response: UpstreamResponse): string | null {
  const link = linkWithRel(response.headers.get("link"), "next")
  return link?.startsWith(`${root}/`) ? link : null
}

export function listOf(response: UpstreamResponse): GithubObject[] {
  const list = response.json()
  if (!Array.isArray(list))
    throw new Changed("GitHub's answer is not a list.", { url: response.url })
  return objectList(list as GithubObject[])
}

/**
 * One object, and the address that gave it. With a token its ETag is kept from run to run: an
 * unchanged object then costs nothing of the rate limit.
 */
export async function githubObject(
  path: string,
  ctx: Context,
): Promise<{ object: GithubObject; response: UpstreamResponse }> {
  const remembers = ctx.secret("GITHUB_TOKEN") !== undefined
  const key = `etag ${path}`
  const known = remembers
    ? await ctx.memory.get<{ etag: string; object: GithubObject }>(key)
    : undefined
  const response = await github(path, ctx, known ? { "if-none-match": known.etag } : {})
  if (response.status === 304 && known) return { object: known.object, response }
  const object = response.json<GithubObject | null>()
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new Changed("GitHub's answer is not an object.", { url: response.url })
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
  // Its first sentence, without the address of this server that GitHub names in it.
  const reason = message?.replace(/(?:\.\s| for ).*$/s, "")
  const advice = ctx.secret("GITHUB_TOKEN")
    ? "This is the limit of GITHUB_TOKEN."
    : "Set GITHUB_TOKEN for 5,000 requests an hour instead of 60."
  return new RateLimited(
    `GitHub limits the rate of requests until ${end}${reason ? ` (${reason})` : ""}. ${advice}`,
    Math.max(0, (until - ctx.now().getTime()) / 1000),
    { url: response?.url, statusCode: response?.status },
  )
}

function refusal(response: UpstreamResponse, message: string): ScrapeError {
  const details = { url: response.url, statusCode: response.status }
  if (response.status === 401) {
    return new Forbidden(`GitHub does not accept GITHUB_TOKEN: ${message}`, details)
  }
  if (response.status === 404) {
    const path = decodeURIComponent(new URL(response.url).pathname)
    return new NotFound(`GitHub knows no ${path}, or it is private.`, details)
  }
  if (response.status === 422)
    return new BadInput(`GitHub does not accept this: ${message}`, details)
  return new Forbidden(`GitHub refuses access: ${message}`, details)
}

/** Returns GitHub's own words on why it refused. Throws Blocked if the response is a challenge. */
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
