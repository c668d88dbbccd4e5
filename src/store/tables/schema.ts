import type { Generated, Selectable } from "kysely"
import type { AccountTables } from "./account-tables.ts"
import type { AutomationTables } from "./automation-tables.ts"
import type { DestinationTables } from "./destination-tables.ts"
import type { HealthTables } from "./health-tables.ts"
import type { RunStatus } from "./run-status.ts"

export type RunRow = Selectable<RunsTable>

/** Times are ISO 8601 UTC texts; JSON is text; truth values are 0 and 1. */
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
  /** What one process at a time does (PostgreSQL). */
  duties: { name: string }
  host_rate_limits: HostRateLimitTable
  host_users: { host: string; process_id: string; seen_at: number; part: Generated<number> }
  /** Only in SQLite. */
  list_counts: { account_id: string; list: string; length: number }
  /** Knowledge of hosts that processes share (PostgreSQL). */
  host_memory: { name: string; value: string; ends_at: number }
  upstream_tables: { site: string; succeeded_at: string }
  /** `hash`: of the migration's text as it was applied (migration-hashes.ts). */
  migrations: { id: string; applied_at: string; hash: string }
}

export interface RunsTable {
  /** Small key by which targets and items refer to the run. */
  n: Generated<number>
  /** `run_…` */
  id: string
  /** `ds_…` */
  dataset_id: string
  slug: string
  /** The recipe that started the run, if any. */
  recipe: Generated<string | null>
  /** The dataset of an earlier run, in which its items go on. */
  appended_to: Generated<string | null>
  /** Fields by which an item is known again in its dataset: JSON. */
  unique_by: Generated<string | null>
  /** Of its dataset, by which later runs find it; unique among those of an account that are kept. */
  dataset_name: Generated<string | null>
  /** JSONata by which its dataset is read. */
  transform: Generated<string | null>
  /** Name of the account's session with which pages are fetched. */
  session: Generated<string | null>
  /** What lists call it. */
  title: Generated<string | null>
  status: RunStatus
  status_message: string | null
  input: string
  /** Null for a keyless caller's run. */
  account_id: string | null
  /** Of an anonymous caller's check: under which owner the scraper remembers. */
  memory_owner: Generated<string | null>
  /** The key by which it was started; null for a browser, a schedule, a keyless caller. */
  key_id: string | null
  /** Where the run came from: api, keyless, mcp, schedule, batch, cli. */
  origin: string
  item_count: Generated<number>
  error_count: Generated<number>
  page_count: Generated<number>
  targets_done: Generated<number>
  targets_failed: Generated<number>
  targets_total: Generated<number>
  credits_charged: Generated<number>
  /** Times that a worker has taken the run up. */
  attempt: Generated<number>
  /** `targets_done` when the present attempt began. */
  done_before: Generated<number>
  /** How likely the run is what ended its thread or process; see runs/requeue.ts. */
  suspicion: Generated<number>
  max_items: number | null
  max_pages: number | null
  /** Credits that it may cost in all. */
  max_credits: Generated<number | null>
  /** Of the call that started it, as W3C's traceparent; null without traces. */
  trace_parent: Generated<string | null>
  timeout_seconds: number
  /** Milliseconds of earlier attempts that count towards the timeout: those that had to make room. */
  worked_ms: Generated<number>
  /** items or pages: the cap that ended the run early. */
  capped: string | null
  error_code: string | null
  error_message: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  /** Deleted by its owner: hidden at once, removed in the background. */
  deleted_at: string | null
  dataset_deleted_at: string | null
  /** Which of the processes that share the database executes it; null in a database of one process. */
  process_id: Generated<string | null>
  /** It waits for this time before it waits for a worker. */
  not_before: Generated<string | null>
  /** The time at which a run that is still queued ends. */
  expires_at: Generated<string | null>
  /** Its place among the queued runs of its account: see runs/priority.ts. */
  priority: Generated<number>
  /** 0 until a worker has made its targets from its input. */
  targets_known: Generated<number>
  /** Attempts in a row that ended before its first target. */
  start_failures: Generated<number>
}

/** How processes that share a database ask a host; times in milliseconds by its clock. */
interface HostRateLimitTable {
  host: string
  next_at: Generated<number>
  suspended_until: Generated<number>
  suspended_for: "refused" | "slow-down" | null
  spent: Generated<number>
  quota_ends_at: Generated<number>
  /** Refusals in a row, and when the last one was. */
  strikes: Generated<number>
  struck_at: Generated<number>
}

/** The processes that share a database. */
interface ProcessesTable {
  id: string
  /** Names the process's data folder, which no other uses at the same time. */
  folder: string
  /** Milliseconds since 1970 by the database's clock; what it executes is taken over then. */
  alive_until: number
}

interface TargetsTable {
  run_n: number
  /** Place in the run's order, from 0. */
  seq: number
  /** By which a target is known; unique in the run. */
  key: string
  target: string
  /** `running` also after a crash, until the run is requeued. */
  state: Generated<"queued" | "running" | "done" | "failed">
  /** The most capable fetch method that it needed, once it has finished. */
  fetch_method: Generated<string | null>
  /** Suspicion against targets that were running when a thread ended; see runs/requeue.ts. */
  suspicion: Generated<number>
}

export interface ItemsTable {
  run_n: number
  /** The target's seq. */
  seq: number
  /** Place among the target's items, from 0. */
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

/** Notes of running targets for the run's continuation (ctx.notes). */
interface RunNotesTable {
  id: Generated<number>
  run_n: number
  /** The target's seq. */
  seq: number
  pages: number
  unlocker_pages: number
  body: string
}

/** The other columns of the row of each value in a run's input, as JSON. */
export interface RunSourcesTable {
  run_id: string
  /** By which the run knows the target that the value became. */
  key: string
  body: string
}

/** Files that runs made of pages: screenshots and PDFs. */
export interface FilesTable {
  /** `file_…`; a client that knows it may read the file of a run without an account. */
  id: string
  /** Null for a keyless caller's. */
  account_id: string | null
  run_n: number
  /** The target's seq. */
  seq: number
  /** Unique among the target's. */
  name: string
  media_type: string
  bytes: number
  sha256: string
  /** The storage backend of the contents. */
  place: FileStorageName
  created_at: string
  /** Null: as long as the run. */
  expires_at: string | null
  /** Hidden; the contents are removed in the background, then the row. */
  removed_at: string | null
}

export type FileStorageName = "folder" | "s3"

/** Links by which one dataset can be read; `hash` is the SHA-256 of the link's secret. */
export interface DatasetLinksTable {
  /** `lnk_…` */
  id: string
  hash: string
  dataset_id: string
  account_id: string
  created_at: string
  expires_at: string
  /** Of the password that it needs; null for none. */
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

/** What scrapers keep between the runs of one account or agent (ctx.memory). */
interface MemoryTable {
  /** The account's ID; for anonymous callers `agent:` and a hash, or "" for what all of them may share. */
  owner: string
  slug: string
  key: string
  value: string
  updated_at: string
}
