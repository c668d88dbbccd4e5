/** Usage by key as well, with items and bytes; the key that a promised run is started for. */
export const sql = `
CREATE TABLE usage_days (
  account_id TEXT NOT NULL,
  day TEXT NOT NULL,
  slug TEXT NOT NULL,
  key_id TEXT NOT NULL,
  pages INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  credits INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, slug, key_id)
) WITHOUT ROWID;
CREATE INDEX usage_days_by_day ON usage_days (day);
INSERT INTO usage_days (account_id, day, slug, key_id, pages, credits)
  SELECT account_id, day, slug, '', pages, credits FROM usage;
DROP TABLE usage;

ALTER TABLE planned_runs ADD COLUMN key_id TEXT;
`
