import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type PublishedTables, previousName, publishedName } from "./published.ts"

/**
 * The published tables in use; null if there are none. They were checked before they were stored.
 */
export function heldTables(path: string): PublishedTables | null {
  try {
    const read = JSON.parse(readFileSync(path, "utf8")) as PublishedTables
    return typeof read.tables === "object" && read.tables !== null ? read : null
  } catch {
    return null
  }
}

/** Replaces the tables in use, and keeps the previous ones. */
export function applyTables(dataDir: string, published: PublishedTables): void {
  const [path, previous] = [join(dataDir, publishedName), join(dataDir, previousName)]
  if (existsSync(path)) writeFileSync(previous, readFileSync(path), { mode: 0o600 })
  const fresh = `${path}.new`
  writeFileSync(fresh, JSON.stringify(published), { mode: 0o600 })
  renameSync(fresh, path)
}

/**
 * Restores the previous tables, or the compiled ones if there are none. The sequence number stays,
 * so that the file is not applied again.
 * @returns null if no published tables are in use
 */
export function rollBack(dataDir: string): PublishedTables | null {
  const [path, previous] = [join(dataDir, publishedName), join(dataDir, previousName)]
  const held = heldTables(path)
  if (!held) return null
  const before = heldTables(previous)
  const restored = { ...held, tables: before?.tables ?? {} }
  applyTables(dataDir, restored)
  rmSync(previous, { force: true })
  return restored
}
