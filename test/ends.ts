import type { ReplayCase } from "../src/engine/fetch/replay/case.ts"
import { type ReplayResult, replay } from "./corpus-run.ts"

/** How each case ended, by its folder: it is run once for all that the files of one process ask of it. */
const ends = new Map<string, Promise<ReplayResult>>()

export function endOf(one: ReplayCase): Promise<ReplayResult> {
  const end = ends.get(one.folder) ?? replay(one)
  ends.set(one.folder, end)
  return end
}
