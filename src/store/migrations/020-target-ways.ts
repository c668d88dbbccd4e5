/** By which way in each target was got. */
export const sql = `
ALTER TABLE targets ADD COLUMN way TEXT;
`
