/** Extractions of accounts by name, and which of them a run was of. */
export const sql = `
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

ALTER TABLE runs ADD COLUMN recipe TEXT;
CREATE INDEX runs_by_account_recipe ON runs (account_id, recipe, n, created_at, status, deleted_at)
  WHERE deleted_at IS NULL AND recipe IS NOT NULL;
`
