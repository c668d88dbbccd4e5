/** What one process sends at once it counts by itself. */
export const sql = `
SELECT 1;
`

/** Of the requests that a host takes at once, those that are a process's; and refusals in a row. */
export const postgres = `
ALTER TABLE host_users ADD COLUMN part BIGINT NOT NULL DEFAULT 0;
ALTER TABLE host_pace ADD COLUMN strikes DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE host_pace ADD COLUMN struck_at DOUBLE PRECISION NOT NULL DEFAULT 0;
`
