import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Cut, cutsOf, issueAfter, recordWrites } from "./power.ts"

test("a power cut between two pages leaves exactly the acknowledged data", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-cut-"))
  try {
    const cuts = [...cutsOf(await recordWrites(9))]
    expect(cuts.length).toBeGreaterThan(30)
    expect(new Set(cuts.map(({ state }) => state)).size).toBeGreaterThan(5)
    expect(cuts.map((cut) => issueAfter(cut, folder)).filter(Boolean)).toEqual([])
    // The model detects a missing change and a damaged page.
    const last = cuts.at(-1)!
    const damaged = last.database.slice()
    damaged.fill(0xff, 4096, 8192)
    const wrong: Cut[] = [
      { ...last, log: cuts[0]!.log },
      { ...last, database: damaged, log: last.log.subarray(0, 32) },
    ]
    for (const cut of wrong) expect(issueAfter(cut, folder)).not.toBeNull()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
