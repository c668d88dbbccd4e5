/** Cookies of anonymous visits, kept from one run to the next. */
export const sql = `
CREATE TABLE kept_cookies (
  site TEXT NOT NULL,
  agent TEXT NOT NULL,
  way TEXT NOT NULL,
  host TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  host_only INTEGER NOT NULL,
  secure INTEGER NOT NULL,
  http_only INTEGER NOT NULL,
  expires_at TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  PRIMARY KEY (site, agent, way, host, path, name)
) WITHOUT ROWID;
CREATE INDEX kept_cookies_by_end ON kept_cookies (expires_at);
CREATE INDEX kept_cookies_by_site ON kept_cookies (site, kept_at);
`
