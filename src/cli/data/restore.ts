import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import type { Command } from "commander"
import type { Config } from "../../config/config.ts"
import { positionOf } from "../../engine/ops/backups/storage-of.ts"
import { DataRefused } from "../../store/db/refused.ts"
import { lockFolder } from "../../store/folder-lock.ts"
import { makeDataFolder, requireOwnDatabase } from "../../store/upkeep/data-folder.ts"
import { restore } from "../../store/upkeep/restore.ts"
import { upgradeCopy } from "../../store/upkeep/upgrade-copy.ts"
import { readSettings } from "../common/settings.ts"

/** `trawl restore BACKUP`: replaces the database by a backup; no service may run. */
export function registerRestore(program: Command): void {
  program
    .command("restore")
    .description(
      "Replace the database by a backup; stop the service first. For example: trawl restore latest",
    )
    .argument("[backup]", "file, name of a backup in TRAWL_BACKUP_TO, or latest")
    .option(
      "--before-upgrade",
      "restore the copy made before the last upgrade; then start the previous version",
      false,
    )
    .action(async (named: string | undefined, { beforeUpgrade }: { beforeUpgrade: boolean }) => {
      if ((named !== undefined) === beforeUpgrade) {
        throw new DataRefused(
          "Name a backup, for example `trawl restore latest`, or use --before-upgrade.",
        )
      }
      const config = readSettings()
      requireOwnDatabase(config, "is restored by pg_restore")
      makeDataFolder(config.dataDir)
      // Refuses if a service runs, and prevents one from starting meanwhile.
      const unlock = lockFolder(config.dataDir)
      const folder = mkdtempSync(join(config.dataDir, "restore-"))
      try {
        const backup = named ?? upgradeCopy(config.dataDir)
        const file = existsSync(backup) ? backup : await fetched(backup, config, folder)
        const { before, warnings } = restore(config.dataDir, file)
        console.log(`${backup === file ? file : `${backup} (${basename(file)})`} was restored.`)
        if (before)
          console.error(`The previous database is ${before}; delete it when everything works.`)
        for (const warning of warnings) console.error(warning)
      } finally {
        rmSync(folder, { recursive: true, force: true })
        unlock()
      }
    })
}

async function fetched(name: string, { backupTo, env }: Config, folder: string): Promise<string> {
  if (!backupTo) {
    throw new DataRefused(
      `The file ${name} does not exist. Name an existing file, or set TRAWL_BACKUP_TO to restore a stored backup.`,
    )
  }
  const storage = positionOf({ backupTo, env })
  const backups = await storage.list()
  const wanted = name === "latest" ? backups[0]?.name : name
  if (!wanted || !backups.some((backup) => backup.name === wanted)) {
    throw new DataRefused(
      `${backupTo} has no backup named ${name}, but ${backups.length} others; \`trawl backup --list\` prints them.`,
    )
  }
  return storage.fetch(wanted, folder)
}
