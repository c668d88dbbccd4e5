import type { Command } from "commander"
import { secretRows, upstreamSetting } from "../catalogue/kit/index.ts"
import { upstreamTables } from "../catalogue/upstreams.ts"
import { settingRows } from "../config.ts"
import { upstreamFaults } from "../engine/upstreams/watch.ts"
import { readSettings } from "./settings.ts"
import { table } from "./table.ts"
import { configuredUpstreams } from "./upstreams.ts"

/** `trawl config`: every setting and every upstream's key, and what they are for. */
export function registerConfig(program: Command): void {
  program
    .command("config")
    .description("print the settings, which are environment variables")
    .action(() => {
      const rows = settingRows().map(({ env, fallback, description }) => [
        env,
        fallback,
        description,
      ])
      const secrets = secretRows().map(({ env, description }) => [env, description])
      console.log(table([["Variable", "Default", "Meaning"], ...rows]))
      console.log(`\n${table([["Key of an upstream", "What it is good for"], ...secrets])}`)
      const tables = upstreamTables.map(({ site, asOf, values }) => [
        upstreamSetting(site),
        asOf,
        Object.keys(values).slice(0, 4).join(", "),
      ])
      console.log(`\n${table([["Table of an upstream (JSON)", "As of", "Values"], ...tables])}`)
      const faults = upstreamFaults(configuredUpstreams(readSettings()), upstreamTables)
      for (const fault of faults) console.error(fault)
      if (faults.length > 0) process.exitCode = 1
    })
}
