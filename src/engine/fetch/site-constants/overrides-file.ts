import { readFileSync, statSync } from "node:fs"
import { messageOf } from "../../../base/error-message.ts"
import { parseJson } from "../../../base/json-text.ts"

/** The name of the file in the data folder. */
export const overridesName = "upstreams.json"
const maxBytes = 1_000_000

/** Overrides by site, or the reason why the file cannot be read. */
export interface ReadOverrides {
  bySite: Record<string, unknown>
  issue: string | null
  /** Time of the file's last change; null if there is no file. */
  changedAt: number | null
}

const none: ReadOverrides = { bySite: {}, issue: null, changedAt: null }

/** A fingerprint that changes with the file. */
export function fileMark(path: string | undefined): string {
  const stat = path ? statSync(path, { throwIfNoEntry: false }) : undefined
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : ""
}

export function readOverrides(
  path: string | undefined,
  what = "one group of values a site",
): ReadOverrides {
  if (!path) return none
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return none
    const changedAt = stat.mtimeMs
    if (stat.size > maxBytes) {
      return { bySite: {}, issue: `is larger than ${maxBytes} bytes.`, changedAt }
    }
    const bySite = parseJson(readFileSync(path, "utf8")) as Record<string, unknown> | null
    if (typeof bySite !== "object" || bySite === null || Array.isArray(bySite)) {
      return { bySite: {}, issue: `must hold ${what}.`, changedAt }
    }
    return { bySite, issue: null, changedAt }
  } catch (error) {
    return { bySite: {}, issue: `cannot be read: ${messageOf(error)}`, changedAt: null }
  }
}
