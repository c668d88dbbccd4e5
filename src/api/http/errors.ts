import { briefText, type InputIssue, maxIssues } from "../../catalogue/kit/index.ts"

/** An error response. `message` and `details` are safe to return to the client. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details?: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }
}

/** Validation issues in one part of a request. */
export class InvalidPart extends ApiError {
  constructor(
    readonly part: "query" | "body",
    message: string,
    readonly issues: InputIssue[],
  ) {
    super(400, message, issues)
  }
}

/** Returns the error of a request whose query and body are both invalid. */
export function invalidBoth(query: InvalidPart, body: InvalidPart): ApiError {
  const half = maxIssues / 2
  const issues = [query, body].flatMap(({ part, issues }) =>
    issues.slice(0, half).map((issue) => ({ ...issue, in: part })),
  )
  return new ApiError(400, `${query.message} ${body.message}`, issues)
}

/** Error codes by HTTP status. */
const codesByStatus: Readonly<Record<number, string>> = {
  400: "invalid_input",
  401: "unauthorized",
  402: "out_of_credit",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  408: "request_timeout",
  409: "conflict",
  413: "payload_too_large",
  415: "unsupported_media_type",
  422: "idempotency_key_reused",
  429: "rate_limited",
  500: "internal_error",
  502: "upstream_error",
  503: "unavailable",
  507: "disk_full",
}

/** Returns the body of an error response of the authenticated API. */
export function errorBody(status: number, message: string, details?: unknown) {
  const code = codesByStatus[status] ?? "internal_error"
  return { error: { code, message, status, ...(details === undefined ? {} : { details }) } }
}

/**
 * The same error for a missing resource and for another account's, so that IDs cannot be probed.
 */
export function notFound(what: string, id?: string): ApiError {
  if (id === undefined)
    return new ApiError(
      404,
      `There is no ${what} with this ID. Check the ID; the ${what} may have been deleted.`,
    )
  return new ApiError(404, `There is no ${what} "${briefText(id)}"; it may have been deleted.`)
}

export function invalid(issues: InputIssue[], what = "input"): InvalidPart {
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ""
  const message = `The ${what} is not valid: ${issues[0]!.message}${more}`
  return new InvalidPart(what === "query" ? "query" : "body", message, issues)
}

/** Checks a limit per account. @throws ApiError 409 if the account has reached it */
export function requireBelowLimit(count: number, max: number, what: string): void {
  if (count >= max)
    throw new ApiError(
      409,
      `An account has at most ${max} ${what}. Delete one that you no longer need.`,
    )
}

export function outOfCredit(): ApiError {
  return new ApiError(
    402,
    "The account has no credits left, so the run was not started. Ask the operator for credits.",
  )
}

export function keySpent(): ApiError {
  return new ApiError(
    402,
    "This API key has reached its credit limit, so the run was not started. Use another key, or create one with a higher limit.",
  )
}

export function tooMany(retryAfterSeconds: number, message = "Too many calls."): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  return new ApiError(429, `${message} Try again in ${seconds} s.`, undefined, {
    "retry-after": String(seconds),
  })
}
