import {
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from "@sinclair/typebox"
import { Blocked, type ErrorItem, errorItem, Outcome, Timeout } from "./outcome.ts"

export const categories = [
  "web",
  "ecommerce",
  "social",
  "search",
  "news",
  "video",
  "apps",
  "developer",
  "data",
  "research",
  "finance",
  "media",
  "jobs",
  "business",
  "reviews",
  "real-estate",
  "travel",
  "network",
] as const
export type Category = (typeof categories)[number]

/** The ways in to a page, from the cheapest to the strongest. */
export type Access = "http" | "browser" | "unlocker"

/** A unit of a run: a string as the caller gave it, or a small JSON object. */
export type Target = string | { [key: string]: unknown }

export interface HostPace {
  /** Requests started in a second, over all workers. */
  perSecond?: number
  /** Requests under way at once, over all workers. */
  concurrency?: number
}

/** What one scraper is. All surfaces (API, MCP, console, docs, command line) are made from it. */
export interface Scraper<
  I extends TObject = TObject,
  O extends TSchema = TSchema,
  T extends Target = Target,
> {
  slug: string
  name: string
  /** One line for directories. */
  tagline: string
  category: Category
  tier: "free" | "premium"
  input: I
  /** The shape of a good item; an error item (outcome.ts) may stand in its place. */
  item: O
  /** An input that works, for documentation and example calls. */
  example: Static<I>
  /** Limits by host name; `*` holds for every other host. */
  pace?: Record<string, HostPace>
  /** Ways in, tried in order when a page is blocked or an empty shell. Default: http alone. */
  access?: readonly Access[]
  /** Targets worked on at once. Default 4; hosts are paced on their own. */
  concurrency?: number
  targets(input: Static<I>): T[]
  /** The most items that the whole run may give. */
  maxItems?(input: Static<I>): number | undefined
  /** Fields by which an error item names its target. Default: `{ input: target }` for strings. */
  identify?(target: T, input: Static<I>): Record<string, unknown>
  scrape(target: T, ctx: Context<Static<I>>): AsyncIterable<Static<O> | ErrorItem>
  /** Closing items, after the last target. */
  finish?(ctx: FinishContext<Static<I>>): AsyncIterable<Static<O> | ErrorItem>
  /**
   * Whether a run without any good item failed as a whole, given the codes of its error items.
   * Default: yes.
   */
  failsRun?(codes: string[]): boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the catalogue is a list of scrapers of any shape
export type AnyScraper = Scraper<any, any, any>

export function defineScraper<
  const I extends TObject,
  const O extends TSchema,
  const T extends Target,
>(scraper: Scraper<I, O, T>): Scraper<I, O, T> {
  return scraper
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** Query parameters, added to those of the address; undefined ones are left out. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  /** Bodies of a POST; one of them. */
  json?: unknown
  form?: Record<string, string>
  body?: string
  /** Cookies for this host, kept in the run's jar from now on. */
  cookies?: Record<string, string>
  /** `manual` returns a 3xx as it is. Default `follow`, 20 hops at most. */
  redirect?: "follow" | "manual"
  /** Cap on the body after unpacking. Default 10 MB. */
  maxBytes?: number
  /** Keep the first `maxBytes` of a larger body in place of failing with TooLarge. */
  truncate?: boolean
  /** For the whole call with its redirects, not its retries. Default 30 s. */
  timeoutMs?: number
  /** Statuses of 400 and more that come back as answers; all others are thrown as outcomes. */
  accept?: readonly number[] | "any"
  /** Attempts after the first for 429, 5xx and dropped connections. Default 3 for 429/503, else 2. */
  retries?: number
  /** `browser`: headers of a desktop Chrome (default of html and render); `service`: Trawl's own. */
  identity?: "browser" | "service"
  /** Obey robots.txt, and refuse with RobotsDisallowed. For addresses that no user named. */
  robots?: boolean
}

export interface JsonOptions extends RequestOptions {
  /** Integers beyond 2^53 are kept as strings. */
  bigIntegers?: boolean
}

/** An upstream's answer. `document` and `text()` are worked out once, on first use. */
export interface Answer {
  /** After redirects, without fragment. */
  url: string
  /** As asked for, with the query. */
  requestedUrl: string
  status: number
  headers: Headers
  /** The hops before this answer, in order. */
  redirects: { url: string; status: number; location: string }[]
  via: Access
  /** Media type without parameters, lower case; "" when the header is missing. */
  contentType: string
  bytes: Uint8Array
  /** The body, decoded by the rules of the HTML standard. */
  text(): string
  /** The body as JSON, without guard prefixes such as `)]}'`. @throws Changed */
  json<T = unknown>(options?: { bigIntegers?: boolean }): T
  readonly document: Document
  /** Milliseconds; null where replay or Chrome cannot tell. */
  timing: { total: number; firstByte: number | null }
  /**
   * What an answer without its data is: Blocked (with the vendor), EmptyShell or Changed. Look for
   * the data first, then `throw answer.lacks("the product title")`.
   */
  lacks(what: string): Outcome
}

export interface RenderOptions extends RequestOptions {
  /** Media types that `ctx.html` takes beside HTML, such as text/plain; `*` takes all. */
  types?: readonly string[]
  /** Done when this selector is there, or the network is quiet (default). */
  waitFor?: string | "network-quiet"
  /** Scroll down until nothing new appears, this many screens at most. */
  scroll?: number
  /** Resource types that are not loaded. Default: images, fonts, media. */
  block?: readonly ("image" | "font" | "media" | "stylesheet" | "script")[]
  /** Answers that the page itself fetched whose address matches are kept in `captured`. */
  capture?: RegExp
}

export interface RenderedAnswer extends Answer {
  captured: Answer[]
}

/** One tab of a browser lease, for pages that need several steps. */
export interface Tab {
  goto(url: string, options?: RenderOptions): Promise<RenderedAnswer>
  /** The page as it stands now, with all that was captured so far. */
  read(): Promise<RenderedAnswer>
  waitFor(selector: string, timeoutMs?: number): Promise<boolean>
  click(selector: string): Promise<boolean>
  /** Scroll the page, or the element, until `until` is there or nothing new appears. */
  scroll(options?: { element?: string; until?: string; screens?: number }): Promise<void>
  /** A request made from inside the page, with its cookies and origin. */
  fetch(url: string, options?: RequestOptions & { method?: string }): Promise<Answer>
}

export interface TlsPeer {
  authorized: boolean
  authorizationError: string | null
  protocol: string | null
  /** Leaf first; DER as base64 where known. */
  [field: string]: unknown
}

/** What the robots.txt of an address's host says of it. */
export interface RobotsVerdict {
  allowed: boolean
  /** Seconds between requests, 10 at most; the engine keeps to it by itself. */
  crawlDelay: number | null
  sitemaps: string[]
  /** Why nothing is allowed, where the file could not be had; a page that the user named goes on. */
  unreachable: string | null
}

export interface Context<Input = unknown> {
  readonly input: Input
  readonly signal: AbortSignal
  get(url: string, options?: RequestOptions): Promise<Answer>
  /** Status and headers alone; many hosts answer it otherwise than GET. */
  head(url: string, options?: RequestOptions): Promise<Answer>
  post(url: string, options?: RequestOptions): Promise<Answer>
  /** @throws Changed when the body is not JSON. */
  json<T = unknown>(url: string, options?: JsonOptions): Promise<T>
  /** A page by the current way in. @throws UnsupportedContent when the answer is not HTML. */
  html(url: string, options?: RenderOptions): Promise<Answer>
  render(url: string, options?: RenderOptions): Promise<RenderedAnswer>
  browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R>
  /** Adds a target found on the way; false when its key (default: the target itself) is known. */
  follow(target: Target, key?: string): Promise<boolean>
  /** A line of the run's log; a warning also says what an item lacks. */
  log(message: string, level?: "info" | "warning"): void
  /** Waits as an upstream asked (`backoff`, a rate window's end); the run's log says for what. */
  pause(seconds: number, why: string): Promise<void>
  now(): Date
  /** The account's small store, kept between runs of this scraper. Values are JSON. */
  readonly memory: {
    get<T = unknown>(key: string): Promise<T | undefined>
    set(key: string, value: unknown): Promise<void>
  }
  /** What the targets of one run share (tokens, counters); not kept over a restart. */
  readonly shared: Map<string, unknown>
  /** An operator's optional upstream token, from the environment. */
  secret(name: string): string | undefined
  /** The operator's override (`TRAWL_UPSTREAM_<SITE>`, JSON) laid over a site's table. */
  upstream<D extends Record<string, unknown>>(site: string, defaults: D): D
  /** For crawlers that must know before they ask; `robots: true` of a request obeys by itself. */
  robots(url: string): Promise<RobotsVerdict>
  /** DNS over the system's resolver: record data as text. @throws NotFound | Unreachable */
  dns(name: string, type: string): Promise<unknown>
  /** A TLS handshake and its certificates; never rejects a bad certificate. @throws Unreachable */
  tls(host: string, port?: number, servername?: string): Promise<TlsPeer>
}

export interface FinishContext<Input = unknown> extends Context<Input> {
  /** The run's items so far, in order. */
  items(): AsyncIterable<Record<string, unknown>>
}

/** An extra call whose failure costs its field alone: null, and a warning in the run's log. */
export async function orNull<T>(
  ctx: Context,
  what: string,
  call: () => Promise<T>,
): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    ctx.signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    ctx.log(`No ${what}: ${reason}`, "warning")
    return null
  }
}

/**
 * What several targets of a run share, such as one answer that serves them all: made by the first
 * that needs it. Its failure is theirs together.
 */
export function once<T>(ctx: Context, key: string, make: () => Promise<T>): Promise<T> {
  const known = ctx.shared.get(key) as Promise<T> | undefined
  if (known) return known
  const made = make()
  ctx.shared.set(key, made)
  return made
}

/**
 * The error item of a later part of a target, such as its third page, so that the items before it
 * are kept. @throws what is no outcome, and everything once the run is aborted.
 */
export function partFailed(ctx: Context, error: unknown, fields: Record<string, unknown>) {
  ctx.signal.throwIfAborted()
  if (!(error instanceof Outcome)) throw error
  return errorItem(error, fields)
}

/** How a site turns robots away, beside the walls that the engine knows by their vendors. */
export interface Wall {
  /** Statuses that are a refusal here, whatever the page says. */
  statuses?: readonly number[]
  /** Words of its own block page. */
  sign?: RegExp
  /** It lets a client that it does not like wait for ever. */
  stalls?: boolean
  /** Its block pages have no words in common: every page without the data is one. */
  wordless?: boolean
}

/** A page behind a site's own wall, which is not asked for again and again. See guarded. */
export function guardedPage(
  ctx: Context,
  url: string,
  wall: Wall,
  options?: RenderOptions,
): Promise<Answer> {
  return guarded(ctx, url, wall, () => ctx.html(url, { retries: wall.stalls ? 0 : 1, ...options }))
}

/** An answer from behind a site's own wall: refusals are Blocked, so that the engine climbs. */
export async function guarded(
  ctx: Context,
  url: string,
  wall: Wall,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Outcome) || error instanceof Blocked) throw error
    const refused =
      (error instanceof Timeout && wall.stalls) ||
      (error.statusCode !== null && wall.statuses?.includes(error.statusCode))
    throw refused ? turnedAway(error.url ?? url, error.statusCode) : error
  }
}

/** What a page without its data is: Blocked by the site's own words, else as the engine judges. */
export function lacking(answer: Answer, what: string, wall: Wall): Outcome {
  const outcome = answer.lacks(what)
  if (outcome instanceof Blocked) return outcome
  const refused = wall.wordless || wall.sign?.test(answer.text())
  return refused ? turnedAway(answer.url, answer.status) : outcome
}

function turnedAway(url: string, statusCode: number | null): Blocked {
  const how = statusCode === null ? "it does not answer" : `status ${statusCode}`
  const message = `${new URL(url).host} turns robots away (${how}).`
  return new Blocked(message, null, { url, statusCode })
}

/** A schema that also takes null: the value is unknown or absent upstream. */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], { description: schema.description })

/** Item fields that are null where the upstream says nothing. */
export const textField = (description: string) => nullable(Type.String({ description }))
export const numberField = (description: string) => nullable(Type.Number({ description }))
export const integerField = (description: string) => nullable(Type.Integer({ description }))
export const booleanField = (description: string) => nullable(Type.Boolean({ description }))
/** A list of texts, empty where the upstream says nothing. */
export const textsField = (description: string) => Type.Array(Type.String(), { description })

/** An item's schema: closed, so that a field without documentation cannot slip in. */
export const itemObject = <P extends TProperties>(
  properties: P,
  options: { description?: string } = {},
) => Type.Object(properties, { ...options, additionalProperties: false })

/** An input's schema: closed, so that a misspelt field is an error. */
export const inputObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

TypeRegistry.Set<{ enum: string[] }>("OneOf", (schema, value) =>
  schema.enum.includes(value as string),
)

/** One of a fixed list of words; plain `enum` in JSON Schema. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  options: { description?: string; default?: V[number] } = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ [Kind]: "OneOf", type: "string", enum: [...values], ...options })
}
