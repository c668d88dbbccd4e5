/** Accounts with their keys, sessions, credits and usage. */
export const sql = `
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE,
  password_hash TEXT,
  unlimited INTEGER NOT NULL DEFAULT 0,
  balance INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0),
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE ledger (
  n INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  at TEXT NOT NULL,
  amount INTEGER NOT NULL,
  reason TEXT NOT NULL,
  run_id TEXT,
  note TEXT
);
CREATE INDEX ledger_by_account ON ledger (account_id, n);
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_keeps_all_rows BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE usage (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  day TEXT NOT NULL,
  slug TEXT NOT NULL,
  credits INTEGER NOT NULL DEFAULT 0,
  pages INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, slug)
) WITHOUT ROWID;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
) WITHOUT ROWID;
CREATE INDEX keys_by_account ON keys (account_id, id);

CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
`
