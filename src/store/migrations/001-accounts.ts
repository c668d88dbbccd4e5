/** Accounts with their keys and credits; schedules, batches, webhooks and recipes; secrets and settings. */
export const sql = `
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE,
  password_hash TEXT,
  unlimited INTEGER NOT NULL DEFAULT 0,
  balance INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0),
  created_at TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT 'member',
  locked_at TEXT,
  deleted_at TEXT,
  limits TEXT
) WITHOUT ROWID;

CREATE TABLE ledger (
  n INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  at TEXT NOT NULL,
  amount INTEGER NOT NULL,
  reason TEXT NOT NULL,
  run_id TEXT,
  note TEXT
);
CREATE INDEX ledger_by_account ON ledger (account_id, n);
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_keeps_all_rows BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  expires_at TEXT,
  scopes TEXT NOT NULL DEFAULT 'run read',
  credit_limit INTEGER,
  credits_used INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX keys_by_account ON keys (account_id, id);

CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX sessions_by_account ON sessions (account_id);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO secrets (name, value) VALUES ('callers', lower(hex(randomblob(20))));
INSERT INTO secrets (name, value) VALUES ('files', lower(hex(randomblob(20))));

CREATE TABLE allowance (
  subject TEXT NOT NULL,
  day TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (subject, day)
) WITHOUT ROWID;
CREATE INDEX allowance_by_day ON allowance (day);

CREATE TABLE claims (
  claim_hash TEXT PRIMARY KEY,
  status_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id),
  delivered_at TEXT,
  address TEXT,
  agent TEXT,
  asked_for TEXT,
  refused_at TEXT,
  key_terms TEXT
) WITHOUT ROWID;
CREATE INDEX claims_by_end ON claims (expires_at);

CREATE TABLE keyless_results (
  token_hash TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  request TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX keyless_results_by_end ON keyless_results (expires_at);

CREATE TABLE idempotency (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  status INTEGER,
  body TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created_at);

CREATE TABLE planned_runs (
  run_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  slug TEXT NOT NULL,
  input TEXT NOT NULL,
  origin TEXT NOT NULL,
  key_id TEXT
) WITHOUT ROWID;

CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX batches_by_account ON batches (account_id, id);

CREATE TABLE batch_runs (
  batch_id TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  run_id TEXT NOT NULL UNIQUE,
  PRIMARY KEY (batch_id, position)
) WITHOUT ROWID;

CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT,
  slug TEXT NOT NULL,
  input TEXT NOT NULL,
  cron TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  missed TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  next_at TEXT,
  created_at TEXT NOT NULL,
  conditions TEXT,
  muted_until TEXT,
  disabled_reason TEXT
) WITHOUT ROWID;
CREATE INDEX schedules_by_account ON schedules (account_id, id);
CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE schedule_ticks (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  due_at TEXT NOT NULL,
  fired_at TEXT NOT NULL,
  outcome TEXT NOT NULL,
  missed INTEGER NOT NULL,
  run_id TEXT,
  judged INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (schedule_id, due_at)
) WITHOUT ROWID;
CREATE INDEX schedule_ticks_by_age ON schedule_ticks (fired_at);
CREATE INDEX schedule_ticks_by_run ON schedule_ticks (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX schedule_ticks_to_judge ON schedule_ticks (run_id)
  WHERE run_id IS NOT NULL AND judged = 0;

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  description TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until TEXT,
  disabled_at TEXT,
  disabled_reason TEXT,
  created_at TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'webhook',
  per_minute INTEGER,
  credits_below INTEGER,
  slug TEXT,
  run_id TEXT
) WITHOUT ROWID;
CREATE INDEX webhooks_by_account ON webhooks (account_id, id);
CREATE INDEX webhooks_by_run ON webhooks (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event TEXT NOT NULL,
  run_id TEXT,
  payload TEXT NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at TEXT,
  created_at TEXT NOT NULL,
  ended_at TEXT,
  gathered_in TEXT
) WITHOUT ROWID;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_due_by_webhook ON deliveries (webhook_id, next_at)
  WHERE next_at IS NOT NULL;

CREATE TABLE delivery_tries (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  status INTEGER,
  error TEXT,
  milliseconds INTEGER NOT NULL,
  PRIMARY KEY (delivery_id, at)
) WITHOUT ROWID;

CREATE TABLE account_links (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id),
  email TEXT,
  role TEXT NOT NULL,
  credits INTEGER,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) WITHOUT ROWID;
CREATE INDEX account_links_by_end ON account_links (expires_at);

CREATE TABLE usage_days (
  account_id TEXT NOT NULL,
  day TEXT NOT NULL,
  slug TEXT NOT NULL,
  key_id TEXT NOT NULL,
  pages INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  credits INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, slug, key_id)
) WITHOUT ROWID;
CREATE INDEX usage_days_by_day ON usage_days (day);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  sealed INTEGER NOT NULL,
  changed_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE monitor_points (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT,
  reading TEXT NOT NULL,
  holding TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  changed_at TEXT,
  change TEXT,
  history TEXT NOT NULL,
  PRIMARY KEY (schedule_id, key)
) WITHOUT ROWID;

CREATE TABLE recipes (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  pattern TEXT NOT NULL,
  input TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX recipes_by_slug ON recipes (account_id, slug);
CREATE INDEX recipes_by_change ON recipes (account_id, updated_at);

CREATE TABLE job_hooks (
  webhook_id TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  asked TEXT NOT NULL,
  begun INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL DEFAULT -1,
  idx INTEGER NOT NULL DEFAULT -1
) WITHOUT ROWID;
`
