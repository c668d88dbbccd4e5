/** Webhooks of one scraper, or of one run; and those that are told of each page of it. */
export const sql = `
ALTER TABLE webhooks ADD COLUMN slug TEXT;
ALTER TABLE webhooks ADD COLUMN run_id TEXT;
CREATE INDEX webhooks_by_run ON webhooks (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE job_hooks (
  webhook_id TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  asked TEXT NOT NULL,
  begun INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL DEFAULT -1,
  idx INTEGER NOT NULL DEFAULT -1
) WITHOUT ROWID;
`
