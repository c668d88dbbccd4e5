/**
 * Lists and counts of an account's runs, and what the background work looks for, by index alone: for
 * that, SQLite needs all columns that are asked about in the index, also those of its WHERE.
 */
export const sql = `
DROP INDEX runs_by_account;
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

CREATE INDEX deliveries_due_by_webhook ON deliveries (webhook_id, next_at)
  WHERE next_at IS NOT NULL;

CREATE INDEX keyless_results_by_end ON keyless_results (expires_at);
CREATE INDEX claims_by_end ON claims (expires_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX allowance_by_day ON allowance (day);

ALTER TABLE runs ADD COLUMN worked_ms INTEGER NOT NULL DEFAULT 0;
`
