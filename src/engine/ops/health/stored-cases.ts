import type { Dirent } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"

/** The responses to a failed probe, as a recorded case in a separate folder. */
export interface StoredCase {
  scraper: string
  name: string
  storedAt: Date
  bytes: number
}

/** Newest first; few are stored per scraper (drift-case.ts). */
export async function storedCases(folder: string): Promise<StoredCase[]> {
  const all: StoredCase[] = []
  for (const scraper of await foldersIn(folder)) {
    for (const name of await foldersIn(join(folder, scraper))) {
      const files = await caseFiles(folder, { scraper, name })
      const { mtime } = await stat(join(folder, scraper, name))
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      all.push({ scraper, name, storedAt: mtime, bytes })
    }
  }
  return all.sort((a, b) => b.storedAt.getTime() - a.storedAt.getTime())
}

/** Returns a case's files; none if it does not exist. The name comes from a client and is not a path. */
export async function caseFiles(
  folder: string,
  { scraper, name }: Pick<StoredCase, "scraper" | "name">,
): Promise<{ name: string; path: string; bytes: number }[]> {
  if (!slugForm.test(scraper) || !caseForm.test(name)) return []
  const own = join(folder, scraper, name)
  const names = (await entriesOf(own)).filter((one) => one.isFile()).map((one) => one.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(own, name)
      return { name, path, bytes: (await stat(path)).size }
    }),
  )
}

/** Pattern of the names from drift-case.ts. */
export const caseName = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9.-]{8,15}Z$"
const caseForm = new RegExp(caseName)
const slugForm = /^[a-z0-9][a-z0-9-]{0,99}$/

const foldersIn = async (folder: string) =>
  (await entriesOf(folder))
    .filter((one) => one.isDirectory() && !one.name.startsWith("."))
    .map(({ name }) => name)

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}
