/** Destinations of accounts, and what of each run they have received. */
export const sql = `
CREATE TABLE destinations (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  secret TEXT NOT NULL,
  timing TEXT NOT NULL,
  scraper TEXT,
  schedule_id TEXT,
  disabled_at TEXT,
  lease TEXT,
  lease_until TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  retry_at TEXT,
  delivered_at TEXT,
  failed_at TEXT,
  error TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX destinations_by_name ON destinations (account_id, name);

CREATE TABLE run_deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  destination_id TEXT NOT NULL REFERENCES destinations (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  pass INTEGER NOT NULL DEFAULT 0,
  settled TEXT,
  state TEXT NOT NULL,
  seq INTEGER NOT NULL DEFAULT -1,
  idx INTEGER NOT NULL DEFAULT -1,
  planned TEXT,
  parts INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  seen INTEGER NOT NULL DEFAULT -1,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at TEXT,
  error TEXT,
  notes TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL,
  sent_at TEXT,
  ended_at TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX run_deliveries_once ON run_deliveries (destination_id, run_id, pass);
CREATE INDEX run_deliveries_by_run ON run_deliveries (run_id);
CREATE INDEX run_deliveries_waiting ON run_deliveries (id) WHERE state = 'waiting';
CREATE INDEX run_deliveries_by_state ON run_deliveries (destination_id, state, id);
CREATE INDEX run_deliveries_ended ON run_deliveries (ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE schedules ADD COLUMN destination TEXT;
ALTER TABLE recipes ADD COLUMN destination TEXT;
`
