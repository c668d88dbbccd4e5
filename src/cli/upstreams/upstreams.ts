import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { nearest } from "../../base/nearest.ts"
import { tableAgeDays, type UpstreamTable, upstreamSetting } from "../../catalogue/kit/index.ts"
import { upstreamTables } from "../../catalogue/site-constants.ts"
import type { Config } from "../../config/config.ts"
import { overridesName } from "../../engine/fetch/site-constants/overrides-file.ts"
import type { Upstreams } from "../../engine/fetch/site-constants/site-constants.ts"
import { upstreamIssues } from "../../engine/fetch/site-constants/watch.ts"
import { databasePath } from "../../store/upkeep/data-folder.ts"
import { readSettings } from "../common/settings.ts"
import { table } from "../common/table.ts"
import { configuredUpstreams } from "./configured.ts"
import { registerUpdate } from "./update.ts"

/** `trawl upstreams [site]`: what rotates with sites' builds, as it is in force here. */
export function registerUpstreams(program: Command): void {
  const command = program
    .command("upstreams")
    .description(
      "Print the site constants and their overrides, for example: trawl upstreams instagram",
    )
    .argument("[site]")
    .action((site: string | undefined) => {
      const config = readSettings()
      const upstreams = configuredUpstreams(config)
      if (site === undefined) {
        console.log(allTables(config, upstreams))
      } else {
        const table = upstreamTables.find((upstream) => upstream.site === site)
        if (!table) return refuse(site)
        console.log(oneTable(config, upstreams, table))
      }
      const issues = upstreamIssues(upstreams, upstreamTables)
      for (const issue of issues) console.error(issue)
      if (issues.length > 0) process.exitCode = 1
    })
  registerUpdate(command)
}

function refuse(site: string): void {
  const sites = upstreamTables.map((upstream) => upstream.site)
  const near = nearest(site, sites)
  console.error(
    `Unknown site "${site}"; ${near ? `did you mean ${near}?` : `known sites are ${sites.join(", ")}.`}`,
  )
  process.exitCode = 2
}

function allTables(config: Config, upstreams: Upstreams): string {
  const successes = lastSuccesses(config.dataDir)
  const rows = upstreamTables.map((upstream) => {
    const origins = Object.values(upstreams.table(upstream).origins)
    const own = [...new Set(origins)].join(" and ")
    const from = origins.length > 0 ? `${origins.length} from ${own}` : "compiled"
    return [
      upstream.site,
      upstream.asOf,
      age(upstream),
      from,
      successes.get(upstream.site) ?? "never",
    ]
  })
  const head = ["Site", "As of", "Age", "Values", "Last success"]
  return `${table([head, ...rows])}\n\n${howTo(config)}`
}

function oneTable(config: Config, upstreams: Upstreams, upstream: UpstreamTable): string {
  const { values, origins } = upstreams.table(upstream)
  const success = lastSuccesses(config.dataDir).get(upstream.site) ?? "never"
  const rows = leaves(values).map(([path, value]) => [
    path,
    origins[path] ?? "compiled",
    JSON.stringify(value),
  ])
  return [
    `${upstream.site}, as of ${upstream.asOf} (${age(upstream)}); last success: ${success}`,
    table([["Value", "From", "In force"], ...rows]),
    howTo(config, upstream.site),
  ].join("\n\n")
}

function howTo({ dataDir }: Config, site = "x"): string {
  const path = join(dataDir, overridesName)
  return `Override values in ${path}, as {"${site}": {"name": "value"}}, or by ${upstreamSetting(site)}; the setting wins.`
}

/** The values of a table by their paths; a list is one value. */
function leaves(group: object, path = ""): [string, unknown][] {
  return Object.entries(group).flatMap(([name, value]): [string, unknown][] => {
    const inside = path ? `${path}.${name}` : name
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value)
    return isGroup ? leaves(value, inside) : [[inside, value]]
  })
}

const age = (table: UpstreamTable) => `${tableAgeDays(table, new Date())} days`

/** Returns the last successes from the database of the service, if it exists. */
function lastSuccesses(dataDir: string): Map<string, string> {
  const path = databasePath(dataDir)
  if (!existsSync(path)) return new Map()
  const sqlite = new Database(path, { readonly: true })
  try {
    const rows = sqlite.query("SELECT site, succeeded_at FROM upstream_tables").all()
    return new Map(
      (rows as { site: string; succeeded_at: string }[]).map((row) => [row.site, row.succeeded_at]),
    )
  } catch {
    // A database of an earlier version does not have the table yet.
    return new Map()
  } finally {
    sqlite.close()
  }
}
