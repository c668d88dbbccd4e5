import type { Command } from "commander"
import { secretRows } from "../catalogue/kit/index.ts"
import { settingRows } from "../config.ts"
import { table } from "./table.ts"

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
    })
}
