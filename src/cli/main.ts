import { Command, CommanderError } from "commander"
import { ConfigError } from "../config.ts"
import { registerAccount } from "./account.ts"
import { registerBackup } from "./backup.ts"
import { registerBrowser } from "./browser.ts"
import { registerConfig } from "./config.ts"
import { registerDoctor } from "./doctor.ts"
import { registerMcp } from "./mcp.ts"
import { registerOpenapi } from "./openapi.ts"
import { registerRun } from "./run.ts"
import { registerScrapers } from "./scrapers.ts"
import { registerServe } from "./serve.ts"
import { version } from "./version.ts"

/** Every verb of the command line. */
export async function main(argv: string[]): Promise<void> {
  const program = new Command("trawl")
    .description("A web-scraping service in one executable.")
    .version(version)
    .exitOverride()
  registerServe(program)
  registerRun(program)
  registerScrapers(program)
  registerAccount(program)
  registerBrowser(program)
  registerBackup(program)
  registerMcp(program)
  registerOpenapi(program)
  registerConfig(program)
  registerDoctor(program)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
    if (error instanceof ConfigError) {
      console.error(error.message)
      process.exit(2)
    }
    throw error
  }
}
