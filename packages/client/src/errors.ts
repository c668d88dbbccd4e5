import type { Run } from "./api.js"
import type { ErrorItem } from "./items.js"

/** One invalid field of an input or a query. */
export interface InputIssue {
  field: string
  /** Index in a list, from 0, if one of its entries is invalid. */
  index?: number
  message: string
  expected: string
  actual?: unknown
}

/** The base of all errors of this package. */
export class TrawlError extends Error {
  override name = "TrawlError"
}

/** The request did not reach the service, or its response was lost. `cause` has the reason. */
export class ConnectionFailed extends TrawlError {
  override name = "ConnectionFailed"
}

/** The run did not finish within `timeoutMs`. It continues: call `wait` again, or `abort`. */
export class WaitTimeout extends TrawlError {
  override name = "WaitTimeout"

  constructor(
    readonly id: string,
    timeoutMs: number,
  ) {
    super(`${id} did not finish within ${timeoutMs} ms. It continues on the server.`)
  }
}

/** The run ended without any item. */
export class RunFailed extends TrawlError {
  override name = "RunFailed"
  readonly code: string

  constructor(
    readonly run: Run | null,
    readonly errors: ErrorItem[],
  ) {
    const reason = run?.error ?? errors[0]?.error
    const subject = run ? `The run ${run.id} ended ${run.status}` : "The run failed"
    super(`${subject}: ${reason?.message ?? "It returned no items."}`)
    this.code = reason?.code ?? run?.status ?? "failed"
  }
}

export interface Refusal {
  status: number
  code: string
  message: string
  details?: unknown
  retryAfterSeconds?: number | undefined
  claimUrl?: string | undefined
  claimStatusUrl?: string | undefined
}

/** The service refused the request. */
export class ApiError extends TrawlError {
  override name = "ApiError"
  /** HTTP status. */
  readonly status: number
  /** Error code of the API, for example `not_found`. */
  readonly code: string
  readonly details: unknown

  constructor({ status, code, message, details }: Refusal) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** A field of the input, the query or the body is invalid (400). */
export class InvalidInput extends ApiError {
  override name = "InvalidInput"
  readonly issues: InputIssue[]

  constructor(refusal: Refusal) {
    super(refusal)
    this.issues = Array.isArray(refusal.details) ? refusal.details : []
  }

  /** Returns the name of the first invalid field. */
  get field(): string | undefined {
    return this.issues[0]?.field
  }
}

/** The API key is missing or not valid (401). */
export class Unauthorized extends ApiError {
  override name = "Unauthorized"
}

/** The account, the key or the daily free quota has nothing left (402). */
export class OutOfCredit extends ApiError {
  override name = "OutOfCredit"
  /** Where a user without an account can sign up, after the daily free quota. */
  readonly claimUrl: string | undefined
  /** Returns the API key once the user has signed up. */
  readonly claimStatusUrl: string | undefined

  constructor(refusal: Refusal) {
    super(refusal)
    this.claimUrl = refusal.claimUrl
    this.claimStatusUrl = refusal.claimStatusUrl
  }
}

/** The key lacks a scope (403). */
export class Forbidden extends ApiError {
  override name = "Forbidden"
}

/** The scraper, run, dataset or other entry does not exist (404). */
export class NotFound extends ApiError {
  override name = "NotFound"
}

/** The entry exists already, a limit is reached, or the state does not allow the call (409, 422). */
export class Conflict extends ApiError {
  override name = "Conflict"
}

/** The body is too large (413). */
export class TooLarge extends ApiError {
  override name = "TooLarge"
}

/** Too many requests (429). The client has already retried. */
export class RateLimited extends ApiError {
  override name = "RateLimited"
  /** Seconds to wait. */
  readonly retryAfter: number | undefined

  constructor(refusal: Refusal) {
    super(refusal)
    this.retryAfter = refusal.retryAfterSeconds
  }
}

/** The service is stopping or cannot write (503, 507). The client has already retried. */
export class Unavailable extends ApiError {
  override name = "Unavailable"
  /** Seconds to wait. */
  readonly retryAfter: number | undefined

  constructor(refusal: Refusal) {
    super(refusal)
    this.retryAfter = refusal.retryAfterSeconds
  }
}

const classes: Readonly<Record<string, new (refusal: Refusal) => ApiError>> = {
  invalid_input: InvalidInput,
  unauthorized: Unauthorized,
  out_of_credit: OutOfCredit,
  forbidden: Forbidden,
  not_found: NotFound,
  conflict: Conflict,
  idempotency_key_reused: Conflict,
  payload_too_large: TooLarge,
  rate_limited: RateLimited,
  unavailable: Unavailable,
  disk_full: Unavailable,
}

const codesByStatus: Readonly<Record<number, string>> = {
  400: "invalid_input",
  401: "unauthorized",
  402: "out_of_credit",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "payload_too_large",
  422: "idempotency_key_reused",
  429: "rate_limited",
  503: "unavailable",
  507: "disk_full",
}

/** Returns the error of a refusal, as the class of its code. */
export function refusalError(refusal: Omit<Refusal, "code"> & { code?: string }): ApiError {
  const code = refusal.code ?? codesByStatus[refusal.status] ?? "internal_error"
  const Class = classes[code] ?? ApiError
  return new Class({ ...refusal, code })
}
