import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** URL and token with which the command line reaches the running service of a data folder. */
export interface ServiceFile {
  /** URL of the service on this machine. */
  root: string
  /** Token with the permissions of an administrator. */
  token: string
}

const pathIn = (dataDir: string) => join(dataDir, "serve.json")

export function writeServiceFile(dataDir: string, file: ServiceFile): void {
  rmSync(pathIn(dataDir), { force: true })
  writeFileSync(pathIn(dataDir), JSON.stringify(file), { mode: 0o600 })
}

export function removeServiceFile(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

/** Returns undefined if there is no service file. */
export function readServiceFile(dataDir: string): ServiceFile | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), "utf8"))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) {
      return undefined
    }
    throw error
  }
}
