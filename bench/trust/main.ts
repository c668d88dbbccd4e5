/**
 * Long versions of short tests: `bun run bench trust <part> [count]`. Each prints its counts, and
 * exits with code 1 if one of them is wrong. docs/internals/trust.md has the figures.
 */
import { join } from "node:path"

const parts = [
  "egress", "rebind", "power", "crash", "readers", "fuzz", "replays", "commands", "growth", "soak", "faults", "fair",
] // biome-ignore format: a list reads better dense
const part = process.argv[2] ?? ""
if (!parts.includes(part)) {
  console.log(`There is no part "${part}"; there are ${parts.join(", ")}.`)
  process.exit(1)
}
const { exitCode } = Bun.spawnSync(
  [process.execPath, join(import.meta.dir, `${part}.ts`), ...process.argv.slice(3)],
  { stdout: "inherit", stderr: "inherit" },
)
process.exit(exitCode)
