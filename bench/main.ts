/**
 * `bun run bench [name …]` runs the benchmarks, or the named ones. Each prints Trawl's figures next to
 * those of other programs in the same run. One JSON line per figure goes to
 * dist/bench/<date>-<commit>.jsonl, or to `--out FILE`; see `Figure` for its fields.
 *
 * `bun run bench --compare A B` prints the ratios of two such files.
 *
 * Without names, `start crawl api browser markdown mcp agents load` run. Others run by name only:
 *
 * - `console`: the console's promises in a real Chrome. `hostile`: pages that are made to take long.
 * - `neighbours`: the cost of anonymous callers for an account's run.
 * - `trust <part>`: durability and fairness (bench/trust). `documents FOLDER`: documents as Trawl and other
 *   programs read them. `field [challenges] [slugs]`: scrapers against bot protection.
 */
import { existsSync, mkdirSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { comparison } from "./compare.ts"
import { benchmarkVariable, currentCommit, figuresFileVariable, readFigures } from "./figures.ts"

const defaults = ["start", "crawl", "api", "browser", "markdown", "mcp", "agents", "load"]
/** The words after these names are their own arguments. */
const withArguments = new Set(["trust", "documents", "field"])

const words = process.argv.slice(2)
const end = words.findIndex((word) => withArguments.has(word)) + 1 || words.length
const passed = words.slice(end)
const { values, positionals } = parseArgs({
  args: words.slice(0, end),
  allowPositionals: true,
  options: { compare: { type: "boolean" }, out: { type: "string" } },
})

function compare([before, after, ...others]: string[]): void {
  if (!before || !after || others.length > 0)
    throw new Error("Give two files: bun run bench --compare A.jsonl B.jsonl")
  console.log(comparison(readFigures(before), readFigures(after)).join("\n"))
}

function run(chosen: string[]): void {
  const names = chosen.length > 0 ? chosen : defaults
  const unknown = names.find((name) => !existsSync(join(import.meta.dir, name, "main.ts")))
  if (unknown)
    throw new Error(`"${unknown}" is not a benchmark: choose from ${defaults.join(", ")}.`)
  const day = new Date().toISOString().slice(0, 16).replace(":", "")
  const file = resolve(values.out ?? `dist/bench/${day}-${currentCommit()}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  for (const name of names) {
    console.log(`\n== ${name}`)
    const path = join(import.meta.dir, name, "main.ts")
    const { exitCode } = Bun.spawnSync(
      [process.execPath, path, ...(withArguments.has(name) ? passed : [])],
      {
        stdout: "inherit",
        stderr: "inherit",
        env: { ...process.env, [figuresFileVariable]: file, [benchmarkVariable]: name },
      },
    )
    if (exitCode !== 0) process.exitCode = exitCode
  }
  if (existsSync(file)) console.log(`\nFigures: ${file}`)
}

try {
  if (values.compare) compare(positionals)
  else run(positionals)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
