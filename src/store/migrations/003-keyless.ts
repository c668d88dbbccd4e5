/** What keyless callers leave: their allowance, claims for an account, results to fetch later. */
export const sql = `
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO secrets (name, value) VALUES ('callers', lower(hex(randomblob(20))));

CREATE TABLE allowance (
  subject TEXT NOT NULL,
  day TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (subject, day)
) WITHOUT ROWID;

CREATE TABLE claims (
  claim_hash TEXT PRIMARY KEY,
  status_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id),
  delivered_at TEXT
) WITHOUT ROWID;

CREATE TABLE keyless_results (
  token_hash TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  request TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
`
