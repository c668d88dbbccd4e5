import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileReason } from "../../../base/file-reason.ts"
import { inUpkeepThread } from "../../../store/upkeep/upkeep.ts"
import { type Backup, type BackupStorage, form, ours } from "./storage.ts"

export class FolderStorage implements BackupStorage {
  constructor(private readonly folder: string) {}

  async list(): Promise<Backup[]> {
    if (!existsSync(this.folder)) return []
    const files = readdirSync(this.folder).filter((name) => form.test(name))
    return ours(files.map((name) => ({ name, bytes: statSync(join(this.folder, name)).size })))
  }

  async make(dataDir: string, name: string): Promise<void> {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    } catch (error) {
      const reason = fileReason(error, "a folder above it is missing")
      throw new Error(`The folder ${this.folder} cannot be used: ${reason}.`, { cause: error })
    }
    await inUpkeepThread((thread) => thread.backUp(dataDir, join(this.folder, name)))
  }

  async fetch(name: string): Promise<string> {
    return join(this.folder, name)
  }

  async remove(name: string): Promise<void> {
    rmSync(join(this.folder, name), { force: true })
  }
}
