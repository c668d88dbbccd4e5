import { mkdir, rename, writeFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { filesOf } from "../../api/http/item-files.ts"
import type { FileToKeep, StoredFile } from "../../catalogue/kit/index.ts"
import { filePath } from "../../engine/net/files/files.ts"

/** Returns the default folder of a run's files, named after its output. */
export function filesFolder(slug: string, output: string | undefined): string {
  if (output === undefined || output === "-") return `${slug}-files`
  if (output.endsWith("/")) return output
  return `${output.slice(0, output.length - extname(output).length)}-files`
}

/** The files of a run on the command line, in a folder that is created for the first of them. */
export class FilesFolder {
  constructor(private readonly folder: string) {}

  /**
   * Stores a file. @param index Index of the target, from 0, so that a resumed run uses the same
   * names
   */
  async keep(index: number, { name, contentType, bytes }: FileToKeep): Promise<StoredFile> {
    await mkdir(this.folder, { recursive: true })
    const path = join(this.folder, `${String(index + 1).padStart(4, "0")}-${name}`)
    await writeFile(`${path}.part`, bytes)
    await rename(`${path}.part`, path)
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
    return { url: path, contentType, bytes: bytes.length, sha256 }
  }

  /** Downloads the files of an item from another server. */
  async fetched(
    index: number,
    item: Record<string, unknown>,
    read: (path: string) => Promise<Uint8Array>,
  ): Promise<Record<string, unknown>> {
    const here = { ...item }
    for (const { field, id, ...file } of filesOf(item)) {
      const bytes = await read(filePath(id))
      const ending = file.contentType.replace(/^.*\//, "").replace("jpeg", "jpg")
      const name = `${field}.${ending}`
      here[field] = { ...file, ...(await this.keep(index, { ...file, name, bytes })) }
    }
    return here
  }
}
