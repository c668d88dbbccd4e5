import { existsSync } from "node:fs"
import type { Command } from "commander"
import { backUp } from "../store/upkeep/backup.ts"
import { databasePath, keyPath } from "../store/upkeep/data-folder.ts"
import { readSettings } from "./settings.ts"

/** `trawl backup FILE`: a consistent copy, also while the service runs. */
export function registerBackup(program: Command): void {
  program
    .command("backup")
    .description("copy the database while the service may be running")
    .argument("<file>", "the copy; must not exist yet")
    .action((file: string) => {
      const { dataDir } = readSettings()
      const refuse = (message: string) => {
        console.error(message)
        process.exitCode = 2
      }
      if (!existsSync(databasePath(dataDir))) return refuse(`There is no database in ${dataDir}.`)
      if (existsSync(file)) return refuse(`${file} exists already.`)
      // The copy holds all that the database does: nobody else may read it either.
      process.umask(0o077)
      backUp(dataDir, file)
      console.log(file)
      console.error(
        `Webhooks' secrets in it open with ${keyPath(dataDir)} alone: keep a copy of that, too, in another place.`,
      )
    })
}
