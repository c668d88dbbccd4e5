/** What is known of each scraper's health, by the way in, and what was counted of its targets. */
export const sql = `
CREATE TABLE health (
  slug TEXT NOT NULL,
  way TEXT NOT NULL,
  state TEXT NOT NULL,
  since TEXT NOT NULL,
  finding TEXT NOT NULL,
  source TEXT,
  failures INTEGER NOT NULL,
  latest TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  checked_at TEXT,
  usual TEXT NOT NULL,
  PRIMARY KEY (slug, way)
) WITHOUT ROWID;
CREATE TABLE health_counts (
  slug TEXT NOT NULL,
  way TEXT NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (slug, way)
) WITHOUT ROWID;
CREATE TABLE health_plan (
  slug TEXT NOT NULL,
  way TEXT NOT NULL,
  due_at TEXT NOT NULL,
  PRIMARY KEY (slug, way)
) WITHOUT ROWID;
`
