import { errorBodySchema } from "../schemas/common.ts"

const refusalTexts: Record<number, string> = {
  400: "The input is not valid; `details` names each fault.",
  401: "The key is missing or not valid.",
  402: "The account has no credits left.",
  403: "Not allowed.",
  404: "There is no such thing, or it is another account's.",
  408: "The body came too slowly.",
  409: "Not possible in the present state.",
  413: "The body is larger than 1 MB.",
  415: "The body is not of the stated media type.",
  422: "The Idempotency-Key was used with another call.",
  429: "Too many calls; `Retry-After` says when to come back.",
  503: "The service is stopping, or cannot write; `Retry-After` says when to come back.",
  507: "The service's disk is full; `Retry-After` says when to come back.",
}

const counted = (description: string) => ({ description, schema: { type: "integer" } })
const limitHeaders = {
  "Retry-After": counted("Seconds to wait."),
  "RateLimit-Limit": counted("Calls a minute."),
  "RateLimit-Remaining": counted("Calls left."),
  "RateLimit-Reset": counted("Seconds until all calls are there again."),
}

/**
 * The refusals of these statuses. Any call may also be unreadable (400), come from a page of another
 * site (403), or be one too many from its IP address (429).
 */
export function refusalReplies(statuses: readonly number[]) {
  const unreadable = reply("The request itself cannot be read.")
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
  const example = status && { error: { message: description, status } }
  const media = { schema: errorBodySchema, ...(example && { example }) }
  return { description, content: { "application/json": media } }
}
