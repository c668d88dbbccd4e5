/**
 * Builds dist/trawl, one executable with everything in it. `--target bun-linux-arm64-musl` and the
 * like build for another platform, `--outfile PATH` elsewhere.
 */
import { parseArgs } from "node:util"

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { target: { type: "string" }, outfile: { type: "string", default: "dist/trawl" } },
})

/** Threads are entry points of their own, found by their path in the executable. */
const entryPoints = [
  "src/main.ts",
  ...new Bun.Glob("src/**/*{-thread,worker}.ts").scanSync(import.meta.dir),
]

const command = [
  process.execPath,
  "build",
  ...entryPoints,
  "--compile",
  "--minify",
  "--bytecode",
  "--format=esm",
  // A folder in which the executable happens to be started must not configure it.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  `--outfile=${values.outfile}`,
  ...(values.target ? [`--target=${values.target}`] : []),
]
const { exitCode } = Bun.spawnSync(command, {
  cwd: import.meta.dir,
  stdout: "inherit",
  stderr: "inherit",
})
process.exit(exitCode)
