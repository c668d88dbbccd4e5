/** Schedules within the limits of a key, and webhooks of a schedule. */
export const sql = `
ALTER TABLE schedules ADD COLUMN key_id TEXT;
ALTER TABLE webhooks ADD COLUMN schedule_id TEXT;
`
