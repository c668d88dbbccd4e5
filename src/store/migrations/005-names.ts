/**
 * Renames tables, columns and stored values to the words of the interface, for example `way` to
 * `fetch_method`. SQLite cannot rename an index, so an index with an old name is created again.
 */
const withFetchMethod = ["targets", "kept_cookies", "health", "health_counts", "health_plan"]

const columns: [table: string, before: string, after: string][] = [
  ...withFetchMethod.map((table): [string, string, string] => [table, "way", "fetch_method"]),
  ["kept_cookies", "kept_at", "stored_at"],
  ["schedule_ticks", "judged", "evaluated"],
  ["schedules", "missed", "misfire_policy"],
  ["settings", "sealed", "encrypted"],
  ["claims", "asked_for", "requested"],
  ["job_hooks", "asked", "options"],
  ["job_hooks", "begun", "started"],
]

const tables = {
  spilled_items: "staged_items",
  kept_cookies: "reused_cookies",
  schedule_ticks: "scheduled_runs",
}

const settings = {
  TRAWL_PACE: "TRAWL_HOST_RATE_LIMITS",
  TRAWL_CHECKS: "TRAWL_HEALTH_CHECKS",
  TRAWL_CHROME_FROM: "TRAWL_CHROME_DOWNLOAD_URL",
  TRAWL_KEEP_COOKIES: "TRAWL_REUSE_COOKIES",
  TRAWL_LLM_SECONDS: "TRAWL_LLM_TIMEOUT_SECONDS",
  TRAWL_KEYLESS_SECONDS: "TRAWL_KEYLESS_TIMEOUT_SECONDS",
}

const renamed = (column: string) =>
  `replace(replace(${column}, '"way":', '"fetchMethod":'), 'chrome-net', 'browser-http')`

export const sql = `
${columns.map(([table, before, after]) => `ALTER TABLE ${table} RENAME COLUMN ${before} TO ${after};`).join("\n")}
${["targets", "health", "health_counts", "health_plan"]
  .map(
    (table) =>
      `UPDATE ${table} SET fetch_method = 'browser-http' WHERE fetch_method = 'chrome-net';`,
  )
  .join("\n")}
UPDATE health SET source = 'probe' WHERE source = 'canary';
UPDATE health SET finding = ${renamed("finding")}, latest = ${renamed("latest")};
${Object.entries(settings)
  .map(([before, after]) => `UPDATE settings SET name = '${after}' WHERE name = '${before}';`)
  .join("\n")}
${Object.entries(tables)
  .map(([before, after]) => `ALTER TABLE ${before} RENAME TO ${after};`)
  .join("\n")}

DROP INDEX kept_cookies_by_end;
DROP INDEX kept_cookies_by_site;
CREATE INDEX reused_cookies_by_end ON reused_cookies (expires_at);
CREATE INDEX reused_cookies_by_site ON reused_cookies (site, stored_at);
DROP INDEX schedule_ticks_by_age;
DROP INDEX schedule_ticks_by_run;
DROP INDEX schedule_ticks_to_judge;
CREATE INDEX scheduled_runs_by_age ON scheduled_runs (fired_at);
CREATE INDEX scheduled_runs_by_run ON scheduled_runs (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX scheduled_runs_to_evaluate ON scheduled_runs (run_id)
  WHERE run_id IS NOT NULL AND evaluated = 0;
`

export const postgres = `
${Object.entries(tables)
  .map(([before, after]) => `ALTER INDEX ${before}_pkey RENAME TO ${after}_pkey;`)
  .join("\n")}
ALTER TABLE host_pace RENAME TO host_rate_limits;
ALTER INDEX host_pace_pkey RENAME TO host_rate_limits_pkey;
`
