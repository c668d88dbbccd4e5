import type { Generated } from "kysely"

/** Idempotent calls, batches, schedules, monitors and channels. Times are ISO 8601 UTC; JSON is text. */
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

/** Extractions of an account by name. */
export interface RecipesTable {
  /** `rcp_…` */
  id: string
  account_id: string
  /** Unique in the account, and no scraper's of the catalogue when it was chosen. */
  slug: string
  name: string
  description: string | null
  /** The addresses that it is for. */
  pattern: string
  /** What web-scraper is given. */
  input: string
  /** Name of the destination that receives the items of its runs. */
  destination: Generated<string | null>
  /** Name of the session with which its pages are fetched. */
  session: Generated<string | null>
  created_at: string
  updated_at: string
}

/** Sessions of sites: cookies and local storage with which an account's runs fetch pages. */
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
  /** Grows with each log-in or import: runs of an earlier one change nothing. */
  revision: Generated<number>
  expired: Generated<number>
  /** Why it expired, or why its last log-in failed. */
  expired_reason: string | null
  /** When the last of its cookies ends; null if one has no end. */
  expires_at: string | null
  last_used_at: string | null
  /** Names the log-in that is running, of all processes, and when it is given up. */
  login_owner: string | null
  login_until: string | null
  created_at: string
  updated_at: string
}

export interface IdempotencyTable {
  account_id: string
  key: string
  /** SHA-256 of method, address and body. */
  fingerprint: string
  /** The id that the call gives to what it creates, also when it is repeated after a crash. */
  resource_id: string
  /** The answer, once there is one. */
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
  /** Whether a run that was missed while the service was stopped is made up for. */
  misfire_policy: "skip" | "run_once"
  enabled: number
  /** Null while disabled, or when the cron expression never matches again. */
  next_at: string | null
  created_at: string
  /** JSON of Conditions; null for those that its scraper brings along. */
  conditions: string | null
  /** 1: no run is started while the one before is not over. */
  exclusive: Generated<number>
  /** Its notifications are muted until this time. */
  muted_until: string | null
  /** Why the service switched it off. */
  disabled_reason: string | null
  /** Why its last run could not begin with the input; null once one could. */
  input_error: Generated<string | null>
  /** JSON list of texts: monitors with one in common are a group. */
  tags: Generated<string>
  /** Name of the destination that receives the items of its runs. */
  destination: Generated<string | null>
  /** Name of the session with which its runs fetch pages. */
  session: Generated<string | null>
  /** ID of the key within whose limits it runs; null for those of the account only. */
  key_id: Generated<string | null>
}

/** Each due time of a schedule, once. */
export interface ScheduledRunsTable {
  schedule_id: string
  due_at: string
  fired_at: string
  outcome: "started" | "skipped" | "out_of_credit" | "failed"
  /** Further runs that were missed with this one. */
  missed: number
  run_id: string | null
  /** Whether what its run found was compared with what was there before. */
  evaluated: Generated<number>
}

/** Notification channels of accounts: webhooks and other kinds. */
export interface WebhooksTable {
  /** `whk_…`; `ntf_…` for channels of another kind. */
  id: string
  account_id: string
  kind: Generated<string>
  /** Of other kinds than webhooks what may be shown of it: the host, or `mailto:` and addresses. */
  url: string
  /** JSON list of event names. */
  events: string
  description: string | null
  /** Encrypted (secret-box.ts): `whsec_…`, which signs deliveries; for other kinds JSON of a Destination. */
  secret: string
  /** Signs in addition to the new one until `previous_until`. */
  previous_secret: string | null
  previous_until: string | null
  disabled_at: string | null
  disabled_reason: string | null
  created_at: string
  /** Maximum messages per minute; further ones are sent in one digest. Null for no limit. */
  per_minute: number | null
  /** Notifies if fewer credits are left; null for the default. */
  credits_below: number | null
  /** Notifies only of runs of this scraper. */
  slug: Generated<string | null>
  /** Notifies only of this run, and is deleted some days after it. */
  run_id: Generated<string | null>
  /** Notifies only of runs of this schedule, and is deleted with it. */
  schedule_id: Generated<string | null>
  /** JSON of a Template; null for the default text. */
  template: Generated<string | null>
}

/** Webhooks that receive the pages of a run as they arrive. */
export interface JobHooksTable {
  webhook_id: string
  run_id: string
  /** JSON of the format and the events. */
  options: string
  /** Whether anything was sent. */
  started: Generated<number>
  /** The last item that was sent. */
  seq: Generated<number>
  idx: Generated<number>
}

export interface DeliveriesTable {
  /** `dlv_…`; sent as webhook-id, the same at each try. */
  id: string
  webhook_id: string
  event: string
  run_id: string | null
  /** The very bytes that are signed and sent. */
  payload: string
  /** `gathered`: sent as part of the digest `gathered_in`. */
  state: "pending" | "delivered" | "failed" | "gathered"
  tries: number
  /** When it is tried next; null when it has ended. */
  next_at: string | null
  created_at: string
  ended_at: string | null
  gathered_in: string | null
}

/** What one watched thing of a schedule last said. */
export interface MonitorPointsTable {
  schedule_id: string
  key: string
  /** For people. */
  name: string
  url: string | null
  /** JSON of a Reading. */
  reading: string
  /** JSON list: which conditions hold. */
  holding: string
  seen_at: string
  changed_at: string | null
  /** The last change, in words. */
  change: string | null
  /** JSON list of `[time, value]`, the oldest first. */
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
