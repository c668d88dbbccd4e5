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
ALTER TABLE runs SET (fillfactor = 70);
ALTER TABLE accounts SET (fillfactor = 50);
ALTER TABLE usage_days SET (fillfactor = 50);
ALTER TABLE targets SET (fillfactor = 80);
`
