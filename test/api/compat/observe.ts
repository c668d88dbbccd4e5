import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Observed, readObserved } from "./standings.ts"

const suites = [
  "apify",
  "apify-automation",
  "firecrawl",
  "firecrawl-jobs",
  "firecrawl-mcp",
  "firecrawl-monitors",
  "firecrawl-parse",
  "firecrawl-search",
  "firecrawl-watcher",
  "job-hooks",
  "methods",
  "reader",
  "refused",
]

/**
 * Runs the tests of the compatible APIs, and returns what they recorded.
 * @throws Error if one fails
 */
export async function observe(): Promise<Observed> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-observed-"))
  const path = join(folder, "calls.jsonl")
  try {
    const files = suites.map((name) => join(import.meta.dir, `${name}.test.ts`))
    const { exitCode, stderr } = Bun.spawnSync(
      [process.execPath, "test", "--timeout", "60000", ...files],
      { env: { ...process.env, COMPATIBILITY_CALLS: path }, stdout: "ignore", stderr: "pipe" },
    )
    if (exitCode !== 0) throw new Error(stderr.toString().slice(-4000))
    return readObserved(await Bun.file(path).text())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
