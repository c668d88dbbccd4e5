import type { Command } from "commander"
import { ConfigError } from "../../config/config.ts"
import { openSqlite } from "../../store/db/database.ts"
import { isPostgresUrl, openPostgres } from "../../store/db/postgres/client.ts"
import { DataRefused } from "../../store/db/refused.ts"
import { lockFolder } from "../../store/folder-lock.ts"
import { isInUse } from "../../store/shared/processes.ts"
import { databasePath, makeDataFolder } from "../../store/upkeep/data-folder.ts"
import { type MovedTable, moveToPostgres, moveToSqlite } from "../../store/upkeep/move.ts"
import { preparePostgres } from "../../store/upkeep/postgres-prepare.ts"
import { prepareDatabase } from "../../store/upkeep/prepare.ts"
import { readSettings } from "../common/settings.ts"
import { table } from "../common/table.ts"

interface Options {
  to?: string
  from?: string
}

/**
 * `trawl migrate`: moves data from SQLite in the data folder to PostgreSQL, or back; no service may
 * run.
 */
export function registerMigrate(program: Command): void {
  program
    .command("migrate")
    .description("Move all data from the data folder to PostgreSQL or back; stop the service first")
    .option(
      "--to <url>",
      "PostgreSQL URL to move to, for example postgres://trawl:secret@db:5432/trawl",
    )
    .option("--from <url>", "PostgreSQL URL to move from, into the data folder")
    .action(migrate)
}

async function migrate({ to, from }: Options): Promise<void> {
  const url = to ?? from
  if (url === undefined || (to && from))
    throw new ConfigError("Set either --to <url> or --from <url>.")
  if (!isPostgresUrl(url))
    throw new ConfigError(
      `${to ? "--to" : "--from"} must be a PostgreSQL URL such as postgres://trawl:secret@db:5432/trawl, not "${url}".`,
    )
  const { dataDir } = readSettings()
  makeDataFolder(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    // The key of the SQLite database becomes the key of all processes, or already is.
    for (const warning of (await preparePostgres(dataDir, url)).warnings) console.error(warning)
    prepareDatabase(dataDir, true)
    console.log(reported(await move(dataDir, url, to !== undefined)))
    console.error(
      to
        ? `Start the service with TRAWL_DATABASE_URL, and give each process a copy of trawl.key. ${databasePath(dataDir)} is unchanged; delete it when everything works.`
        : "Start the service without TRAWL_DATABASE_URL. The PostgreSQL database is unchanged.",
    )
  } finally {
    unlock()
  }
}

async function move(dataDir: string, url: string, isTo: boolean): Promise<MovedTable[]> {
  const client = openPostgres(url, 1)
  const sqlite = openSqlite(databasePath(dataDir), "write")
  try {
    if (await isInUse(client)) {
      throw new DataRefused("A service uses the PostgreSQL database; stop all its processes.")
    }
    return await (isTo ? moveToPostgres(sqlite, client) : moveToSqlite(client, sqlite))
  } finally {
    sqlite.close()
    await client.close({ timeout: 1 })
  }
}

function reported(moved: readonly MovedTable[]): string {
  const some = moved.filter(({ rows }) => rows > 0)
  return table([["Table", "Rows, unchanged"], ...some.map((one) => [one.table, String(one.rows)])])
}
