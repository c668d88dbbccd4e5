/** What runs note for their continuation. */
export const sql = `
CREATE TABLE run_notes (
  id INTEGER PRIMARY KEY,
  run_n INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  unlocker_pages INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX run_notes_by_run ON run_notes (run_n, seq);
`
