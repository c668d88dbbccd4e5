import { messageOf } from "../../../base/error-message.ts"
import { hourMs, minuteMs } from "../../../base/time.ts"
import type { Config } from "../../../config/config.ts"
import { dropUpgradeCopy } from "../../../store/upkeep/upgrade-copy.ts"
import { type Backup, type BackupStorage, backupName } from "./storage.ts"
import { positionOf } from "./storage-of.ts"

/** Pause after a failed backup. */
const againMs = 15 * minuteMs

export type BackupSettings = Pick<
  Config,
  "backupTo" | "backupHours" | "backupKeep" | "dataDir" | "env"
>

/** Scheduled backups with retention. One runs at a time. */
export class Backups {
  private storage?: { address: string; storage: BackupStorage } | undefined
  private lastAt?: number | undefined
  private failedAt = Number.NEGATIVE_INFINITY
  private running: Promise<Backup> | undefined

  /** `settings`: read at each use. */
  constructor(private readonly settings: BackupSettings) {}

  /** Makes a backup if one is due. @throws the error of a failed backup */
  async poll(now = new Date()): Promise<Backup | undefined> {
    const storage = this.where()
    if (!storage || now.getTime() - this.failedAt < againMs) return undefined
    try {
      this.lastAt ??= Date.parse((await storage.list())[0]?.madeAt ?? new Date(0).toISOString())
      // A clock that was set back must not delay the next backup for years.
      const since = Math.abs(now.getTime() - this.lastAt)
      return since < this.settings.backupHours * hourMs ? undefined : await this.make(now)
    } catch (error) {
      this.failedAt = now.getTime()
      throw error
    }
  }

  /** Makes a backup now and removes surplus ones. @throws ConfigError if TRAWL_BACKUP_TO is not set */
  make(now = new Date()): Promise<Backup> {
    this.running ??= this.makeOne(now).finally(() => {
      this.running = undefined
    })
    return this.running
  }

  /** In milliseconds; undefined until a backup was made or looked up. */
  get lastMadeAt(): number | undefined {
    return this.lastAt === 0 ? undefined : this.lastAt
  }

  async list(): Promise<Backup[]> {
    return (await this.where()?.list()) ?? []
  }

  private async makeOne(now: Date): Promise<Backup> {
    const storage = this.where()
    if (!storage) throw new NoBackupStorage()
    const name = backupName(now)
    await storage.make(this.settings.dataDir, name)
    this.lastAt = now.getTime()
    this.failedAt = Number.NEGATIVE_INFINITY
    const stored = await storage.list()
    const made = stored.find((backup) => backup.name === name)
    if (!made) throw new Error(`The backup ${name} was made but cannot be found`)
    dropUpgradeCopy(this.settings.dataDir)
    const { backupKeep } = this.settings
    for (const old of backupKeep > 0 ? stored.slice(backupKeep) : []) await storage.remove(old.name)
    return made
  }

  private where(): BackupStorage | undefined {
    const { backupTo, env } = this.settings
    if (!backupTo) return undefined
    if (this.storage?.address !== backupTo) {
      this.storage = { address: backupTo, storage: positionOf({ backupTo, env }) }
      this.lastAt = undefined
    }
    return this.storage.storage
  }
}

/** TRAWL_BACKUP_TO is not set. */
export class NoBackupStorage extends Error {
  constructor() {
    super(
      "There is no storage for backups: set TRAWL_BACKUP_TO, or name a file, for example `trawl backup trawl.db`.",
    )
  }
}

export const backupFailed = (error: unknown) => `The backup failed: ${messageOf(error)}`
