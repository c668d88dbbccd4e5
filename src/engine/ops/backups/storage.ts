export interface Backup {
  name: string
  bytes: number
  madeAt: string
}

/** Where backups are kept. */
export interface BackupStorage {
  /** Ours, the newest first. */
  list(): Promise<Backup[]>
  /** Makes one of the database as it is now, under its name, when it is whole and checked. */
  make(dataDir: string, name: string): Promise<void>
  /** A file of this machine that holds it. `folder` is for one that is fetched. */
  fetch(name: string, folder: string): Promise<string>
  remove(name: string): Promise<void>
}

export const form = /^trawl-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

export const backupName = (at: Date) => `trawl-${at.toISOString().replace(/[-:]|\.\d+/g, "")}.db`

/** What of these files is ours, the newest first; others in the same place are left alone. */
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
