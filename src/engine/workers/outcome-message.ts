import { messageOf } from "../../base/error-message.ts"
import {
  Aborted,
  BadInput,
  Blocked,
  Changed,
  EgressDenied,
  EmptyShell,
  Forbidden,
  HttpError,
  NotFound,
  Outcome,
  type OutcomeDetails,
  OutOfCredit,
  RateLimited,
  RobotsDisallowed,
  StaleKey,
  Timeout,
  TooLarge,
  TooManyRedirects,
  Unreachable,
  UnsupportedContent,
  UpstreamError,
} from "../../catalogue/kit/index.ts"

/** An outcome as it is posted between threads: classes do not survive the way, their names do. */
export interface OutcomeMessage {
  kind: string
  message: string
  code: string
  url?: string
  statusCode: number | null
  vendor?: string | null
  retryAfter?: number | null
  site?: string
  key?: string
}

export function outcomeToMessage(error: unknown): OutcomeMessage {
  if (!(error instanceof Outcome)) {
    const message = messageOf(error)
    return { kind: "Changed", message, code: "changed", statusCode: null }
  }
  return {
    kind: error.kind,
    message: error.message,
    code: error.code,
    statusCode: error.statusCode,
    ...(error.url === undefined ? {} : { url: error.url }),
    ...(error instanceof Blocked ? { vendor: error.vendor } : {}),
    ...(error instanceof StaleKey ? { site: error.site, key: error.key } : {}),
    ...(error instanceof RateLimited ? { retryAfter: error.retryAfter } : {}),
  }
}

export function outcomeFromMessage(message: OutcomeMessage): Outcome {
  const details = { code: message.code, url: message.url, statusCode: message.statusCode }
  switch (message.kind) {
    case "Blocked":
      return new Blocked(message.message, message.vendor ?? null, details)
    case "RateLimited":
      return new RateLimited(message.message, message.retryAfter ?? null, details)
    case "StaleKey":
      return new StaleKey(message.message, message.site ?? "", message.key ?? "", details)
    case "Unreachable":
      return new Unreachable(message.message, "connection", details)
  }
  const Kind = plain[message.kind] ?? Changed
  return new Kind(message.message, details)
}

/** The classes whose constructors take a message and details alone. */
const plain: Record<string, new (message: string, details?: OutcomeDetails) => Outcome> = {
  BadInput,
  NotFound,
  Forbidden,
  EmptyShell,
  Timeout,
  TooManyRedirects,
  EgressDenied,
  RobotsDisallowed,
  TooLarge,
  UnsupportedContent,
  Changed,
  UpstreamError,
  HttpError,
  OutOfCredit,
  Aborted,
}
