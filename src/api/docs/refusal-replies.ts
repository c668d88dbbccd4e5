import { errorBody } from "../http/errors.ts"
import { errorBodySchema } from "../schemas/common.ts"

const refusalTexts: Record<number, string> = {
  400: "The input is not valid; `details` lists each issue.",
  401: "The API key is missing or not valid.",
  402: "The account has no credits left.",
  403: "The key or the account may not do this.",
  404: "Not found, or owned by another account.",
  408: "The body arrived too slowly.",
  409: "Not possible in the current state.",
  413: "The body is larger than 1 MB.",
  415: "The body does not have the required media type.",
  422: "The Idempotency-Key was already used for another request.",
  429: "Too many requests; wait the seconds in `Retry-After`.",
  502: "An upstream server failed; the message names it.",
  503: "The service is stopping or cannot write; retry after the seconds in `Retry-After`.",
  507: "The server's disk is full; retry after the seconds in `Retry-After`.",
}

const counted = (description: string) => ({ description, schema: { type: "integer" } })
const limitHeaders = {
  "Retry-After": counted("Seconds to wait."),
  "RateLimit-Limit": counted("Requests per minute."),
  "RateLimit-Remaining": counted("Requests left."),
  "RateLimit-Reset": counted("Seconds until the full limit is available again."),
}

/**
 * Returns the error responses of these statuses. Any request may also be unreadable (400), come from
 * a page of another site (403), or exceed the rate limit of its IP address (429).
 */
export function refusalReplies(statuses: readonly number[]) {
  const unreadable = reply("The request cannot be parsed.")
  return Object.fromEntries([
    ["400", unreadable],
    ...[...new Set([403, 429, ...statuses])].sort().map((status) => [
      String(status),
      {
        ...(status === 429 && { headers: limitHeaders }),
        ...reply(refusalTexts[status]!, status),
      },
    ]),
  ])
}

function reply(description: string, status?: number) {
  const example = status && errorBody(status, description)
  const media = { schema: errorBodySchema, ...(example && { example }) }
  return { description, content: { "application/json": media } }
}
