/** The trace of the call that started a run, as W3C's traceparent. */
export const sql = `
ALTER TABLE runs ADD COLUMN trace_parent TEXT;
`
