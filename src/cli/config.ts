import type { Command } from "commander"
import type { Setting } from "../api/admin/settings.ts"
import { upstreamSetting } from "../catalogue/kit/index.ts"
import { upstreamTables } from "../catalogue/site-constants.ts"
import { upstreamIssues } from "../engine/fetch/site-constants/watch.ts"
import { acting, type Operator } from "./common/operate.ts"
import { readSettings } from "./common/settings.ts"
import { table } from "./common/table.ts"
import { configuredUpstreams } from "./upstreams/configured.ts"

/** `trawl config`: prints settings with their values and sources, and changes them. */
export function registerConfig(program: Command): void {
  const config = program
    .command("config")
    .description("Print or change the settings, for example: trawl config set TRAWL_FREE_DAILY 100")
    .action(() => acting(print, { onlyLooks: true }))
  config
    .command("set")
    .description("Change a setting at once; environment variables take precedence")
    .argument("<name>", "setting or site constant, for example TRAWL_FREE_DAILY")
    .argument("<value>", "value; - reads it from standard input")
    .action((name: string, value: string) =>
      acting(async (by) => {
        const text = value === "-" ? (await Bun.stdin.text()).trim() : value
        printSetting(await by.call("PUT", `/settings/${encodeURIComponent(name)}`, { value: text }))
      }),
    )
  config
    .command("unset")
    .description("Restore the value of the environment or the default")
    .argument("<name>")
    .action((name: string) =>
      acting(async (by) => {
        printSetting(await by.call("DELETE", `/settings/${encodeURIComponent(name)}`))
      }),
    )
}

function visible({ value, secret, isSet }: Setting): string {
  if (secret) return isSet ? "(set)" : ""
  return value ?? ""
}

function printSetting(setting: Setting): void {
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
  console.log(`\n${table([["Site constants (JSON)", "As of", "Values"], ...tables])}`)
  const issues = upstreamIssues(configuredUpstreams(readSettings()), upstreamTables)
  for (const issue of issues) console.error(issue)
  if (issues.length > 0) process.exitCode = 1
}
