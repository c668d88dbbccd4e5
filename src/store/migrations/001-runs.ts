/** Runs, their frontier, items and log; and what scrapers remember. */
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
  finished_at TEXT
);
CREATE INDEX runs_by_status ON runs (status, n);
CREATE INDEX runs_by_account ON runs (account_id, n);
CREATE INDEX runs_by_end ON runs (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE targets (
  run_n INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  target TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  suspicion INTEGER NOT NULL DEFAULT 0,
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

CREATE TABLE memory (
  owner TEXT NOT NULL,
  slug TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (owner, slug, key)
) WITHOUT ROWID;
`
