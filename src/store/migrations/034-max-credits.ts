/** The most that one run may cost. */
export const sql = `
ALTER TABLE runs ADD COLUMN max_credits INTEGER;
`
