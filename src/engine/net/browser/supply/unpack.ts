import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname, isAbsolute, join, normalize, sep } from "node:path"
import { Unzip, UnzipInflate } from "fflate"

/** Maximum bytes, more than any Chrome. */
const maxBytes = 2 * 1024 ** 3

/**
 * Unpacks an archive into a folder, which appears only when it is complete. If another process was
 * faster, its folder is used.
 */
export async function unpack(zip: ReadableStream<Uint8Array>, folder: string): Promise<void> {
  const part = `${folder}.${process.pid}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  try {
    await write(zip, part)
    renameSync(part, folder)
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (!["EEXIST", "ENOTEMPTY"].includes(code)) throw error
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

async function write(zip: ReadableStream<Uint8Array>, folder: string): Promise<void> {
  let left = maxBytes
  let files = 0
  let failure: unknown
  const unzip = new Unzip((file) => {
    const path = positionOf(folder, file.name)
    if (path === undefined) return
    mkdirSync(dirname(path), { recursive: true })
    // File modes are at the end of the archive, so every file gets the mode of a program.
    const out = openSync(path, "wx", 0o755)
    file.ondata = (error, chunk, isLast) => {
      left -= chunk?.length ?? 0
      if (left < 0) failure ??= new Error("the archive is too large for a Chrome")
      failure ??= error ?? undefined
      if (failure === undefined) writeSync(out, chunk)
      if (!isLast && failure === undefined) return
      closeSync(out)
      files++
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for await (const chunk of zip) {
    unzip.push(chunk)
    if (failure !== undefined) throw failure
  }
  unzip.push(new Uint8Array(0), true)
  if (files === 0) throw new Error("the archive is empty")
}

/** Returns undefined for a folder. @throws if the path leaves the folder */
function positionOf(folder: string, name: string): string | undefined {
  if (name.endsWith("/")) return undefined
  const path = normalize(name)
  if (isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`)) {
    throw new Error(`the archive contains ${name}, a path outside its folder`)
  }
  return join(folder, path)
}
