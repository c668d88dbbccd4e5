/**
 * Renames columns to the words of the interface: `fetch_method`, and its value `browser-http`. Stored
 * findings and settings follow.
 */
const tables = ["targets", "kept_cookies", "health", "health_counts", "health_plan"]

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
${tables.map((table) => `ALTER TABLE ${table} RENAME COLUMN way TO fetch_method;`).join("\n")}
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
`
