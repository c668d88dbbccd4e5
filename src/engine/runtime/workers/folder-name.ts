import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Returns an ID that is the same at each start in this folder, and different for others. */
export function folderName(dataDir: string): string {
  const path = join(dataDir, "process.id")
  try {
    writeFileSync(path, crypto.randomUUID(), { flag: "wx" })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  return readFileSync(path, "utf8")
}
