import {
  linkWithRel,
  objectList,
  retryAfterSeconds,
  textOrNull,
  unseen,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  type Answer,
  BadInput,
  Blocked,
  Changed,
  type Context,
  Forbidden,
  NotFound,
  type Outcome,
  RateLimited,
} from "../kit/index.ts"

const root = "https://api.github.com"
/** A rate limit that ends within this many seconds is waited for. */
const longestWait = 60
const mostWaits = 2
const limitedUntil = "github.limitedUntil"

/** GitHub asks for requests one after the other; more at once meet its secondary limits. */
export const githubPace = {
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
): Promise<Answer> {
  const token = ctx.secret("GITHUB_TOKEN")
  for (let waits = 0; ; waits++) {
    const heldUntil = (ctx.shared.get(limitedUntil) as number | undefined) ?? 0
    if (heldUntil > ctx.now().getTime()) throw rateLimited(heldUntil, null, ctx)
    const answer = await ctx.get(new URL(pathOrUrl, root).href, {
      headers: {
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      accept: [401, 403, 404, 410, 422, 429, 451],
    })
    if (answer.status < 400) return answer
    const message = refusalMessage(answer)
    if (!isRateLimit(answer, message)) throw refusal(answer, message)
    const now = ctx.now().getTime()
    const seconds = retryAfterSeconds(answer.headers, now) ?? longestWait
    // A 429 has been waited for by the HTTP client already.
    if (answer.status === 429 || seconds > longestWait || waits >= mostWaits) {
      // A limit that outlasts its own end, as clocks differ, holds for those still to come, too.
      const until = now + Math.max(seconds, longestWait) * 1000
      ctx.shared.set(limitedUntil, until)
      throw rateLimited(until, answer, ctx, message)
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
    const answer = await github(next, ctx)
    const fresh = unseen(listOf(answer), seen, ({ id, number, tag_name: tag }) =>
      JSON.stringify([id, number, tag]),
    )
    yield fresh
    next = fresh.length > 0 ? nextPage(answer) : null
  }
}

/** The next page's address; null after the last, and for one that is not GitHub's own. */
export function nextPage(answer: Answer): string | null {
  const link = linkWithRel(answer.headers.get("link"), "next")
  return link?.startsWith(`${root}/`) ? link : null
}

export function listOf(answer: Answer): GithubObject[] {
  const list = answer.json()
  if (!Array.isArray(list)) throw new Changed("GitHub's answer is not a list.", { url: answer.url })
  return objectList(list as GithubObject[])
}

/**
 * One object, and the address that gave it. With a token its ETag is kept from run to run: an
 * unchanged object then costs nothing of the rate limit.
 */
export async function githubObject(
  path: string,
  ctx: Context,
): Promise<{ object: GithubObject; answer: Answer }> {
  const remembers = ctx.secret("GITHUB_TOKEN") !== undefined
  const key = `etag ${path}`
  const known = remembers
    ? await ctx.memory.get<{ etag: string; object: GithubObject }>(key)
    : undefined
  const answer = await github(path, ctx, known ? { "if-none-match": known.etag } : {})
  if (answer.status === 304 && known) return { object: known.object, answer }
  const object = answer.json<GithubObject | null>()
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new Changed("GitHub's answer is not an object.", { url: answer.url })
  }
  const etag = answer.headers.get("etag")
  if (remembers && etag) await ctx.memory.set(key, { etag, object })
  return { object, answer }
}

function isRateLimit(answer: Answer, message: string): boolean {
  if (answer.status === 429) return true
  if (answer.status !== 403) return false
  return (
    /rate limit|abuse detection/i.test(message) ||
    answer.headers.get("x-ratelimit-remaining") === "0"
  )
}

function rateLimited(
  until: number,
  answer: Answer | null,
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
    { url: answer?.url, statusCode: answer?.status },
  )
}

function refusal(answer: Answer, message: string): Outcome {
  const details = { url: answer.url, statusCode: answer.status }
  if (answer.status === 401) {
    return new Forbidden(`GitHub does not accept GITHUB_TOKEN: ${message}`, details)
  }
  if (answer.status === 404) {
    const path = decodeURIComponent(new URL(answer.url).pathname)
    return new NotFound(`GitHub knows no ${path}, or it is private.`, details)
  }
  if (answer.status === 422) return new BadInput(`GitHub does not accept this: ${message}`, details)
  return new Forbidden(`GitHub refuses access: ${message}`, details)
}

/** GitHub's own words on why it refused. @throws Blocked when a bot wall answered in its place */
function refusalMessage(answer: Answer): string {
  try {
    const body = answer.json<{ message?: string; errors?: { message?: string }[] }>()
    const reasons = [body.message, ...(body.errors ?? []).map((error) => error?.message)]
    return reasons.filter(Boolean).join(": ") || `status ${answer.status}`
  } catch (error) {
    if (error instanceof Blocked) throw error
    return `status ${answer.status}`
  }
}
