/** Runs and all that belongs to them; the memory, cookies and health of scrapers; processes. */
export const sql = `
CREATE TABLE runs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  dataset_id TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL,
  status TEXT NOT NULL,
  status_message TEXT,
  input TEXT NOT NULL,
  account_id TEXT,
  origin TEXT NOT NULL,
  item_count INTEGER NOT NULL DEFAULT 0,
  error_count INTEGER NOT NULL DEFAULT 0,
  page_count INTEGER NOT NULL DEFAULT 0,
  targets_done INTEGER NOT NULL DEFAULT 0,
  targets_failed INTEGER NOT NULL DEFAULT 0,
  targets_total INTEGER NOT NULL DEFAULT 0,
  credits_charged INTEGER NOT NULL DEFAULT 0,
  attempt INTEGER NOT NULL DEFAULT 0,
  done_before INTEGER NOT NULL DEFAULT 0,
  suspicion INTEGER NOT NULL DEFAULT 0,
  max_items INTEGER,
  max_pages INTEGER,
  timeout_seconds INTEGER NOT NULL,
  capped TEXT,
  error_code TEXT,
  error_message TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  deleted_at TEXT,
  dataset_deleted_at TEXT,
  worked_ms INTEGER NOT NULL DEFAULT 0,
  key_id TEXT,
  process_id TEXT,
  recipe TEXT,
  appended_to TEXT,
  unique_by TEXT,
  dataset_name TEXT,
  transform TEXT
);
CREATE INDEX runs_by_status ON runs (status, n);
CREATE INDEX runs_by_end ON runs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX runs_deleted ON runs (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX runs_dataset_deleted ON runs (dataset_deleted_at) WHERE dataset_deleted_at IS NOT NULL;
CREATE INDEX runs_by_account ON runs (account_id, n, created_at, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX runs_by_account_status ON runs (account_id, status, n, created_at, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX runs_by_account_slug ON runs (account_id, slug, n, created_at, status, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX runs_with_dataset ON runs (account_id, n, deleted_at, dataset_deleted_at)
  WHERE deleted_at IS NULL AND dataset_deleted_at IS NULL;
CREATE INDEX runs_keyless_ended ON runs (finished_at)
  WHERE account_id IS NULL AND finished_at IS NOT NULL;
CREATE INDEX runs_by_account_recipe ON runs (account_id, recipe, n, created_at, status, deleted_at)
  WHERE deleted_at IS NULL AND recipe IS NOT NULL;
CREATE INDEX runs_appended ON runs (appended_to, n) WHERE appended_to IS NOT NULL;
CREATE UNIQUE INDEX runs_dataset_name ON runs (account_id, dataset_name)
  WHERE dataset_name IS NOT NULL AND deleted_at IS NULL AND dataset_deleted_at IS NULL;

CREATE TABLE targets (
  run_n INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  target TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  suspicion INTEGER NOT NULL DEFAULT 0,
  way TEXT,
  PRIMARY KEY (run_n, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX targets_by_key ON targets (run_n, key);

CREATE TABLE items (
  run_n INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  is_error INTEGER NOT NULL DEFAULT 0,
  body TEXT NOT NULL,
  PRIMARY KEY (run_n, seq, idx)
) WITHOUT ROWID;

CREATE TABLE spilled_items (
  run_n INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  is_error INTEGER NOT NULL DEFAULT 0,
  body TEXT NOT NULL,
  PRIMARY KEY (run_n, seq, idx)
) WITHOUT ROWID;

CREATE TABLE run_log (
  id INTEGER PRIMARY KEY,
  run_n INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  at TEXT NOT NULL,
  level TEXT NOT NULL,
  message TEXT NOT NULL
);
CREATE INDEX run_log_by_run ON run_log (run_n, id);

CREATE TABLE run_notes (
  id INTEGER PRIMARY KEY,
  run_n INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  unlocker_pages INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX run_notes_by_run ON run_notes (run_n, seq);

CREATE TABLE run_sources (
  run_id TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run_id, key)
) WITHOUT ROWID;

CREATE TABLE files (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT,
  run_n INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  place TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  removed_at TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX files_by_run ON files (run_n, seq, name) WHERE removed_at IS NULL;
CREATE INDEX files_by_account ON files (account_id, bytes) WHERE removed_at IS NULL;
CREATE INDEX files_expiring ON files (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX files_removed ON files (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE dataset_links (
  id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL,
  dataset_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX dataset_links_by_hash ON dataset_links (hash);
CREATE INDEX dataset_links_by_dataset ON dataset_links (dataset_id, id);
CREATE INDEX dataset_links_by_account ON dataset_links (account_id);
CREATE INDEX dataset_links_by_end ON dataset_links (expires_at);

CREATE TABLE memory (
  owner TEXT NOT NULL,
  slug TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (owner, slug, key)
) WITHOUT ROWID;

CREATE TABLE kept_cookies (
  site TEXT NOT NULL,
  agent TEXT NOT NULL,
  way TEXT NOT NULL,
  host TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  host_only INTEGER NOT NULL,
  secure INTEGER NOT NULL,
  http_only INTEGER NOT NULL,
  expires_at TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  PRIMARY KEY (site, agent, way, host, path, name)
) WITHOUT ROWID;
CREATE INDEX kept_cookies_by_end ON kept_cookies (expires_at);
CREATE INDEX kept_cookies_by_site ON kept_cookies (site, kept_at);

CREATE TABLE upstream_tables (
  site TEXT PRIMARY KEY,
  succeeded_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  folder TEXT NOT NULL,
  alive_until INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE health (
  slug TEXT NOT NULL,
  way TEXT NOT NULL,
  state TEXT NOT NULL,
  since TEXT NOT NULL,
  finding TEXT NOT NULL,
  source TEXT,
  failures INTEGER NOT NULL,
  latest TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  checked_at TEXT,
  usual TEXT NOT NULL,
  PRIMARY KEY (slug, way)
) WITHOUT ROWID;

CREATE TABLE health_counts (
  slug TEXT NOT NULL,
  way TEXT NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (slug, way)
) WITHOUT ROWID;

CREATE TABLE health_plan (
  slug TEXT NOT NULL,
  way TEXT NOT NULL,
  due_at TEXT NOT NULL,
  PRIMARY KEY (slug, way)
) WITHOUT ROWID;

CREATE TABLE health_days (
  slug TEXT NOT NULL,
  day TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (slug, day)
) WITHOUT ROWID;
`
