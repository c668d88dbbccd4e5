import { existsSync } from "node:fs"
import type { Command } from "commander"
import { DataRefused } from "../../store/db/refused.ts"
import { backUp } from "../../store/upkeep/backup.ts"
import { databasePath, keyPath, requireOwnDatabase } from "../../store/upkeep/data-folder.ts"
import { dropUpgradeCopy } from "../../store/upkeep/upgrade-copy.ts"
import { inBytes } from "../common/bytes.ts"
import { acting } from "../common/operate.ts"
import { readSettings } from "../common/settings.ts"
import { table } from "../common/table.ts"

interface Backup {
  name: string
  bytes: number
  madeAt: string
}

/** `trawl backup [FILE]`: makes a consistent copy, also while the service runs. */
export function registerBackup(program: Command): void {
  program
    .command("backup")
    .description("Back up the database, also while the service runs")
    .argument("[file]", "new file of the copy (default: a new backup in TRAWL_BACKUP_TO)")
    .option("--list", "list the backups in TRAWL_BACKUP_TO", false)
    .action(async (file: string | undefined, { list }: { list: boolean }) => {
      if (list) return acting(printPdf, { onlyLooks: true })
      if (file) copyTo(file)
      else
        await acting(async (by) => {
          const { name, bytes }: Backup = await by.call("POST", "/backups")
          console.log(`${name}  ${inBytes(bytes)}`)
        })
    })
}

async function printPdf(by: Parameters<Parameters<typeof acting>[0]>[0]): Promise<void> {
  const { items }: { items: Backup[] } = await by.call("GET", "/backups")
  console.log(
    table([
      ["Name", "Size", "Made at"],
      ...items.map(({ name, bytes, madeAt }) => [name, inBytes(bytes), madeAt]),
    ]),
  )
}

function copyTo(file: string): void {
  const config = readSettings()
  requireOwnDatabase(config, "is saved by pg_dump or the server's own backups")
  const { dataDir } = config
  if (!existsSync(databasePath(dataDir))) {
    throw new DataRefused(`${dataDir} has no database. Set TRAWL_DATA_DIR to the data folder.`)
  }
  if (existsSync(file)) throw new DataRefused(`${file} already exists; choose another file.`)
  // The copy contains secrets, so only this user may read it.
  process.umask(0o077)
  backUp(dataDir, file)
  dropUpgradeCopy(dataDir)
  console.log(file)
  console.error(
    `Secrets in it are encrypted with ${keyPath(dataDir)}: store a copy of that file in another place, too.`,
  )
}
