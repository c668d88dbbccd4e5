/** In a SQLite, items are one table: deleting them makes room within the file for others. */
export const sql = `
SELECT 1;
`

/**
 * In a PostgreSQL, items lie in parts by time (postgres/item-parts.ts). What was there before is the first
 * of them, where it lies: its rows are read once, and none is written.
 */
export const postgres = `
ALTER TABLE items RENAME TO items_before;
ALTER INDEX items_pkey RENAME TO items_before_pkey;
CREATE TABLE items (LIKE items_before INCLUDING ALL) PARTITION BY RANGE (run_n);
ALTER TABLE items ATTACH PARTITION items_before
  FOR VALUES FROM (MINVALUE) TO ((floor(extract(epoch FROM now()) / 86400)::bigint << 32));
`
