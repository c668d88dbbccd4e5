import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import type { Command } from "commander"
import { type Config, ConfigError } from "../../config/config.ts"
import { purge } from "../../engine/ops/background/purge.ts"
import { DataRefused } from "../../store/db/refused.ts"
import { isLocked, lockFolder } from "../../store/folder-lock.ts"
import { openStore } from "../../store/store.ts"
import { databasePath, requireOwnDatabase } from "../../store/upkeep/data-folder.ts"
import { inBytes } from "../common/bytes.ts"
import { acting } from "../common/operate.ts"
import { readSettings } from "../common/settings.ts"

interface Options {
  days?: string
  account?: string
  scraper?: string
  dryRun: boolean
  compact: boolean
}

/** `trawl prune`: deletes old runs. */
export function registerPrune(program: Command): void {
  program
    .command("prune")
    .description("Delete old runs with their items, for example: trawl prune --days 90 --dry-run")
    .option("--days <days>", "minimum days since the end of the run")
    .option("--account <account>", "ID or email address of one account; keyless for anonymous runs")
    .option("--scraper <slug>", "slug of one scraper")
    .option("--dry-run", "count the runs, delete nothing", false)
    .option("--compact", "shrink the database file; stop the service first", false)
    .action(prune)
}

async function prune({ days, compact, ...which }: Options): Promise<void> {
  if (days === undefined && !compact)
    throw new ConfigError("Set --days <days>, --compact, or both.")
  if (days !== undefined && !/^\d+$/.test(days))
    throw new ConfigError(`--days must be a whole number, not "${days}".`)
  const config = readSettings()
  if (compact) requireOwnDatabase(config, "frees space with autovacuum or VACUUM FULL")
  const { dataDir } = config
  if (compact && isLocked(dataDir)) {
    throw new DataRefused(`A service uses ${dataDir}. Stop it before you use --compact.`)
  }
  if (days !== undefined) {
    await acting(async (by) => {
      const { runs, items } = await by.call("POST", "/prune", { ...which, days: Number(days) })
      const what = `${runs} runs with ${items} items`
      console.log(which.dryRun ? `${what} would be deleted.` : `${what} were deleted.`)
    })
  }
  if (compact && !process.exitCode) await giveBack(config)
}

/** Rewrites the database without its free pages. */
async function giveBack(config: Config): Promise<void> {
  const path = databasePath(config.dataDir)
  const unlock = lockFolder(config.dataDir)
  try {
    const before = statSync(path).size
    await eraseDeleted(config)
    const sqlite = new Database(path)
    sqlite.run("VACUUM")
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)")
    sqlite.close()
    console.log(`${inBytes(before)} before, ${inBytes(statSync(path).size)} now.`)
  } finally {
    unlock()
  }
}

/** Erases what is marked as deleted, which a service does in the background. */
async function eraseDeleted(config: Config): Promise<void> {
  const store = openStore(config.dataDir)
  try {
    const onlyDeleted = { ...config, retentionDays: 0, logRetentionDays: 0 }
    await purge(store, onlyDeleted, new AbortController().signal)
  } finally {
    await store.close()
  }
}
