import type { ScrapeError } from "../../../catalogue/kit/index.ts"

/** What the engine does after an outcome; the class alone decides. */
export interface Consequence {
  /** Ask for the page again by the next way in. */
  escalates: boolean
  /** End the whole run at once, keeping its items. */
  stopsRun: boolean
  /** Seconds for which the host is left alone by all runs. */
  suspendSeconds: number
}

const stay: Consequence = { escalates: false, stopsRun: false, suspendSeconds: 0 }

/** One row a class of src/catalogue/kit/errors.ts. */
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
