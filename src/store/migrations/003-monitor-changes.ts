/** Changes of monitors, links to their feeds, tags, passwords of shared links, templates of messages. */
export const sql = `
ALTER TABLE schedules ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE dataset_links ADD COLUMN password_hash TEXT;
ALTER TABLE webhooks ADD COLUMN template TEXT;

CREATE TABLE monitor_changes (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  position INTEGER NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (schedule_id, at, position)
) WITHOUT ROWID;

CREATE TABLE monitor_links (
  id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL,
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX monitor_links_by_hash ON monitor_links (hash);
CREATE INDEX monitor_links_by_schedule ON monitor_links (schedule_id);
CREATE INDEX monitor_links_by_account ON monitor_links (account_id);
CREATE INDEX monitor_links_by_end ON monitor_links (expires_at);
`
