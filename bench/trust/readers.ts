/**
 * Runs every reader of pages on mutated pages: `bun run bench trust readers [pages a reader] [first
 * seed]`.
 */
import { readers, thrownAt } from "../../test/trust/readers.ts"

const each = Number(process.argv[2] ?? 200)
const first = Number(process.argv[3] ?? 1)
const issues: string[] = []
let slowest = { cpuMs: 0, what: "" }
for (const slug of readers) {
  for (let seed = first; seed < first + each; seed++) {
    const { thrown, cpuMs } = await thrownAt(slug, seed)
    if (thrown) issues.push(thrown)
    if (cpuMs > slowest.cpuMs) slowest = { cpuMs, what: `${slug}, seed ${seed}` }
  }
}
console.log(`${readers.length} readers, ${each} pages each: ${issues.length} threw`)
console.log(`slowest: ${Math.round(slowest.cpuMs)} ms of the processor (${slowest.what})`)
for (const issue of issues.slice(0, 30)) console.log(issue)
process.exit(issues.length > 0 ? 1 : 0)
