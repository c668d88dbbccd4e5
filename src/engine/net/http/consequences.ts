import type { ScrapeError } from "../../../catalogue/kit/index.ts"

/** The engine's reaction to an error, by its class. */
export interface Consequence {
  /** Whether the page is requested again by the next fetch method. */
  escalates: boolean
  /** Whether the whole run ends; its items are kept. */
  stopsRun: boolean
  /** Seconds for which no run sends requests to the host. */
  suspendSeconds: number
}

const stay: Consequence = { escalates: false, stopsRun: false, suspendSeconds: 0 }

/** One row per error class in src/catalogue/kit/core/errors.ts. */
export const consequences: Record<string, Consequence> = {
  BadInput: stay,
  NotFound: stay,
  Forbidden: stay,
  Blocked: { ...stay, escalates: true, suspendSeconds: 180 },
  EmptyShell: { ...stay, escalates: true },
  RateLimited: { ...stay, suspendSeconds: 60 },
  Timeout: stay,
  Unreachable: stay,
  TooManyRedirects: stay,
  EgressDenied: stay,
  RobotsDisallowed: stay,
  TooLarge: stay,
  UnsupportedContent: stay,
  Changed: stay,
  StaleKey: stay,
  UpstreamError: stay,
  HttpError: stay,
  OutOfCredit: { ...stay, stopsRun: true },
  Aborted: { ...stay, stopsRun: true },
}

export function consequenceOf(scrapeError: ScrapeError): Consequence {
  return consequences[scrapeError.kind] ?? stay
}
