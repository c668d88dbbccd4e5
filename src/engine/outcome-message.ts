import { messageOf } from "../base/error-message.ts"
import * as outcomes from "../catalogue/outcome.ts"

/** An outcome as it is posted between threads: classes do not survive the way, their names do. */
export interface OutcomeMessage {
  kind: string
  message: string
  code: string
  url?: string
  statusCode: number | null
  vendor?: string | null
  retryAfter?: number | null
}

export function outcomeToMessage(error: unknown): OutcomeMessage {
  if (!(error instanceof outcomes.Outcome)) {
    const message = messageOf(error)
    return { kind: "Changed", message, code: "changed", statusCode: null }
  }
  return {
    kind: error.kind,
    message: error.message,
    code: error.code,
    statusCode: error.statusCode,
    ...(error.url === undefined ? {} : { url: error.url }),
    ...(error instanceof outcomes.Blocked ? { vendor: error.vendor } : {}),
    ...(error instanceof outcomes.RateLimited ? { retryAfter: error.retryAfter } : {}),
  }
}

export function outcomeFromMessage(message: OutcomeMessage): outcomes.Outcome {
  const details = { code: message.code, url: message.url, statusCode: message.statusCode }
  switch (message.kind) {
    case "Blocked":
      return new outcomes.Blocked(message.message, message.vendor ?? null, details)
    case "RateLimited":
      return new outcomes.RateLimited(message.message, message.retryAfter ?? null, details)
    case "Unreachable":
      return new outcomes.Unreachable(message.message, "connection", details)
  }
  const Kind = plain[message.kind] ?? outcomes.Changed
  return new Kind(message.message, details)
}

/** The classes whose constructors take a message and details alone. */
const plain: Record<
  string,
  new (
    message: string,
    details?: outcomes.OutcomeDetails,
  ) => outcomes.Outcome
> = {
  BadInput: outcomes.BadInput,
  NotFound: outcomes.NotFound,
  Forbidden: outcomes.Forbidden,
  EmptyShell: outcomes.EmptyShell,
  Timeout: outcomes.Timeout,
  TooManyRedirects: outcomes.TooManyRedirects,
  EgressDenied: outcomes.EgressDenied,
  RobotsDisallowed: outcomes.RobotsDisallowed,
  TooLarge: outcomes.TooLarge,
  UnsupportedContent: outcomes.UnsupportedContent,
  Changed: outcomes.Changed,
  UpstreamError: outcomes.UpstreamError,
  HttpError: outcomes.HttpError,
  OutOfCredit: outcomes.OutOfCredit,
  Aborted: outcomes.Aborted,
}
