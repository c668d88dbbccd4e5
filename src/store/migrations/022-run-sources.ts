/** What callers gave beside each value of a run's input: the rest of its row. */
export const sql = `
CREATE TABLE run_sources (
  run_id TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run_id, key)
) WITHOUT ROWID;
`
