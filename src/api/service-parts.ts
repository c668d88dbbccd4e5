import type { Service } from "./service.ts"

// The parts of the service that routes declare as their parameter.

/** Settings, store and log. */
export type CoreParts = Pick<Service, "config" | "store" | "log" | "base">

/** The client of a request: its IP address, and the service's public URL for it. */
export type ClientParts = Pick<Service, "root" | "address" | "callerKey" | "callers">

/** Keys, sessions and rate limits. */
export type AccessParts = Pick<
  Service,
  "accounts" | "keys" | "limit" | "limits" | "running" | "isOperator"
>

/** Sign-up and sign-in. */
export type SignUpParts = Pick<
  Service,
  "signUps" | "signUpIsOpen" | "letsAnonymousCallersIn" | "guesses" | "authLimit"
>

/** The daily free quota, and claims of keys. */
export type QuotaParts = Pick<Service, "freeQuota" | "claims">

/** The scrapers, their search and their health. */
export type ScraperParts = Pick<Service, "catalogue" | "slugs" | "scraper" | "search" | "health">

/** Runs and the requests that create things once. */
export type RunParts = Pick<Service, "runs" | "idempotency" | "feeds" | "ending" | "beatMs">

/** Sessions of sites, and log-ins that people do in the console. */
export type SessionParts = Pick<Service, "sessions" | "liveLogins" | "ending">

/** Lists, exports and files. */
export type ResultParts = Pick<Service, "lists" | "exports" | "files">

/** Deliveries to notification channels. */
export type NotificationParts = Pick<Service, "dispatcher" | "rates">

/** Deliveries of items to destinations. */
export type DestinationParts = Pick<Service, "destinations">

/** The operation of the service, for administrators and metrics. */
export type OperationParts = Pick<
  Service,
  | "settings"
  | "backups"
  | "logTail"
  | "checker"
  | "metrics"
  | "runtimeStats"
  | "hostRateLimits"
  | "traces"
  | "stopping"
>
