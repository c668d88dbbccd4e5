import type { Generated, Selectable } from "kysely"
import type { AccountTables } from "./account-tables.ts"
import type { AutomationTables } from "./automation-tables.ts"
import type { DestinationTables } from "./destination-tables.ts"
import type { HealthTables } from "./health-tables.ts"
import type { RunStatus } from "./run-status.ts"

export type RunRow = Selectable<RunsTable>

/** All tables. Times are ISO 8601 UTC texts, JSON is text, and booleans are 0 and 1. */
export interface Tables extends AccountTables, AutomationTables, DestinationTables, HealthTables {
  runs: RunsTable
  targets: TargetsTable
  items: ItemsTable
  staged_items: ItemsTable
  run_log: RunLogTable
  run_notes: RunNotesTable
  run_sources: RunSourcesTable
  files: FilesTable
  dataset_links: DatasetLinksTable
  memory: MemoryTable
  reused_cookies: StoredCookiesTable
  processes: ProcessesTable
  /** Tasks that one process at a time performs (PostgreSQL). */
  duties: { name: string }
  host_rate_limits: HostRateLimitTable
  host_users: { host: string; process_id: string; seen_at: number; part: Generated<number> }
  /** Only in SQLite. */
  list_counts: { account_id: string; list: string; length: number }
  /** Values about hosts that processes share (PostgreSQL). */
  host_memory: { name: string; value: string; ends_at: number }
  upstream_tables: { site: string; succeeded_at: string }
  /** `hash`: hash of the migration's text when it was applied (migration-hashes.ts). */
  migrations: { id: string; applied_at: string; hash: string }
}

export interface RunsTable {
  /** Numeric key by which targets and items refer to the run. */
  n: Generated<number>
  /** `run_…` */
  id: string
  /** `ds_…` */
  dataset_id: string
  slug: string
  /** The recipe that started the run, if any. */
  recipe: Generated<string | null>
  /** The dataset of an earlier run to which the run appends its items. */
  appended_to: Generated<string | null>
  /** JSON of the fields that identify an item in the dataset. */
  unique_by: Generated<string | null>
  /** Name by which later runs find the dataset; unique among the stored datasets of an account. */
  dataset_name: Generated<string | null>
  /** JSONata expression that transforms the dataset when it is read. */
  transform: Generated<string | null>
  /** Name of the account's session with which pages are fetched. */
  session: Generated<string | null>
  /** Title of the run in lists. */
  title: Generated<string | null>
  status: RunStatus
  status_message: string | null
  input: string
  /** Null for a run of an anonymous caller. */
  account_id: string | null
  /** For a check of an anonymous caller: owner of the values that the scraper remembers. */
  memory_owner: Generated<string | null>
  /**
   * The key that started the run; null for a browser session, a schedule or an anonymous caller.
   */
  key_id: string | null
  /** Origin of the run: api, keyless, mcp, schedule, batch, cli. */
  origin: string
  item_count: Generated<number>
  error_count: Generated<number>
  page_count: Generated<number>
  targets_done: Generated<number>
  targets_failed: Generated<number>
  targets_total: Generated<number>
  credits_charged: Generated<number>
  /** Number of times that a worker has claimed the run. */
  attempt: Generated<number>
  /** `targets_done` when the current attempt started. */
  done_before: Generated<number>
  /** Likelihood that the run ended its thread or process; see runs/requeue.ts. */
  suspicion: Generated<number>
  max_items: number | null
  max_pages: number | null
  /** Maximum credits of the run. */
  max_credits: Generated<number | null>
  /** Trace of the call that started the run, as W3C traceparent; null without traces. */
  trace_parent: Generated<string | null>
  timeout_seconds: number
  /** Milliseconds of earlier, interrupted attempts that count towards the timeout. */
  worked_ms: Generated<number>
  /** The limit that ended the run early: items or pages. */
  capped: string | null
  error_code: string | null
  error_message: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  /** Time of deletion: the run is hidden immediately and removed in the background. */
  deleted_at: string | null
  dataset_deleted_at: string | null
  /** The process that executes the run; null in a database of one process. */
  process_id: Generated<string | null>
  /** Time before which the run does not wait for a worker. */
  not_before: Generated<string | null>
  /** Time at which the run ends if it is still queued. */
  expires_at: Generated<string | null>
  /** Position among the queued runs of its account: see runs/priority.ts. */
  priority: Generated<number>
  /** 0 until a worker has created the targets from the input. */
  targets_known: Generated<number>
  /** Consecutive attempts that ended before the first target. */
  start_failures: Generated<number>
}

/** Shared rate limits of hosts; times in milliseconds by the database's clock. */
interface HostRateLimitTable {
  host: string
  next_at: Generated<number>
  suspended_until: Generated<number>
  suspended_for: "refused" | "slow-down" | null
  spent: Generated<number>
  quota_ends_at: Generated<number>
  /** Consecutive refusals, and the time of the last one. */
  strikes: Generated<number>
  struck_at: Generated<number>
}

/** The processes that share a database. */
interface ProcessesTable {
  id: string
  /** ID of the process's data folder, which no other process uses at the same time. */
  folder: string
  /** Milliseconds since 1970 by the database's clock. After this time, its runs are requeued. */
  alive_until: number
}

interface TargetsTable {
  run_n: number
  /** Position in the run's order, from 0. */
  seq: number
  /** Key that identifies a target; unique in the run. */
  key: string
  target: string
  /** `running` also after a crash, until the run is requeued. */
  state: Generated<"queued" | "running" | "done" | "failed">
  /** Set when the target has finished: the most capable fetch method that it needed. */
  fetch_method: Generated<string | null>
  /** Suspicion against targets that were running when a thread ended; see runs/requeue.ts. */
  suspicion: Generated<number>
}

export interface ItemsTable {
  run_n: number
  /** The target's seq. */
  seq: number
  /** Index among the target's items, from 0. */
  idx: number
  is_error: number
  body: string
}

export interface RunLogTable {
  run_n: number
  id: Generated<number>
  at: string
  level: "info" | "warning" | "error"
  message: string
}

/** Notes of running targets with which an interrupted run continues (ctx.notes). */
interface RunNotesTable {
  id: Generated<number>
  run_n: number
  /** The target's seq. */
  seq: number
  pages: number
  unlocker_pages: number
  body: string
}

/** The other columns of the file row of each value in a run's input, as JSON. */
export interface RunSourcesTable {
  run_id: string
  /** Key of the target that was created from the value. */
  key: string
  body: string
}

/** Screenshots and PDFs that runs created. */
export interface FilesTable {
  /** `file_…`; a client that knows it may read the file of a run without an account. */
  id: string
  /** Null for files of anonymous callers. */
  account_id: string | null
  run_n: number
  /** The target's seq. */
  seq: number
  /** Unique among the target's files. */
  name: string
  media_type: string
  bytes: number
  sha256: string
  /** The storage backend of the contents. */
  place: FileStorageName
  created_at: string
  /** Null: stored as long as the run. */
  expires_at: string | null
  /**
   * Time since which the file is hidden. Its contents are removed in the background, then the row.
   */
  removed_at: string | null
}

export type FileStorageName = "folder" | "s3"

/** Links to single datasets; `hash` is the SHA-256 of the link's secret. */
export interface DatasetLinksTable {
  /** `lnk_…` */
  id: string
  hash: string
  dataset_id: string
  account_id: string
  created_at: string
  expires_at: string
  /** Hash of the link's password; null if it needs none. */
  password_hash: Generated<string | null>
}

/** Cookies of anonymous visits; see runs/reused-cookies.ts. */
interface StoredCookiesTable {
  site: string
  agent: string
  fetch_method: string
  host: string
  path: string
  name: string
  value: string
  host_only: number
  secure: number
  http_only: number
  expires_at: string
  stored_at: string
}

/** Values that scrapers store between the runs of one account or agent (ctx.memory). */
interface MemoryTable {
  /**
   * The account's ID; for anonymous callers `agent:` and a hash, or "" for values that all of them
   * share.
   */
  owner: string
  slug: string
  key: string
  value: string
  updated_at: string
}
