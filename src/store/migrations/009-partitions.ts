/**
 * Runs that an earlier version requeued get the message of this version, by which metrics know the cause.
 */
const messages = {
  "Waiting to go on after a restart.": "Waiting to continue after a restart.",
  "Waiting to go on: others have their turn.":
    "Waiting to continue: other runs have their time slice.",
  "Waiting to go on after a crash of its worker.":
    "Waiting to continue after a crash of its worker.",
  "Waiting to go on: the database has lost some of it.":
    "Waiting to continue: the database has lost a part of the results.",
  "Waiting to go on after an unexpected end of the service.":
    "Waiting to continue after an unexpected end of the service.",
}

export const sql = Object.entries(messages)
  .map(
    ([before, after]) =>
      `UPDATE runs SET status_message = '${after}' WHERE status = 'queued' AND status_message = '${before}';`,
  )
  .join("\n")

/**
 * Targets and log lines in partitions by time, like items (postgres/partitions.ts). Earlier rows stay where
 * they are, as the first partition. If there are runs, processes of the version before may still use the
 * database, and create partitions of items only: the second partition is open for them for a month. IDs of
 * log lines come from a sequence, because an identity column cannot be partitioned.
 */
export const postgres = `
ALTER TABLE targets RENAME TO targets_before;
ALTER INDEX targets_pkey RENAME TO targets_before_pkey;
ALTER INDEX targets_by_key RENAME TO targets_before_by_key;
CREATE TABLE targets (LIKE targets_before INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (run_n);
ALTER TABLE targets ADD PRIMARY KEY (run_n, seq);
CREATE UNIQUE INDEX targets_by_key ON targets (run_n, key);

ALTER TABLE run_log RENAME TO run_log_before;
ALTER INDEX run_log_pkey RENAME TO run_log_before_pkey;
ALTER INDEX run_log_by_run RENAME TO run_log_before_by_run;
ALTER TABLE run_log_before ALTER COLUMN id DROP IDENTITY;
CREATE TABLE run_log (LIKE run_log_before INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (run_n);
CREATE INDEX run_log_by_run ON run_log (run_n, id);
CREATE SEQUENCE run_log_id_seq OWNED BY run_log.id;
ALTER TABLE run_log ALTER COLUMN id SET DEFAULT nextval('run_log_id_seq');
SELECT setval('run_log_id_seq', (SELECT coalesce(max(id), 0) + 1 FROM run_log_before), false);

DO $$
DECLARE
  first bigint := floor(extract(epoch FROM now()) / 86400);
  name text;
  is_used boolean := EXISTS (SELECT FROM runs);
BEGIN
  IF is_used THEN
    first := 1 + greatest(first, (SELECT max(n) >> 32 FROM runs),
      pg_sequence_last_value(pg_get_serial_sequence('runs', 'n')::regclass) >> 32);
  END IF;
  FOREACH name IN ARRAY ARRAY['targets', 'run_log'] LOOP
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)',
      name, name || '_before', first << 32);
    IF is_used THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s) WITH (fillfactor = %s)',
        name || to_char(to_timestamp(first * 86400) AT TIME ZONE 'UTC', '_YYYYMMDD'), name,
        first << 32, (first + 31) << 32, CASE name WHEN 'targets' THEN 80 ELSE 100 END);
    END IF;
  END LOOP;
END $$;
`
