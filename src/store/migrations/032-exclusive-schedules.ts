/** A schedule may leave out a run while the one before is not over. */
export const sql = `
ALTER TABLE schedules ADD COLUMN exclusive INTEGER NOT NULL DEFAULT 0;
`
