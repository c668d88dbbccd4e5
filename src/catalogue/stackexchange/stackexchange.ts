import {
  booleanOrNull,
  decodeEntities,
  integerOrNull,
  objectList,
  textOrNull,
} from "../../extract/core/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  field,
  RateLimited,
  type Row,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"

const root = "https://api.stackexchange.com/2.3"
/**
 * A public filter that includes Markdown bodies and the answers of each question, which saves a
 * second call.
 */
const fullFilter = "Bf*y*ByQD_upZqozgU6lXL_62USGOoV3)MFNgiHqHpmO_Y-jHR"
/** Built-in filter of the API, used if it refuses the full filter: HTML bodies and no answers. */
const plainFilter = "withbody"
const filterRefused = "stackexchange.filterRefused"
const waitUntil = "stackexchange.waitUntil"
const maxBackoff = 60

export const stackExchangeRateLimit = {
  "api.stackexchange.com": {
    perSecond: 5,
    concurrency: 1,
    quota: { requests: 300, hours: 24, without: "STACKEXCHANGE_KEY" as const },
  },
}

export interface Post extends Row {
  question_id: number
  answer_id?: number
  link?: string
  score?: number
  answer_count?: number
  creation_date?: number
  answers?: Post[]
}

interface Envelope<T> {
  items?: T[]
  has_more?: boolean
  backoff?: number
  quota_remaining?: number
  error_id?: number
  error_name?: string
  error_message?: string
}

type Query = Record<string, string | number>

/**
 * Returns one page of a method. Waits for its `backoff` before the next call. A used-up quota fails
 * this target and, without further requests, the targets after it.
 * @throws RateLimited, BadInput (a bad parameter), Changed, UpstreamError
 */
export async function stackExchange<T>(method: string, query: Query, ctx: Context) {
  await obeyBackoff(ctx)
  const keyed = { ...query, key: ctx.secret("STACKEXCHANGE_KEY") }
  const response = await ctx.get(`${root}/${method}`, { query: keyed, accept: [400, 404, 502] })
  const body = response.json<Envelope<T>>()
  if (body?.error_id !== undefined) throw refusal(body, response, ctx)
  if (response.status >= 400)
    throw new UpstreamError(`Stack Exchange failed (status ${response.status}).`, { response })
  if (!Array.isArray(body?.items)) throw new Changed("Stack Exchange's response has no items.")
  if (body.backoff) ctx.shared.set(waitUntil, ctx.now().getTime() + body.backoff * 1000)
  if (body.quota_remaining !== undefined && body.quota_remaining < 20)
    ctx.log(`Stack Exchange allows ${body.quota_remaining} more requests today.`, "warning")
  const items = objectList(body.items as (T & object)[])
  return { items, more: booleanOrNull(body.has_more) === true }
}

/**
 * Returns questions with their bodies, and with their answers while the API accepts the full
 * filter.
 */
export async function questionPage(method: string, query: Query, ctx: Context) {
  if (!ctx.shared.has(filterRefused)) {
    try {
      return await stackExchange<Post>(method, { ...query, filter: fullFilter }, ctx)
    } catch (error) {
      if (!(error instanceof BadInput) || !/\bfilter\b/i.test(error.message)) throw error
      ctx.log("Stack Exchange refuses the full filter; requesting only the bodies.", "warning")
      ctx.shared.set(filterRefused, true)
    }
  }
  return stackExchange<Post>(method, { ...query, filter: plainFilter }, ctx)
}

/** Yields the answers of questions, page by page, if they did not come with them. */
export async function* answerPages(
  questionIds: number[],
  site: string,
  ctx: Context,
): AsyncGenerator<Post[]> {
  for (let page = 1; ; page++) {
    const { items, more } = await stackExchange<Post>(
      `questions/${questionIds.join(";")}/answers`,
      { site, order: "desc", sort: "votes", pagesize: 100, page, filter: plainFilter },
      ctx,
    )
    yield items
    if (!more || items.length === 0) return
  }
}

async function obeyBackoff(ctx: Context): Promise<void> {
  const until = (ctx.shared.get(waitUntil) as number | undefined) ?? 0
  const seconds = (until - ctx.now().getTime()) / 1000
  if (seconds <= 0) return
  if (seconds > maxBackoff) throw used(`for ${Math.ceil(seconds)} seconds`, seconds)
  await ctx.pause(seconds, "Stack Exchange requested it (backoff).")
}

function refusal(body: Envelope<unknown>, response: UpstreamResponse, ctx: Context) {
  const message = body.error_message ?? "no reason given"
  // The name decides, because a used-up quota has the code of a gateway error.
  switch (body.error_name) {
    case "throttle_violation": {
      const seconds = Number(/(?<!\d)(\d+) seconds/.exec(message)?.[1] ?? 3600)
      ctx.shared.set(waitUntil, ctx.now().getTime() + seconds * 1000)
      return used(`for ${seconds} seconds`, seconds, { response })
    }
    case "bad_parameter":
      return new BadInput(`Stack Exchange rejects the request: ${message}`, { response })
    case "no_method":
      return new Changed(`Stack Exchange no longer supports the method: ${message}`, { response })
    default:
      return new UpstreamError(`Stack Exchange failed: ${message}`, { response })
  }
}

const used = (howLong: string, seconds: number, details = {}): RateLimited =>
  new RateLimited(
    `Stack Exchange quota used up ${howLong}. The operator can set STACKEXCHANGE_KEY to raise it from 300 to 10,000 requests a day.`,
    seconds,
    details,
  )

export const linkOr = (link: string | undefined, fallback: string) =>
  /^https?:\/\//.test(link ?? "") ? link! : fallback

/** Returns the text without HTML escapes; titles, names and Markdown bodies are escaped once. */
export const unescaped = (text: string) => textOrNull(decodeEntities(text))
/** Returns the author's Markdown; responses of the plain filter contain only HTML. */
export const bodyMarkdown = (description: string) =>
  field.text(
    (post: Post) =>
      textOrNull(post.body_markdown)
        ? unescaped(String(post.body_markdown))
        : fragmentMarkdown(post.body, post.link),
    description,
  )
export const authorName = (description: string) =>
  field.text("owner.display_name", description, unescaped)

export const laterTimes = {
  lastActivityAt: field.unixTime(
    "last_activity_date",
    "Time of the last activity (ISO 8601, UTC).",
  ),
  editedAt: field.unixTime("last_edit_date", "Time of the last edit (ISO 8601, UTC)."),
}

/** Sorts the accepted answer first, then by score, then the older first. */
export function bestFirst(answers: Post[] | null | undefined): Post[] {
  const known = objectList(answers).filter(({ answer_id: id }) => integerOrNull(id) !== null)
  return known.toSorted(
    (a, b) =>
      Number(b.is_accepted === true) - Number(a.is_accepted === true) ||
      (b.score ?? 0) - (a.score ?? 0) ||
      (a.creation_date ?? 0) - (b.creation_date ?? 0),
  )
}
