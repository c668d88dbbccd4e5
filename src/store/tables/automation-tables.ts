import type { Generated } from "kysely"

/**
 * Tables of idempotent calls, batches, schedules, monitors and channels. Times are ISO 8601 UTC;
 * JSON is text.
 */
export interface AutomationTables {
  idempotency: IdempotencyTable
  batches: BatchesTable
  batch_runs: BatchRunsTable
  schedules: SchedulesTable
  scheduled_runs: ScheduledRunsTable
  webhooks: WebhooksTable
  deliveries: DeliveriesTable
  delivery_tries: DeliveryTriesTable
  job_hooks: JobHooksTable
  monitor_points: MonitorPointsTable
  monitor_changes: MonitorChangesTable
  monitor_links: MonitorLinksTable
  recipes: RecipesTable
  site_sessions: SiteSessionsTable
}

/** Named extractions of an account. */
export interface RecipesTable {
  /** `rcp_…` */
  id: string
  account_id: string
  /** Unique in the account; no scraper of the catalogue had this slug when it was chosen. */
  slug: string
  name: string
  description: string | null
  /** Pattern of the URLs that the recipe is for. */
  pattern: string
  /** Input for web-scraper. */
  input: string
  /** Name of the destination that receives the items of its runs. */
  destination: Generated<string | null>
  /** Name of the session with which its pages are fetched. */
  session: Generated<string | null>
  created_at: string
  updated_at: string
}

/** Sessions of sites: cookies and local storage with which runs of an account fetch pages. */
export interface SiteSessionsTable {
  /** `ses_…` */
  id: string
  account_id: string
  /** Unique in the account. */
  name: string
  /** JSON list of host names; each includes its subdomains. */
  hosts: string
  /** Encrypted JSON of a SessionState; null before the first log-in. */
  state: string | null
  /** Encrypted JSON of a LoginRecipe, if there is one. */
  login: string | null
  /**
   * Increases with each log-in or import; runs of an earlier revision do not change the session.
   */
  revision: Generated<number>
  expired: Generated<number>
  /** Reason why the session expired or its last log-in failed. */
  expired_reason: string | null
  /** Time at which the last of its cookies expires; null if one never does. */
  expires_at: string | null
  last_used_at: string | null
  /** ID of the running log-in, over all processes, and the time at which it is abandoned. */
  login_owner: string | null
  login_until: string | null
  created_at: string
  updated_at: string
}

export interface IdempotencyTable {
  account_id: string
  key: string
  /** SHA-256 of method, URL and body. */
  fingerprint: string
  /** ID of the resource that the call creates, the same if the call is repeated after a crash. */
  resource_id: string
  /** The response; null until it exists. */
  status: number | null
  body: string | null
  created_at: string
}

export interface BatchesTable {
  /** `bat_…` */
  id: string
  account_id: string
  name: string | null
  size: number
  created_at: string
}

interface BatchRunsTable {
  batch_id: string
  position: number
  run_id: string
}

export interface SchedulesTable {
  /** `sch_…` */
  id: string
  account_id: string
  name: string | null
  slug: string
  input: string
  cron: string
  time_zone: string
  /** Whether a run that was missed while the service was stopped is started later. */
  misfire_policy: "skip" | "run_once"
  enabled: number
  /** Null while the schedule is disabled, or if the cron expression never matches again. */
  next_at: string | null
  created_at: string
  /** JSON of Conditions; null for the default conditions of the scraper. */
  conditions: string | null
  /** 1: no run is started while the previous one has not finished. */
  exclusive: Generated<number>
  /** Time until which the schedule's notifications are muted. */
  muted_until: string | null
  /** Reason why the service disabled the schedule. */
  disabled_reason: string | null
  /** Reason why its last run could not start with the input; null if it could. */
  input_error: Generated<string | null>
  /** JSON list of texts; monitors with a common tag form a group. */
  tags: Generated<string>
  /** Name of the destination that receives the items of its runs. */
  destination: Generated<string | null>
  /** Name of the session with which its runs fetch pages. */
  session: Generated<string | null>
  /** ID of the key whose limits apply; null for the account's limits only. */
  key_id: Generated<string | null>
}

/** The due times of schedules; each time is stored once. */
export interface ScheduledRunsTable {
  schedule_id: string
  due_at: string
  fired_at: string
  outcome: "started" | "skipped" | "out_of_credit" | "failed"
  /** Number of further runs that were missed with this one. */
  missed: number
  run_id: string | null
  /** Whether the run's values were compared with the earlier ones. */
  evaluated: Generated<number>
}

/** Notification channels of accounts: webhooks and other kinds. */
export interface WebhooksTable {
  /** `whk_…`; `ntf_…` for channels of another kind. */
  id: string
  account_id: string
  kind: Generated<string>
  /**
   * The URL of a webhook. For other kinds the part that may be displayed: the host, or `mailto:`
   * and email addresses.
   */
  url: string
  /** JSON list of event names. */
  events: string
  description: string | null
  /**
   * Encrypted (secret-box.ts): `whsec_…`, which signs deliveries; for other kinds, JSON of a
   * Destination.
   */
  secret: string
  /** Signs in addition to the new one until `previous_until`. */
  previous_secret: string | null
  previous_until: string | null
  disabled_at: string | null
  disabled_reason: string | null
  created_at: string
  /** Maximum messages per minute; further ones are sent in one digest. Null for no limit. */
  per_minute: number | null
  /** Credits below which it notifies; null for the default. */
  credits_below: number | null
  /** Notifies only of runs of this scraper. */
  slug: Generated<string | null>
  /** Notifies only of this run; the channel is deleted some days after the run. */
  run_id: Generated<string | null>
  /** Notifies only of runs of this schedule; the channel is deleted with the schedule. */
  schedule_id: Generated<string | null>
  /** JSON of a Template; null for the default text. */
  template: Generated<string | null>
}

/** Webhooks that receive the pages of a run as they arrive. */
export interface JobHooksTable {
  webhook_id: string
  run_id: string
  /** JSON of the format and events. */
  options: string
  /** Whether any notification was sent. */
  started: Generated<number>
  /** Position of the last item that was sent. */
  seq: Generated<number>
  idx: Generated<number>
}

export interface DeliveriesTable {
  /** `dlv_…`; sent as webhook-id, the same in each attempt. */
  id: string
  webhook_id: string
  event: string
  run_id: string | null
  /** The exact bytes that are signed and sent. */
  payload: string
  /** `gathered`: sent as part of the digest `gathered_in`. */
  state: "pending" | "delivered" | "failed" | "gathered"
  tries: number
  /** Time of the next attempt; null if there is none. */
  next_at: string | null
  created_at: string
  ended_at: string | null
  gathered_in: string | null
}

/** The last state of each value that a schedule watches. */
export interface MonitorPointsTable {
  schedule_id: string
  key: string
  /** Name for people. */
  name: string
  url: string | null
  /** JSON of a Reading. */
  reading: string
  /** JSON list of the conditions that are met. */
  holding: string
  seen_at: string
  changed_at: string | null
  /** The last change as text. */
  change: string | null
  /** JSON list of `[time, value]`, oldest first. */
  history: string
}

/** The last changes of a monitor. */
interface MonitorChangesTable {
  schedule_id: string
  at: string
  position: number
  /** JSON of a StoredChange. */
  change: string
}

/** Links to the feed of a monitor's changes. */
export interface MonitorLinksTable {
  /** `lnk_…` */
  id: string
  hash: string
  schedule_id: string
  account_id: string
  created_at: string
  expires_at: string
}

export interface DeliveryTriesTable {
  delivery_id: string
  at: string
  status: number | null
  error: string | null
  milliseconds: number
}
