/**
 * Builds dist/trawl, one executable with everything in it. `--target bun-linux-arm64-musl` and the
 * like build for another platform, `--outfile PATH` elsewhere.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { collectNotices, noticesText } from "./scripts/notices.ts"
import { noticesFile } from "./src/cli/licenses.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { target: { type: "string" }, outfile: { type: "string", default: "dist/trawl" } },
})

/** Threads are entry points of their own, found by their path in the executable. */
const entryPoints = [
  "src/main.ts",
  "src/worker.ts",
  "src/api/reading/reading-thread.ts",
  "src/engine/browser/browser-thread.ts",
  "src/store/writer/writer-thread.ts",
]

/** Goes into the executable as it is; `trawl licenses` prints it. */
const folder = mkdtempSync(join(tmpdir(), "trawl-build-"))
const notices = join(folder, noticesFile)
await Bun.write(notices, noticesText(collectNotices(import.meta.dir)))

const command = [
  process.execPath,
  "build",
  ...entryPoints,
  notices,
  // Of no kind that Bun knows: taken as it is.
  "--loader=.notices:file",
  // Threads are found by their path under it, whatever lies elsewhere.
  "--root=src",
  "--compile",
  "--minify",
  // What several threads load is in the executable once.
  "--splitting",
  "--bytecode",
  "--format=esm",
  // A folder in which the executable happens to be started must not configure it.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  // HTTP/2 where a host speaks it; it is agreed upon in the hello, so no host is asked twice.
  "--compile-exec-argv=--experimental-http2-fetch",
  `--outfile=${values.outfile}`,
  ...(values.target ? [`--target=${values.target}`] : []),
]
const { exitCode } = Bun.spawnSync(command, {
  cwd: import.meta.dir,
  stdout: "inherit",
  stderr: "inherit",
})
rmSync(folder, { recursive: true, force: true })
process.exit(exitCode)
