import type { Command } from "commander"
import type { Setting } from "../api/admin/settings.ts"
import { upstreamSetting } from "../catalogue/kit/index.ts"
import { upstreamTables } from "../catalogue/site-constants.ts"
import { upstreamIssues } from "../engine/fetch/site-constants/watch.ts"
import { acting, type Operator } from "./operate.ts"
import { readSettings } from "./settings.ts"
import { table } from "./table.ts"
import { configuredUpstreams } from "./upstreams/configured.ts"

/** `trawl config`: every setting, its value and where that comes from; changes those that may be. */
export function registerConfig(program: Command): void {
  const config = program
    .command("config")
    .description("print the settings; set and unset change those of the service that runs")
    .action(() => acting(print, { onlyLooks: true }))
  config
    .command("set")
    .description("change a setting; it counts at once, but the environment wins")
    .argument("<name>", "as TRAWL_FREE_DAILY, or the key of an upstream")
    .argument("<value>", "as the variable would have it; - reads it from the standard input")
    .action((name: string, value: string) =>
      acting(async (by) => {
        const text = value === "-" ? (await Bun.stdin.text()).trim() : value
        tell(await by.call("PUT", `/settings/${encodeURIComponent(name)}`, { value: text }))
      }),
    )
  config
    .command("unset")
    .description("take a setting back to the environment's or the default")
    .argument("<name>")
    .action((name: string) =>
      acting(async (by) => {
        tell(await by.call("DELETE", `/settings/${encodeURIComponent(name)}`))
      }),
    )
}

function visible({ value, secret, isSet }: Setting): string {
  if (secret) return isSet ? "(set)" : ""
  return value ?? ""
}

function tell(setting: Setting): void {
  console.log(`${setting.name}=${visible(setting)} (${setting.source})`)
}

async function print(by: Operator): Promise<void> {
  const { items }: { items: Setting[] } = await by.call("GET", "/settings")
  const rows = items.map((setting) => [
    setting.name,
    visible(setting),
    setting.source + (setting.locked ? ", locked" : ""),
    setting.description,
  ])
  console.log(table([["Variable", "Value", "From", "Meaning"], ...rows]))
  const tables = upstreamTables.map(({ site, asOf, values }) => [
    upstreamSetting(site),
    asOf,
    Object.keys(values).slice(0, 4).join(", "),
  ])
  console.log(`\n${table([["Table of an upstream (JSON)", "As of", "Values"], ...tables])}`)
  const issues = upstreamIssues(configuredUpstreams(readSettings()), upstreamTables)
  for (const issue of issues) console.error(issue)
  if (issues.length > 0) process.exitCode = 1
}
