/** Files that runs made of pages: pictures and prints. Their contents lie elsewhere (engine/files). */
export const sql = `
CREATE TABLE files (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT,
  run_n INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  place TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  removed_at TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX files_by_run ON files (run_n, seq, name) WHERE removed_at IS NULL;
CREATE INDEX files_by_account ON files (account_id, bytes) WHERE removed_at IS NULL;
CREATE INDEX files_expiring ON files (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX files_removed ON files (removed_at) WHERE removed_at IS NOT NULL;
INSERT INTO secrets (name, value) VALUES ('files', lower(hex(randomblob(20))));
`
