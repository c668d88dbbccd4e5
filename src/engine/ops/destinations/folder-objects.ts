import { mkdir, open, realpath, rename, rm } from "node:fs/promises"
import { basename, dirname, join, relative, sep } from "node:path"
import { DestinationError } from "./model/sink.ts"
import type { ObjectStorage } from "./objects.ts"

/** Writes files below a folder of the server. Readers see complete files only. */
export class FolderObjects implements ObjectStorage {
  constructor(
    private readonly base: string | undefined,
    private readonly path: string,
  ) {}

  async put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const path = await this.positionOf(name)
    const partial = join(dirname(path), `.${basename(path)}.part`)
    try {
      const file = await open(partial, "w", 0o640)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(partial, path)
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    }
  }

  async remove(name: string): Promise<void> {
    await rm(await this.positionOf(name), { force: true })
  }

  /**
   * Creates the folder of a file, and checks that no symbolic link leaves the base. @throws
   * DestinationError
   */
  private async positionOf(name: string): Promise<string> {
    const { base } = this
    if (!base) {
      throw new DestinationError(
        "Folders are not available: the operator has not set TRAWL_DESTINATION_FOLDER.",
      )
    }
    const path = join(base, this.path, name)
    if (!isInside(base, path)) throw new DestinationError(`${this.path} is outside the folder.`)
    await mkdir(base, { recursive: true })
    await mkdir(await this.checkedParent(base, dirname(path)), { recursive: true })
    const folder = await realpath(dirname(path))
    if (!isInside(await realpath(base), folder)) {
      throw new DestinationError(`${this.path} leaves the folder through a symbolic link.`)
    }
    return join(folder, basename(path))
  }

  /**
   * The parent is created step by step, so that nothing is created behind a link that leaves the
   * base.
   */
  private async checkedParent(base: string, folder: string): Promise<string> {
    const root = await realpath(base)
    let current = base
    for (const step of relative(base, folder).split(sep).filter(Boolean)) {
      current = join(current, step)
      await mkdir(current, { recursive: true })
      if (!isInside(root, await realpath(current))) {
        throw new DestinationError(`${this.path} leaves the folder through a symbolic link.`)
      }
    }
    return folder
  }
}

function isInside(base: string, path: string): boolean {
  const relativePath = relative(base, path)
  return relativePath === "" || (!relativePath.startsWith("..") && !relativePath.startsWith(sep))
}
