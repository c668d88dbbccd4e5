/**
 * Lengths of lists that grow without end, by account, in SQLite: counting a million rows takes 70 ms each
 * time. PostgreSQL counts the rows, because writers would wait for each other at a shared number.
 */
export const sqlite = `
CREATE TABLE list_counts (
  account_id TEXT NOT NULL,
  list TEXT NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (account_id, list)
) WITHOUT ROWID;
CREATE TRIGGER ledger_counted AFTER INSERT ON ledger BEGIN
  INSERT INTO list_counts VALUES (NEW.account_id, 'ledger', 1)
    ON CONFLICT DO UPDATE SET length = length + 1;
END;
CREATE TRIGGER runs_counted AFTER INSERT ON runs WHEN NEW.account_id IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  INSERT INTO list_counts VALUES (NEW.account_id, 'runs', 1)
    ON CONFLICT DO UPDATE SET length = length + 1;
  INSERT INTO list_counts VALUES (NEW.account_id, 'datasets', NEW.dataset_deleted_at IS NULL)
    ON CONFLICT DO UPDATE SET length = length + excluded.length;
END;
CREATE TRIGGER runs_counted_off AFTER DELETE ON runs WHEN OLD.account_id IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
  UPDATE list_counts SET length = length - (list = 'runs' OR OLD.dataset_deleted_at IS NULL)
    WHERE account_id = OLD.account_id AND list IN ('runs', 'datasets');
END;
CREATE TRIGGER runs_counted_anew AFTER UPDATE OF account_id, deleted_at, dataset_deleted_at ON runs BEGIN
  UPDATE list_counts SET length = length - (list = 'runs' OR OLD.dataset_deleted_at IS NULL)
    WHERE account_id = OLD.account_id AND list IN ('runs', 'datasets') AND OLD.deleted_at IS NULL;
  INSERT INTO list_counts
    SELECT NEW.account_id, 'runs', 1 WHERE NEW.account_id IS NOT NULL AND NEW.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET length = length + 1;
  INSERT INTO list_counts
    SELECT NEW.account_id, 'datasets', 1
    WHERE NEW.account_id IS NOT NULL AND NEW.deleted_at IS NULL AND NEW.dataset_deleted_at IS NULL
    ON CONFLICT DO UPDATE SET length = length + 1;
END;
`

/** The queue and the rate limits that processes share. */
const queue = `
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
  quota_ends_at DOUBLE PRECISION NOT NULL DEFAULT 0,
  strikes DOUBLE PRECISION NOT NULL DEFAULT 0,
  struck_at DOUBLE PRECISION NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE host_users (
  host TEXT COLLATE "C" NOT NULL,
  process_id TEXT COLLATE "C" NOT NULL,
  seen_at DOUBLE PRECISION NOT NULL,
  part BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (host, process_id)
) WITH (fillfactor = 50);
ALTER TABLE runs SET (fillfactor = 70);
ALTER TABLE accounts SET (fillfactor = 50);
ALTER TABLE usage_days SET (fillfactor = 50);
ALTER TABLE targets SET (fillfactor = 80);
`

/**
 * Items in partitions by time (postgres/partitions.ts); items_before is the first of them. In SQLite, items
 * are one table: deleted rows leave room in the file for others.
 */
const items = `
ALTER TABLE items RENAME TO items_before;
ALTER INDEX items_pkey RENAME TO items_before_pkey;
CREATE TABLE items (LIKE items_before INCLUDING ALL) PARTITION BY RANGE (run_n);
ALTER TABLE items ATTACH PARTITION items_before
  FOR VALUES FROM (MINVALUE) TO ((floor(extract(epoch FROM now()) / 86400)::bigint << 32));
`

/** Knowledge of hosts that processes share; a crash of the server may lose it. */
const hostMemory = `
CREATE UNLOGGED TABLE host_memory (
  name TEXT COLLATE "C" PRIMARY KEY,
  value TEXT NOT NULL,
  ends_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX host_memory_by_end ON host_memory (ends_at);
`

/** The last transaction of each connection that writes (postgres/commit-mark.ts). */
const commits = `
CREATE TABLE commits (
  lane TEXT COLLATE "C" PRIMARY KEY,
  n BIGINT NOT NULL,
  at DOUBLE PRECISION NOT NULL
) WITH (fillfactor = 50);
`

export const postgres = queue + items + hostMemory + commits
