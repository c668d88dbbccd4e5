/**
 * Cuts a recorded sequence of changes after each written page: `bun run bench trust power
 * [changes]`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cutsOf, issueAfter, recordWrites } from "../../test/trust/power.ts"

const changes = Number(process.argv[2] ?? 100)
const folder = mkdtempSync(join(tmpdir(), "trawl-cut-"))
const epochs = await recordWrites(changes)
let cuts = 0
const issues: string[] = []
for (const cut of cutsOf(epochs)) {
  cuts++
  const issue = issueAfter(cut, folder)
  if (issue) issues.push(issue)
}
rmSync(folder, { recursive: true, force: true })
console.log(`${changes} changes, ${epochs.length} logs, ${cuts} cuts: ${issues.length} faults`)
for (const issue of issues.slice(0, 20)) console.log(issue)
process.exit(issues.length > 0 ? 1 : 0)
