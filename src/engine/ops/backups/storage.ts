export interface Backup {
  name: string
  bytes: number
  madeAt: string
}

/** A storage backend for backups. */
export interface BackupStorage {
  /** Returns Trawl's backups, newest first. */
  list(): Promise<Backup[]>
  /** Makes a backup of the current database, under its name after it is complete and checked. */
  make(dataDir: string, name: string): Promise<void>
  /** Returns a local file with the backup. `folder` is for a downloaded one. */
  fetch(name: string, folder: string): Promise<string>
  remove(name: string): Promise<void>
}

export const form = /^trawl-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

export const backupName = (at: Date) => `trawl-${at.toISOString().replace(/[-:]|\.\d+/g, "")}.db`

/** Returns Trawl's backups among these files, newest first. */
export function ours(files: { name: string; bytes: number }[]): Backup[] {
  return files
    .flatMap(({ name, bytes }) => {
      const at = form.exec(name)
      if (!at) return []
      const [, year, month, day, hour, minute, second] = at
      const madeAt = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
      return [{ name, bytes, madeAt }]
    })
    .sort((a, b) => (a.name < b.name ? 1 : -1))
}
