/** Idempotent calls, batches, schedules, webhooks; and runs and datasets that were deleted. */
export const sql = `
ALTER TABLE runs ADD COLUMN deleted_at TEXT;
ALTER TABLE runs ADD COLUMN dataset_deleted_at TEXT;
CREATE INDEX runs_deleted ON runs (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX runs_dataset_deleted ON runs (dataset_deleted_at) WHERE dataset_deleted_at IS NOT NULL;

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
  origin TEXT NOT NULL
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
  created_at TEXT NOT NULL
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
  PRIMARY KEY (schedule_id, due_at)
) WITHOUT ROWID;
CREATE INDEX schedule_ticks_by_age ON schedule_ticks (fired_at);

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
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX webhooks_by_account ON webhooks (account_id, id);

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
  ended_at TEXT
) WITHOUT ROWID;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE delivery_tries (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  status INTEGER,
  error TEXT,
  milliseconds INTEGER NOT NULL,
  PRIMARY KEY (delivery_id, at)
) WITHOUT ROWID;
`
