/** Settings that owners have changed while the service ran. */
export const sql = `
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  sealed INTEGER NOT NULL,
  changed_at TEXT NOT NULL
) WITHOUT ROWID;
`
