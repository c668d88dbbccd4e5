import type { ReplayCase } from "../src/engine/fetch/replay/case.ts"
import { type ReplayResult, replay } from "./corpus-run.ts"

/** The result of each case by its folder, shared by all tests of one process. */
const ends = new Map<string, Promise<ReplayResult>>()

export function endOf(one: ReplayCase): Promise<ReplayResult> {
  const end = ends.get(one.folder) ?? replay(one)
  ends.set(one.folder, end)
  return end
}
