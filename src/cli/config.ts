import type { Command } from "commander"
import { settingRows } from "../config.ts"
import { table } from "./table.ts"

/** `trawl config`: every setting, its default and what it is for. */
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
      console.log(table([["Variable", "Default", "Meaning"], ...rows]))
    })
}
