/**
 * `bun run bench [name …]` runs the benchmarks, or the named ones. Each prints Trawl's figures next to
 * those of other programs in the same run. One JSON line per figure goes to
 * dist/bench/<date>-<commit>.jsonl, or to `--out FILE`; see `Figure` for its fields.
 *
 * `bun run bench --compare A B` prints the ratios of two such files.
 *
 * `bun run bench --table A [B …]` writes the figures of such files into docs/internals/performance.md, each next
 * to its rival of the same run.
 *
 * `bun run bench --profile [name …]` prints the functions in which each of Trawl's threads spent its time,
 * as Markdown. It records no figures, because sampling slows the programs down. `BENCH_PART=start` limits `api` to
 * the load of that name (`status`, `crawl`), and `list` or `call` limits `mcp`.
 *
 * Without names, `start crawl api browser markdown mcp agents load` run. Others run by name only:
 *
 * - `console`: the console's promises in a real Chrome. `hostile`: pages that are made to take long.
 * - `neighbours`: the cost of anonymous callers for an account's run.
 * - `trust <part>`: durability and fairness (bench/trust). `documents FOLDER`: documents as Trawl and other
 *   programs read them. `field [challenges] [slugs]`: scrapers against bot protection.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { comparison } from "./compare.ts"
import { benchmarkVariable, currentCommit, figuresFileVariable, readFigures } from "./figures.ts"
import { profileFolderVariable, profileText } from "./profile.ts"
import { writeTable } from "./table.ts"

const defaults = ["start", "crawl", "api", "browser", "markdown", "mcp", "agents", "load"]
/** The words after these names are their own arguments. */
const withArguments = new Set(["trust", "documents", "field"])

const words = process.argv.slice(2)
const end = words.findIndex((word) => withArguments.has(word)) + 1 || words.length
const passed = words.slice(end)
const { values, positionals } = parseArgs({
  args: words.slice(0, end),
  allowPositionals: true,
  options: {
    compare: { type: "boolean" },
    profile: { type: "boolean" },
    table: { type: "boolean" },
    out: { type: "string" },
  },
})

function compare([before, after, ...others]: string[]): void {
  if (!before || !after || others.length > 0)
    throw new Error("Give two files: bun run bench --compare A.jsonl B.jsonl")
  console.log(comparison(readFigures(before), readFigures(after)).join("\n"))
}

function table(files: string[]): void {
  if (files.length === 0) throw new Error("Give a file: bun run bench --table A.jsonl B.jsonl")
  writeTable(files.map(readFigures))
}

function profile(chosen: string[]): void {
  for (const name of namesOf(chosen)) {
    const folder = mkdtempSync(join(tmpdir(), "trawl-profile-"))
    const preload = join(import.meta.dir, "profile-thread.ts")
    start(name, { [profileFolderVariable]: folder, BUN_OPTIONS: `--preload ${preload}` })
    console.log(`\n## ${name}\n\n${profileText(folder).join("\n")}`)
    rmSync(folder, { recursive: true })
  }
}

function namesOf(chosen: string[]): string[] {
  const names = chosen.length > 0 ? chosen : defaults
  const unknown = names.find((name) => !existsSync(join(import.meta.dir, name, "main.ts")))
  if (unknown)
    throw new Error(`"${unknown}" is not a benchmark: choose from ${defaults.join(", ")}.`)
  return names
}

function start(name: string, env: Record<string, string>): void {
  console.log(`\n== ${name}`)
  const path = join(import.meta.dir, name, "main.ts")
  const words = withArguments.has(name) ? passed : []
  const { exitCode } = Bun.spawnSync([process.execPath, path, ...words], {
    stdout: "inherit",
    stderr: "inherit",
    env: { ...process.env, ...env, [benchmarkVariable]: name },
  })
  if (exitCode !== 0) process.exitCode = exitCode
}

function run(chosen: string[]): void {
  const names = namesOf(chosen)
  const day = new Date().toISOString().slice(0, 16).replace(":", "")
  const file = resolve(values.out ?? `dist/bench/${day}-${currentCommit()}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  for (const name of names) start(name, { [figuresFileVariable]: file })
  if (existsSync(file)) console.log(`\nFigures: ${file}`)
}

try {
  if (values.compare) compare(positionals)
  else if (values.table) table(positionals)
  else if (values.profile) profile(positionals)
  else run(positionals)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
