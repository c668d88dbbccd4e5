/** Sessions of sites, with which an account's runs fetch pages behind a log-in. */
export const sql = `
CREATE TABLE site_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  hosts TEXT NOT NULL,
  state TEXT,
  login TEXT,
  revision INTEGER NOT NULL DEFAULT 1,
  expired INTEGER NOT NULL DEFAULT 0,
  expired_reason TEXT,
  expires_at TEXT,
  last_used_at TEXT,
  login_owner TEXT,
  login_until TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX site_sessions_by_name ON site_sessions (account_id, name);

ALTER TABLE runs ADD COLUMN session TEXT;
ALTER TABLE schedules ADD COLUMN session TEXT;
ALTER TABLE recipes ADD COLUMN session TEXT;
`
