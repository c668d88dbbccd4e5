import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type ReplayCase, readCase } from "../src/engine/fetch/replay/case.ts"
import { casesUnder, corpus } from "./corpus-run.ts"

/** The recordings that the tests expect, by scraper. `bun scripts/list-verified.ts` writes it. */
export const recordingsList = join(import.meta.dir, "recordings.json")

const listed: Record<string, string[]> = JSON.parse(readFileSync(recordingsList, "utf8"))

export interface Recording {
  /** `<slug>/<case>`. */
  name: string
  /**
   * Returns undefined if this machine does not have the recording; its test is then skipped and
   * counted as skipped.
   */
  recorded?: ReplayCase
}

/** Returns the recordings of a scraper: those on the list, and any others in the corpus folder. */
export function recordingsOf(slug: string): Recording[] {
  const present = existsSync(corpus) ? casesUnder(corpus, slug).map((one) => one.case) : []
  const names = new Set([...(listed[slug] ?? []), ...present])
  return [...names].sort().map((name) => {
    const folder = join(corpus, slug, name)
    const isHere = existsSync(join(folder, "case.json"))
    return { name: `${slug}/${name}`, ...(isHere && { recorded: readCase(folder) }) }
  })
}
