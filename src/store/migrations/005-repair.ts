/** What 003 and 004 lacked before they were edited; databases of those days are made whole. */
export const sql = `
INSERT OR IGNORE INTO secrets (name, value) VALUES ('callers', lower(hex(randomblob(20))));
CREATE INDEX IF NOT EXISTS schedule_ticks_by_age ON schedule_ticks (fired_at);
CREATE INDEX IF NOT EXISTS deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
`
