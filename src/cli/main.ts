import { Command, CommanderError } from "commander"
import { ConfigError } from "../config.ts"
import { registerAccount } from "./account.ts"
import { registerBackup } from "./backup.ts"
import { registerBrowser } from "./browser.ts"
import { registerOpenapi } from "./openapi.ts"
import { registerServe } from "./serve.ts"

/** Every verb of the command line. */
export async function main(argv: string[]): Promise<void> {
  const program = new Command("trawl")
    .description("A web-scraping service in one executable.")
    .version("0.1.0")
    .exitOverride()
  registerServe(program)
  registerAccount(program)
  registerBrowser(program)
  registerBackup(program)
  registerOpenapi(program)
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
