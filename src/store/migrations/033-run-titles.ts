/** What lists call a run: given by its account, or from its schedule or first target. Older runs have none. */
export const sql = `
ALTER TABLE runs ADD COLUMN title TEXT;
`
