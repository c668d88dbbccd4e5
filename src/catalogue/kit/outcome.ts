/**
 * Everything that can end a target other than success. The class alone decides what the engine
 * does next (src/engine/run/policy.ts); the code is what callers see in an error item.
 */
export interface OutcomeDetails {
  /** The public error code, where a scraper promises a finer one than the class's own. */
  code?: string
  /** The address that failed. */
  url?: string
  /** The HTTP status that was answered; null when there was no answer. */
  statusCode?: number | null
  cause?: unknown
}

export abstract class Outcome extends Error {
  abstract readonly kind: string
  readonly code: string
  readonly url?: string
  readonly statusCode: number | null

  protected constructor(message: string, code: string, details: OutcomeDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code ?? code
    this.url = details.url
    this.statusCode = details.statusCode ?? null
    this.name = new.target.name
  }
}

/** The caller's value cannot be a target of this scraper. */
export class BadInput extends Outcome {
  readonly kind = "BadInput"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "invalid_input", details)
  }
}

/** The upstream says that the thing does not exist (any more). */
export class NotFound extends Outcome {
  readonly kind = "NotFound"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "not_found", details)
  }
}

/** The upstream knows the thing and refuses it to us: login, licence, private. */
export class Forbidden extends Outcome {
  readonly kind = "Forbidden"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "forbidden", details)
  }
}

/** A bot wall or captcha stands in the way; another way in may pass. */
export class Blocked extends Outcome {
  readonly kind = "Blocked"
  constructor(
    message: string,
    readonly vendor: string | null = null,
    details?: OutcomeDetails,
  ) {
    super(message, "blocked", details)
  }
}

/** A page that only a script would fill; Chrome may show its content. */
export class EmptyShell extends Outcome {
  readonly kind = "EmptyShell"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "app_shell", details)
  }
}

/** Too many requests, also after waiting. `retryAfter` is in seconds. */
export class RateLimited extends Outcome {
  readonly kind = "RateLimited"
  constructor(
    message: string,
    readonly retryAfter: number | null = null,
    details?: OutcomeDetails,
  ) {
    super(message, "rate_limited", details)
  }
}

export class Timeout extends Outcome {
  readonly kind = "Timeout"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "timeout", details)
  }
}

/** No answer: the name does not resolve, or the connection or its encryption failed. */
export class Unreachable extends Outcome {
  readonly kind = "Unreachable"
  constructor(message: string, reason: "dns" | "connection" | "tls", details?: OutcomeDetails) {
    super(message, reason, details)
  }
}

export class TooManyRedirects extends Outcome {
  readonly kind = "TooManyRedirects"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "too_many_redirects", details)
  }
}

/** The address is private or reserved; the guard did not connect. */
export class EgressDenied extends Outcome {
  readonly kind = "EgressDenied"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "egress_denied", details)
  }
}

export class RobotsDisallowed extends Outcome {
  readonly kind = "RobotsDisallowed"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "robots_disallowed", details)
  }
}

export class TooLarge extends Outcome {
  readonly kind = "TooLarge"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "too_large", details)
  }
}

export class UnsupportedContent extends Outcome {
  readonly kind = "UnsupportedContent"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "unsupported_content", details)
  }
}

/** An answer came, but not in the form that the parser knows. */
export class Changed extends Outcome {
  readonly kind = "Changed"
  /** The item's field that could not be read, where that is known. */
  readonly field: string | null
  constructor(message: string, details?: OutcomeDetails & { field?: string }) {
    super(message, "layout_changed", details)
    this.field = details?.field ?? null
  }
}

/** The upstream does not know a value of its table any more (`staleKey` of upstream.ts). */
export class StaleKey extends Outcome {
  readonly kind = "StaleKey"
  constructor(
    message: string,
    readonly site: string,
    readonly key: string,
    details?: OutcomeDetails,
  ) {
    super(message, "outdated_site_constant", details)
  }
}

/** The upstream failed on its own side (5xx). `retryAfter` is in seconds. */
export class UpstreamError extends Outcome {
  readonly kind = "UpstreamError"
  readonly retryAfter: number | null
  constructor(message: string, details?: OutcomeDetails & { retryAfter?: number | null }) {
    super(message, "upstream_error", details)
    this.retryAfter = details?.retryAfter ?? null
  }
}

/** Any other status that is no success. */
export class HttpError extends Outcome {
  readonly kind = "HttpError"
  constructor(message: string, details?: OutcomeDetails) {
    super(message, "http_error", details)
  }
}

export class OutOfCredit extends Outcome {
  readonly kind = "OutOfCredit"
  constructor(
    message = "The run is out of credits: the account has none left, or the key or the run (maxCredits) has reached its limit.",
    details?: OutcomeDetails,
  ) {
    super(message, "out_of_credit", details)
  }
}

export class Aborted extends Outcome {
  readonly kind = "Aborted"
  constructor(message = "The run was aborted.", details?: OutcomeDetails) {
    super(message, "aborted", details)
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
 * The item that stands in place of what failed. `fields` name the target as the scraper's good
 * items do (`input`, `url`, `feedUrl` …) and win over what the outcome knows.
 */
export function errorItem(outcome: Outcome, fields: Record<string, unknown> = {}): ErrorItem {
  const error = { code: outcome.code, message: outcome.message }
  causes.set(error, outcome)
  return {
    ...(outcome.url === undefined ? {} : { url: outcome.url }),
    ...fields,
    statusCode: outcome.statusCode,
    error,
  }
}

const causes = new WeakMap<object, Outcome>()

/** Of what an item's error tells in short, as long as the item is the one that was made. */
export const causeOf = (error: object): Outcome | undefined => causes.get(error)

/** Open data services answer 503 to too many requests: after all waits, that is the rate limit. */
export async function busyIsRateLimit<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.statusCode !== 503) throw error
    const host = error.url === undefined ? "The service" : new URL(error.url).host
    throw new RateLimited(`${host} is too busy (status 503).`, null, {
      ...(error.url === undefined ? {} : { url: error.url }),
      statusCode: 503,
    })
  }
}
