/**
 * Planned runs become queued runs: the worker makes their targets from the input. A queued run has a
 * priority, a time before which it does not start, and a time at which it expires. Memory of checks belongs
 * to each anonymous caller; an agent that repeats its call before its user has signed up gets the open claim.
 */
export const sql = `
ALTER TABLE runs ADD COLUMN memory_owner TEXT;
DELETE FROM memory WHERE owner = '' AND slug IN ('price-monitor', 'page-change-monitor', 'keyword-monitor');
CREATE INDEX memory_of_agents ON memory (updated_at) WHERE substr(owner, 1, 6) = 'agent:';
ALTER TABLE claims ADD COLUMN agent_hash TEXT;
ALTER TABLE claims ADD COLUMN secrets TEXT;
CREATE INDEX claims_by_agent ON claims (agent_hash) WHERE agent_hash IS NOT NULL;

ALTER TABLE runs ADD COLUMN not_before TEXT;
ALTER TABLE runs ADD COLUMN expires_at TEXT;
ALTER TABLE runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 1;
ALTER TABLE runs ADD COLUMN targets_known INTEGER NOT NULL DEFAULT 1;
ALTER TABLE runs ADD COLUMN start_failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN title TEXT;
ALTER TABLE runs ADD COLUMN max_credits INTEGER;
ALTER TABLE schedules ADD COLUMN input_error TEXT;
ALTER TABLE schedules ADD COLUMN exclusive INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_deferred ON runs (not_before) WHERE status = 'queued' AND not_before IS NOT NULL;
CREATE INDEX runs_expiring ON runs (expires_at) WHERE status = 'queued' AND expires_at IS NOT NULL;
CREATE INDEX runs_dead ON runs (finished_at) WHERE error_code IN ('crashed', 'not_started');

INSERT INTO runs (id, dataset_id, slug, recipe, status, input, account_id, key_id, origin, priority,
    targets_known, timeout_seconds, created_at)
  SELECT p.run_id, 'ds_' || substr(p.run_id, 5),
    CASE WHEN r.slug IS NULL THEN p.slug ELSE 'web-scraper' END, r.slug,
    'queued', p.input, p.account_id, p.key_id, p.origin, 2, 0, 3600,
    coalesce(
      (SELECT b.created_at FROM batch_runs AS m JOIN batches AS b ON b.id = m.batch_id WHERE m.run_id = p.run_id),
      (SELECT max(t.fired_at) FROM schedule_ticks AS t WHERE t.run_id = p.run_id),
      (SELECT max(created_at) FROM runs), '2026-01-01T00:00:00.000Z')
  FROM planned_runs AS p LEFT JOIN recipes AS r ON r.account_id = p.account_id AND r.slug = p.slug
  WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = p.run_id)
  ORDER BY p.run_id;
DROP TABLE planned_runs;
`

/** A recipe's run was planned with its pages only. */
const withRecipe = (merged: string) => `
UPDATE runs SET input = ${merged}
  WHERE targets_known = 0 AND recipe IS NOT NULL;
`
const recipe =
  "(SELECT r.input FROM recipes AS r WHERE r.account_id = runs.account_id AND r.slug = runs.recipe)"

export const sqlite = withRecipe(`json_patch(${recipe}, input)`)

export const postgres = `${withRecipe(`(${recipe}::jsonb || input::jsonb)::text`)}
DROP INDEX runs_waiting;
CREATE INDEX runs_waiting ON runs (coalesce(account_id, ''), priority, n)
  WHERE status = 'queued' AND not_before IS NULL;
`
