import { briefText } from "./brief.ts"

/**
 * Details of an error that ends a target. Only the error's class decides how the engine continues
 * (src/engine/net/http/consequences.ts). Users read the code in an error item.
 */
export interface ScrapeErrorDetails {
  /** Public error code, if the scraper documents a more specific one than its class has. */
  code?: string
  /** The URL that failed. */
  url?: string
  /** The HTTP status of the response; null if there was none. */
  statusCode?: number | null
  /** The response that shows the error, instead of its URL and status. */
  response?: { readonly url: string; readonly status: number }
  /** What the caller can do: one or two sentences. The error item's message ends with them. */
  nextStep?: string
  cause?: unknown
}

/**
 * An error that ends a target, and becomes an error item.
 * @example catch (error) { if (!(error instanceof ScrapeError)) throw error }
 */
export abstract class ScrapeError extends Error {
  abstract readonly kind: string
  readonly code: string
  readonly url?: string
  readonly statusCode: number | null
  nextStep?: string
  /** The fetch methods that failed, comma-separated, if another one could have helped. */
  tried?: string

  /** The code of errors whose details name no other. */
  static readonly code: string

  constructor(message: string, details: ScrapeErrorDetails = {}, code = new.target.code) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code ?? code
    this.url = details.url ?? details.response?.url
    this.statusCode = details.statusCode ?? details.response?.status ?? null
    if (details.nextStep !== undefined) this.nextStep = details.nextStep
    this.name = new.target.name
  }
}

/**
 * The value of the input cannot be a target of this scraper.
 * @example throw new BadInput(`"${briefText(target)}" is not a product URL of shop.example.`)
 */
export class BadInput extends ScrapeError {
  readonly kind = "BadInput"
  static override readonly code: string = "invalid_input"
}

/**
 * The upstream reports that the target does not exist, or no longer exists.
 * @example throw new NotFound(`The shop has no product ${id}.`, { url, statusCode: 404 })
 */
export class NotFound extends ScrapeError {
  readonly kind = "NotFound"
  static override readonly code: string = "not_found"
}

/**
 * The upstream refuses access to an existing target: login, licence, private.
 * @example throw new Forbidden("This profile is private.", { code: "private", url })
 */
export class Forbidden extends ScrapeError {
  readonly kind = "Forbidden"
  static override readonly code: string = "forbidden"
}

/**
 * A challenge or captcha was returned. Another fetch method may succeed.
 * @example throw new Blocked("The shop returned a captcha.", "DataDome", { url, statusCode: 403 })
 */
export class Blocked extends ScrapeError {
  readonly kind = "Blocked"
  constructor(
    message: string,
    readonly vendor: string | null = null,
    details?: ScrapeErrorDetails,
  ) {
    super(message, details, "blocked")
  }
}

/**
 * An app shell: a page that only scripts fill. Chrome may load its content.
 * @example throw new EmptyShell("The page has no product without its scripts.", { url })
 */
export class EmptyShell extends ScrapeError {
  readonly kind = "EmptyShell"
  static override readonly code: string = "app_shell"
}

/**
 * Too many requests, even after waiting. `retryAfter` is in seconds.
 * @example throw new RateLimited("The API limits requests.", 30, { url, statusCode: 429 })
 */
export class RateLimited extends ScrapeError {
  readonly kind = "RateLimited"
  constructor(
    message: string,
    readonly retryAfter: number | null = null,
    details?: ScrapeErrorDetails,
  ) {
    super(message, details, "rate_limited")
  }
}

/**
 * The response did not arrive in time.
 * @example throw new Timeout("The list did not load within 30 seconds.", { url })
 */
export class Timeout extends ScrapeError {
  readonly kind = "Timeout"
  static override readonly code: string = "timeout"
}

/**
 * No response: the name does not resolve, or the connection or its encryption failed. It is also
 * thrown if this server has too many open files, which is not the host's fault.
 * @example throw new Unreachable("shop.example does not resolve.", "dns", { url })
 */
export class Unreachable extends ScrapeError {
  readonly kind = "Unreachable"
  constructor(
    message: string,
    reason: "dns" | "connection" | "tls" | "too_many_open_files",
    details?: ScrapeErrorDetails,
  ) {
    super(message, details, reason)
  }
}

/**
 * More redirects than the engine follows.
 * @example throw new TooManyRedirects("More than 5 redirects.", { url })
 */
export class TooManyRedirects extends ScrapeError {
  readonly kind = "TooManyRedirects"
  static override readonly code: string = "too_many_redirects"
}

/**
 * The IP address is private or reserved, so the egress filter did not connect.
 * @example throw new EgressDenied("10.0.0.1 is a private IP address.", { url })
 */
export class EgressDenied extends ScrapeError {
  readonly kind = "EgressDenied"
  static override readonly code: string = "egress_denied"
}

/**
 * The robots.txt of the site disallows the page.
 * @example throw new RobotsDisallowed("robots.txt disallows /private.", { url })
 */
export class RobotsDisallowed extends ScrapeError {
  readonly kind = "RobotsDisallowed"
  static override readonly code: string = "robots_disallowed"
}

/**
 * The response exceeds its maximum size.
 * @example throw new TooLarge("The sitemap is larger than 50 MB.", { url })
 */
export class TooLarge extends ScrapeError {
  readonly kind = "TooLarge"
  static override readonly code: string = "too_large"
}

/**
 * The scraper does not support the response's media type.
 * @example throw new UnsupportedContent("The response is a video, not a page.", { url })
 */
export class UnsupportedContent extends ScrapeError {
  readonly kind = "UnsupportedContent"
  static override readonly code: string = "unsupported_content"
}

/**
 * The response has an unexpected format.
 * @example throw new Changed("The response has no list of jobs.", { field: "jobs", url })
 */
export class Changed extends ScrapeError {
  readonly kind = "Changed"
  /** The field of the item that could not be read; null if unknown. */
  readonly field: string | null
  constructor(message: string, details?: ScrapeErrorDetails & { field?: string }) {
    super(message, details, "layout_changed")
    this.field = details?.field ?? null
  }
}

/**
 * The upstream no longer accepts a site constant (`staleKey` of upstream.ts).
 * @example throw staleKey(shopTable, "queryId", { url, statusCode: 404 })
 */
export class StaleKey extends ScrapeError {
  readonly kind = "StaleKey"
  constructor(
    message: string,
    readonly site: string,
    readonly key: string,
    details?: ScrapeErrorDetails,
  ) {
    super(message, details, "outdated_site_constant")
  }
}

/**
 * The upstream failed on its own side (5xx). `retryAfter` is in seconds.
 * @example throw new UpstreamError("The API failed (status 503).", { url, statusCode: 503, retryAfter: 60 })
 */
export class UpstreamError extends ScrapeError {
  readonly kind = "UpstreamError"
  readonly retryAfter: number | null
  constructor(message: string, details?: ScrapeErrorDetails & { retryAfter?: number | null }) {
    super(message, details, "upstream_error")
    this.retryAfter = details?.retryAfter ?? null
  }
}

/**
 * Any other status that is not a success.
 * @example throw new HttpError("The API responds with status 418.", { url, statusCode: 418 })
 */
export class HttpError extends ScrapeError {
  readonly kind = "HttpError"
  static override readonly code: string = "http_error"
}

/**
 * The account has too few credits for the target.
 * @example throw new OutOfCredit("The unlocker costs 5 credits.")
 */
export class OutOfCredit extends ScrapeError {
  readonly kind = "OutOfCredit"
  constructor(
    message = "The run is out of credits: the account has none left, or the key or the run (maxCredits) has reached its limit. Add credits or raise the limit, then resume the run.",
    details?: ScrapeErrorDetails,
  ) {
    super(message, details, "out_of_credit")
  }
}

/**
 * The run was stopped. The target is processed when the run is resumed.
 * @example throw new Aborted()
 */
export class Aborted extends ScrapeError {
  readonly kind = "Aborted"
  constructor(message = "The run was aborted.", details?: ScrapeErrorDetails) {
    super(message, details, "aborted")
  }
}

export interface ErrorItem {
  input?: unknown
  url?: string
  statusCode?: number | null
  error: { code: string; message: string }
  [field: string]: unknown
}

/**
 * Returns the error item of a failure. `fields` name the target under the same names as the
 * scraper's items (`input`, `url`, `feedUrl` …). They take precedence over the error's own fields.
 * @example yield errorItem(error, { input: target, page: 3 })
 */
export function errorItem(
  scrapeError: ScrapeError,
  fields: Record<string, unknown> = {},
): ErrorItem {
  const { code } = scrapeError
  const tried = scrapeError.tried && `Tried ${scrapeError.tried}.`
  const what = scrapeError.kind === "NotFound" ? named(scrapeError, fields) : scrapeError.message
  const message = [what, tried, nextStepOf(scrapeError)].filter(Boolean).join(" ")
  const error = { code, message }
  causes.set(error, scrapeError)
  return {
    ...(scrapeError.url === undefined ? {} : { url: scrapeError.url }),
    ...fields,
    statusCode: scrapeError.statusCode,
    error,
  }
}

/** Returns the message of a target that does not exist, with the target's value. */
function named({ message, url }: ScrapeError, { input = url }: Record<string, unknown>): string {
  if (typeof input !== "string" || input === "" || namesTarget(message, input)) return message
  const end = message.search(/\.(?:\s|$)/)
  const first = end < 0 ? message : message.slice(0, end)
  const rest = end < 0 ? "" : message.slice(end + 1)
  const value = `"${briefText(input)}"`
  return first.includes(": ") ? `${first} (${value}).${rest}` : `${first}: ${value}.${rest}`
}

/** Maximum characters of a name that a message must have as a word of its own. */
const maxShortName = 3

/** Whether a message contains the value of a target, or the part that identifies it. */
function namesTarget(message: string, input: string): boolean {
  const [text, value] = [message.toLowerCase(), input.toLowerCase()]
  const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u))
  const parts = value.split(/[/?&=#@,]+/).filter(Boolean)
  const names = parts.filter((part, at) => at === parts.length - 1 || /\d/.test(part))
  return [value, ...names].some((name) =>
    name.length > maxShortName ? text.includes(name) : words.has(name),
  )
}

const causes = new WeakMap<object, ScrapeError>()

/** Next steps by code, for errors whose thrower names none. */
const nextSteps: Readonly<Record<string, string>> = {
  app_shell: "Call web-scraper with `renderScripts`, which runs the page's scripts in Chrome.",
  blocked: "Try again later, or ask the operator for a proxy or an unlocker.",
  connection: "Try again; if it lasts, open the URL in a browser.",
  dns: "Check the spelling of the host.",
  forbidden:
    "If your browser shows it without a login, ask the operator for a proxy. If not, use a `session`.",
  geo_blocked:
    "Set `country` if the scraper has this input, or ask the operator for a proxy in another country.",
  http_error: "Open the URL in a browser to see why.",
  layout_changed: "Ask the operator to update Trawl, or report the URL.",
  login_required: "Use a `session` that is signed in to the site; it requires an API key.",
  parse_error: "Ask the operator to update Trawl, or report the URL.",
  rate_limited: "Try again in a few minutes, or request fewer pages of this site.",
  timeout: "Try again; if it lasts, open the URL in a browser.",
  unsupported_content: "Use the URL of a page or document.",
  tls: "Check the host name, or use another URL of the site.",
  too_many_redirects: "Open the URL in a browser, and use the URL at which it ends.",
  upstream_error: "Try again in a few minutes; the error is on the site's side.",
}

/** Matches messages of scrapers that contain the next step. */
const hasNextStep = /\b(?:again|retry|later|operator|use|write|set|check|wait|open)\b/i

function nextStepOf(error: ScrapeError): string | undefined {
  if (error.nextStep !== undefined || hasNextStep.test(error.message)) return error.nextStep
  // Without a URL, for example if the run ends, the site is not the cause.
  const isOfSite = error.url !== undefined || !["connection", "timeout"].includes(error.code)
  const { retryAfter = null } = error as { retryAfter?: number | null }
  if (retryAfter !== null) return `Try again in ${Math.ceil(retryAfter)} s.`
  return isOfSite ? nextSteps[error.code] : undefined
}

/**
 * Returns the error from which an error item was made; undefined for a copy of the item.
 * @example causeOf(item)?.code // "not_found"
 */
export const causeOf = (error: object): ScrapeError | undefined => causes.get(error)

/**
 * Returns the call's result. Throws RateLimited for status 503, with which open data services
 * report too many requests.
 * @example const works = await busyIsRateLimit(ctx.json<Works>(url))
 */
export async function busyIsRateLimit<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.statusCode !== 503) throw error
    const host = error.url === undefined ? "The service" : new URL(error.url).host
    const details = { url: error.url, statusCode: 503 }
    throw new RateLimited(`${host} is too busy (status 503).`, null, details)
  }
}

/**
 * Returns Changed with the code `parse_error`, which some scrapers document instead of
 * `layout_changed`.
 * @example throw parseError("The page ends before its data.", response)
 */
export const parseError = (message: string, response: ScrapeErrorDetails["response"] & object) =>
  new Changed(message, { code: "parse_error", response })

/**
 * Returns an error with the code `parse_error` for a page that cannot be read. A challenge remains
 * Blocked.
 * @example throw unreadable(response.explainMissing("the product"))
 */
export function unreadable(scrapeError: ScrapeError): ScrapeError {
  const { message, url, statusCode } = scrapeError
  const details = { code: "parse_error", statusCode, url }
  if (scrapeError instanceof EmptyShell) return new EmptyShell(message, details)
  if (!(scrapeError instanceof Changed)) return scrapeError
  return new Changed(message, { ...details, field: scrapeError.field || undefined })
}
