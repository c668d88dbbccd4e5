/** Links by which one dataset is read without a key. */
export const sql = `
CREATE TABLE dataset_links (
  id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL,
  dataset_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX dataset_links_by_hash ON dataset_links (hash);
CREATE INDEX dataset_links_by_dataset ON dataset_links (dataset_id, id);
CREATE INDEX dataset_links_by_account ON dataset_links (account_id);
CREATE INDEX dataset_links_by_end ON dataset_links (expires_at);
`
