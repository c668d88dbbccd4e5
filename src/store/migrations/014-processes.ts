/** Which of the processes that share a database executes a run. */
export const sql = `
ALTER TABLE runs ADD COLUMN process_id TEXT;
CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  folder TEXT NOT NULL,
  alive_until INTEGER NOT NULL
) WITHOUT ROWID;
`

/** What one process by itself looks for in its memory. */
export const postgres = `
CREATE INDEX runs_waiting ON runs (coalesce(account_id, ''), n) WHERE status = 'queued';
CREATE INDEX runs_by_process ON runs (process_id) WHERE process_id IS NOT NULL;
CREATE TABLE duties (name TEXT COLLATE "C" PRIMARY KEY);
INSERT INTO duties (name) VALUES ('purge');
CREATE UNLOGGED TABLE host_pace (
  host TEXT COLLATE "C" PRIMARY KEY,
  next_at DOUBLE PRECISION NOT NULL DEFAULT 0,
  suspended_until DOUBLE PRECISION NOT NULL DEFAULT 0,
  suspended_for TEXT,
  spent BIGINT NOT NULL DEFAULT 0,
  quota_ends_at DOUBLE PRECISION NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE host_users (
  host TEXT COLLATE "C" NOT NULL,
  process_id TEXT COLLATE "C" NOT NULL,
  seen_at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (host, process_id)
) WITH (fillfactor = 50);
ALTER TABLE runs SET (fillfactor = 70);
ALTER TABLE accounts SET (fillfactor = 50);
ALTER TABLE usage_days SET (fillfactor = 50);
ALTER TABLE targets SET (fillfactor = 80);
`
