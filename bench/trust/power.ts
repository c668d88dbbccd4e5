/** Cuts a recorded sequence of changes at each written page: `bun run bench trust power [changes]`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cutsOf, faultAfter, recordWrites } from "../../test/trust/power.ts"

const changes = Number(process.argv[2] ?? 100)
const folder = mkdtempSync(join(tmpdir(), "trawl-cut-"))
const epochs = await recordWrites(changes)
let cuts = 0
const faults: string[] = []
for (const cut of cutsOf(epochs)) {
  cuts++
  const fault = faultAfter(cut, folder)
  if (fault) faults.push(fault)
}
rmSync(folder, { recursive: true, force: true })
console.log(`${changes} changes, ${epochs.length} logs, ${cuts} cuts: ${faults.length} faults`)
for (const fault of faults.slice(0, 20)) console.log(fault)
process.exit(faults.length > 0 ? 1 : 0)
