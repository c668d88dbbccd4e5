/** Runs whose items go on in the dataset of an earlier one, and by what an item is known again there. */
export const sql = `
ALTER TABLE runs ADD COLUMN appended_to TEXT;
ALTER TABLE runs ADD COLUMN unique_by TEXT;
CREATE INDEX runs_appended ON runs (appended_to, n) WHERE appended_to IS NOT NULL;
`
