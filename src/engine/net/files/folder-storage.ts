import { mkdir, open, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ByteRange, FileStorage } from "./storage.ts"

/**
 * The folder `files` in the data folder, with subfolders by the random digits at the end of the
 * IDs.
 */
export class FolderStorage implements FileStorage {
  readonly name = "folder"

  constructor(private readonly dataDir: string) {}

  /** Returns the path, for programs that read the folder directly. */
  pathOf(id: string): string {
    return join(this.dataDir, "files", id.slice(-2), id)
  }

  /** Writes a temporary file and renames it, so that readers never see a part of it. */
  async put(id: string, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf(id)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const file = await open(`${path}.part`, "w", 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(`${path}.part`, path)
    } catch (error) {
      await rm(`${path}.part`, { force: true })
      throw error
    }
  }

  async open(id: string, { from, to }: ByteRange): Promise<Blob | undefined> {
    const file = Bun.file(this.pathOf(id))
    return (await file.exists()) ? file.slice(from, to) : undefined
  }

  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true })
    await rm(`${this.pathOf(id)}.part`, { force: true })
  }
}
