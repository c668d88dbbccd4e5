import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { messageOf } from "../../base/error-message.ts"

/** Returns the default folder for the memory of monitors: the user's state folder. */
export function stateFolder(env: Record<string, string | undefined>): string {
  return join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "trawl")
}

/** A scraper's memory between runs, in a file; without a folder, only for this run. */
export class Memory {
  private readonly values: Map<string, unknown>
  private readonly path: string | undefined

  constructor(
    folder: string | undefined,
    slug: string,
    remembered: Readonly<Record<string, unknown>> = {},
  ) {
    this.path = folder && join(folder, "memory", `${slug}.json`)
    this.values = new Map(Object.entries({ ...remembered, ...(this.path && read(this.path)) }))
  }

  get(key: string): unknown {
    return structuredClone(this.values.get(key))
  }

  /** @throws Error if the file cannot be written */
  keep(values: Record<string, unknown>): void {
    const news = Object.entries(values)
    if (news.length === 0) return
    for (const [key, value] of news) this.values.set(key, value ?? null)
    if (!this.path) return
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const part = `${this.path}.${process.pid}.part`
    writeFileSync(part, JSON.stringify(Object.fromEntries(this.values)), { mode: 0o600 })
    renameSync(part, this.path)
  }
}

function read(path: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {}
    throw error
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is damaged (${messageOf(error)}). Delete it to start again.`)
  }
}
