/** Channels beside webhooks, conditions on schedules, and what the watched things last said. */
export const sql = `
ALTER TABLE webhooks ADD COLUMN kind TEXT NOT NULL DEFAULT 'webhook';
ALTER TABLE webhooks ADD COLUMN per_minute INTEGER;
ALTER TABLE webhooks ADD COLUMN credits_below INTEGER;
ALTER TABLE deliveries ADD COLUMN gathered_in TEXT;

ALTER TABLE schedules ADD COLUMN conditions TEXT;
ALTER TABLE schedules ADD COLUMN muted_until TEXT;
ALTER TABLE schedules ADD COLUMN disabled_reason TEXT;
ALTER TABLE schedule_ticks ADD COLUMN judged INTEGER NOT NULL DEFAULT 0;
UPDATE schedule_ticks SET judged = 1;
CREATE INDEX schedule_ticks_by_run ON schedule_ticks (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX schedule_ticks_to_judge ON schedule_ticks (run_id)
  WHERE run_id IS NOT NULL AND judged = 0;

CREATE TABLE monitor_points (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT,
  reading TEXT NOT NULL,
  holding TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  changed_at TEXT,
  change TEXT,
  history TEXT NOT NULL,
  PRIMARY KEY (schedule_id, key)
) WITHOUT ROWID;
`
