/** When a target last succeeded with the table of a site's rotating values. */
export const sql = `
CREATE TABLE upstream_tables (
  site TEXT PRIMARY KEY,
  succeeded_at TEXT NOT NULL
) WITHOUT ROWID;
`
