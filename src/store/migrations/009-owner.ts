/** Who operates the service, links that let somebody in, and keys that may not do everything. */
export const sql = `
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'member';
ALTER TABLE accounts ADD COLUMN locked_at TEXT;
ALTER TABLE accounts ADD COLUMN deleted_at TEXT;
ALTER TABLE accounts ADD COLUMN limits TEXT;

CREATE TABLE account_links (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id),
  email TEXT,
  role TEXT NOT NULL,
  credits INTEGER,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) WITHOUT ROWID;
CREATE INDEX account_links_by_end ON account_links (expires_at);
CREATE INDEX sessions_by_account ON sessions (account_id);

ALTER TABLE keys ADD COLUMN expires_at TEXT;
ALTER TABLE keys ADD COLUMN scopes TEXT NOT NULL DEFAULT 'run read';
ALTER TABLE keys ADD COLUMN credit_limit INTEGER;
ALTER TABLE keys ADD COLUMN credits_used INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN key_id TEXT;

ALTER TABLE claims ADD COLUMN address TEXT;
ALTER TABLE claims ADD COLUMN agent TEXT;
ALTER TABLE claims ADD COLUMN asked_for TEXT;
ALTER TABLE claims ADD COLUMN refused_at TEXT;
ALTER TABLE claims ADD COLUMN key_terms TEXT;
`
