import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import type { Command } from "commander"
import { ConfigError } from "../config.ts"
import { isLocked, lockFolder } from "../store/folder-lock.ts"
import { DataRefused } from "../store/refused.ts"
import { databasePath, requireOwnDatabase } from "../store/upkeep/data-folder.ts"
import { inBytes } from "./bytes.ts"
import { acting } from "./operate.ts"
import { readSettings } from "./settings.ts"

interface Options {
  days?: string
  account?: string
  scraper?: string
  dryRun: boolean
  compact: boolean
}

/** `trawl prune`: deletes what ended some time ago. */
export function registerPrune(program: Command): void {
  program
    .command("prune")
    .description("delete runs that ended some time ago, with their items")
    .option("--days <days>", "those that ended more than so many days ago")
    .option("--account <account>", "of this account alone, by id or email; keyless for nobody's")
    .option("--scraper <slug>", "of this scraper alone")
    .option("--dry-run", "only count them", false)
    .option("--compact", "give the room back to the disk; the service must not run", false)
    .action(prune)
}

async function prune({ days, compact, ...which }: Options): Promise<void> {
  if (days === undefined && !compact)
    throw new ConfigError("Say what: --days <days>, --compact, or both.")
  if (days !== undefined && !/^\d+$/.test(days))
    throw new ConfigError("--days takes a whole number.")
  const config = readSettings()
  if (compact) requireOwnDatabase(config, "gives room back by autovacuum, or VACUUM FULL")
  const { dataDir } = config
  if (compact && isLocked(dataDir)) {
    throw new DataRefused(`A service serves from ${dataDir}; stop it for --compact.`)
  }
  if (days !== undefined) {
    await acting(async (by) => {
      const { runs, items } = await by.call("POST", "/prune", { ...which, days: Number(days) })
      const what = `${runs} runs with ${items} items`
      console.log(which.dryRun ? `${what} would be deleted.` : `${what} were deleted.`)
    })
  }
  if (compact && !process.exitCode) giveBack(dataDir)
}

/** Writes the database anew without its holes. */
function giveBack(dataDir: string): void {
  const path = databasePath(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    const before = statSync(path).size
    const sqlite = new Database(path)
    sqlite.run("VACUUM")
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)")
    sqlite.close()
    console.log(`${inBytes(before)} before, ${inBytes(statSync(path).size)} now.`)
  } finally {
    unlock()
  }
}
