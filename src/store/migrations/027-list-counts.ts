/** A PostgreSQL counts the rows: a number that each run changes would have its writers wait for each other. */
export const sql = `
SELECT 1;
`

/** How long lists are that grow without end, by account: to count a million rows takes 70 ms, each time. */
export const sqlite = `
CREATE TABLE list_counts (
  account_id TEXT NOT NULL,
  list TEXT NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (account_id, list)
) WITHOUT ROWID;
INSERT INTO list_counts SELECT account_id, 'runs', count(*) FROM runs
  WHERE account_id IS NOT NULL AND deleted_at IS NULL GROUP BY account_id;
INSERT INTO list_counts SELECT account_id, 'datasets', count(*) FROM runs
  WHERE account_id IS NOT NULL AND deleted_at IS NULL AND dataset_deleted_at IS NULL GROUP BY account_id;
INSERT INTO list_counts SELECT account_id, 'ledger', count(*) FROM ledger GROUP BY account_id;

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
