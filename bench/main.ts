/**
 * Runs the benchmarks, or those named: `bun run bench [start|crawl|api|browser|markdown|mcp|agents|load|console|hostile|neighbours]`.
 * Each prints Trawl's figure beside others' of the same run, and their ratio; the last three, which are not run
 * unless they are named, what the console promises in a real Chrome, what pages made to take long do, and
 * what callers without a key cost an account's run. `trust <part>`: what must hold (bench/trust);
 * `documents FOLDER`: a folder's documents as Trawl and as other programs read them. What hostile pages
 * leave of Chrome: `bun bench/browser/hostile.ts`. `field [walls] [slugs]`: how scrapers do against bot walls.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"

const known = ["start", "crawl", "api", "browser", "markdown", "mcp", "agents", "load"]
const wanted = process.argv.slice(2)
const [first, ...parts] = wanted
const takesParts = first === "trust" || first === "documents" || first === "field"
for (const name of takesParts ? [first] : first ? wanted : known) {
  const path = join(import.meta.dir, name, "main.ts")
  if (!existsSync(path)) {
    console.log(`There is no benchmark "${name}"; there are ${known.join(", ")}.`)
    continue
  }
  console.log(`\n== ${name}`)
  const { exitCode } = Bun.spawnSync([process.execPath, path, ...(takesParts ? parts : [])], {
    stdout: "inherit",
    stderr: "inherit",
  })
  if (exitCode !== 0) process.exitCode = exitCode
}
