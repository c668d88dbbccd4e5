/**
 * The whole check: packages, Chrome and nginx, types, lint, unused code, tests, recorded cases, and the
 * compiled executable, on its command line and in a browser. With a slug only what concerns that scraper.
 * The last line has the numbers of tests that passed, failed and were skipped.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { leftoversAfter } from "./leftovers.ts"

const root = join(import.meta.dir, "..")
const bun = process.execPath
let passed = 0
let failed = 0
let skipped = 0

/** Runs a step, and prints what it printed when it ends: several run at a time. */
async function step(
  name: string,
  command: string[],
  settings: Record<string, string> = {},
): Promise<{ ok: boolean; output: string }> {
  const started = performance.now()
  const child = Bun.spawn(command, {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, FORCE_COLOR: "0", ...settings },
  })
  let output = ""
  const keep = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true })
  }
  await Promise.all([keep(child.stdout), keep(child.stderr), child.exited])
  const seconds = (milliseconds: number) => Math.round(milliseconds / 1000)
  const { user, system } = child.resourceUsage()!.cpuTime
  const cost = `${seconds(performance.now() - started)} s, ${seconds(Number(user + system) / 1000)} s of CPU`
  console.log(`\n== ${name}\n${output.trimEnd()}\n-- ${name}: ${cost}`)
  return { ok: child.exitCode === 0, output }
}

/** A step that counts as one test. */
async function single(name: string, command: string[]): Promise<boolean> {
  const { ok } = await step(name, command)
  if (ok) passed++
  else failed++
  return ok
}

/** A step that prints its own numbers, matched by patterns over all its output. */
async function counted(
  name: string,
  command: string[],
  [good, bad, left]: readonly [good: RegExp, bad: RegExp, left?: RegExp],
  settings?: Record<string, string>,
): Promise<void> {
  const { ok, output } = await step(name, command, settings)
  const sum = (pattern: RegExp) =>
    [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0)
  const lost = sum(bad)
  passed += sum(good)
  if (left) skipped += sum(left)
  // A runner that died before it could count has failed once.
  failed += lost > 0 || ok ? lost : 1
}

const prepared = Bun.spawnSync([bun, "scripts/ensure.ts", "--chrome"], {
  cwd: root,
  stdout: "inherit",
  stderr: "inherit",
})
if (prepared.exitCode !== 0) {
  console.log("\n0 passed, 1 failed")
  process.exit(1)
}
const hasCorpus = existsSync(join(root, "../shared/corpus"))
if (!hasCorpus) {
  console.log("\n../shared/corpus is missing: its recordings are skipped, test/cases is replayed.")
}
const runnersCounts = [/^\s*(\d+) pass$/gm, /^\s*(\d+) fail$/gm, /^\s*(\d+) skip$/gm] as const
/** A human with a browser before the executable. */
const withBrowser = [
  "account",
  "keyboard",
  "operate",
  "path",
  "runs",
  "screens",
  "sign-up",
  "under-path",
].map((name) => `./test/executable/${name}.ts`)
const ownCounts = [/^(\d+) passed, \d+ failed/gm, /^\d+ passed, (\d+) failed/gm] as const
/**
 * JavaScriptCore compiles and collects on threads beside a program that runs for minutes. Tests run each
 * piece of code for a short time: they compile later, without the last tier, and where no other core is
 * idle, threads of its own only cost. A third of their processor's time.
 */
const quickCompiler = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_jitPolicyScale: "3",
  BUN_JSC_useConcurrentJIT: "0",
  BUN_JSC_numberOfGCMarkers: "1",
}
/** What ends with a process may end a moment later. */
const leftoverWaitMs = 10_000
const slug = process.argv[2]
if (slug) await verifyScraper(slug)
else await verifyAll()
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
process.exit(failed > 0 ? 1 : 0)

/** One scraper alone: its types and style, its definition, its cases, its answers broken. */
async function verifyScraper(slug: string): Promise<void> {
  const [path] = [...new Bun.Glob(`src/catalogue/**/${slug}.ts`).scanSync(root)]
  if (!path) {
    console.log(`There is no src/catalogue/…/${slug}.ts.`)
    failed++
    return
  }
  const folder = dirname(path)
  const ofSite = `test/catalogue/${basename(folder)}/**/*.test.ts`
  const tests = [new Bun.Glob("test/catalogue/*.test.ts"), new Bun.Glob(ofSite)].flatMap((glob) =>
    [...glob.scanSync(root)].map((file) => `./${file}`),
  )
  await single("types", [bun, "check", "--no-script"])
  await single("lint", [bun, "node_modules/@biomejs/biome/bin/biome", "check", folder])
  await counted(
    "definition and cases",
    [bun, "test", "--timeout", "30000", "-t", slug, ...tests],
    runnersCounts,
  )
  await counted("broken answers", [bun, "test/corpus.ts", slug, "--break"], ownCounts)
}

/**
 * The executable is made first, as the tests of the command line start it. Tests wait a good part of
 * their time, so there are more of them at once than this machine has cores.
 */
async function verifyAll(): Promise<void> {
  // Short, because the path of Chrome's socket below it may have 108 bytes. PostgreSQL and nginx use it as
  // other users.
  const before = new Set(readdirSync(tmpdir()))
  const temporary = mkdtempSync(process.platform === "win32" ? join(tmpdir(), "tv-") : "/tmp/tv-")
  chmodSync(temporary, 0o1777)
  const [isBuilt] = await Promise.all([
    single("build", [bun, "build.ts", "--quick"]),
    single("types", [bun, "check", "--no-script"]),
    single("lint", [bun, "node_modules/@biomejs/biome/bin/biome", "check"]),
    single("unused", [bun, "node_modules/knip/bin/knip-bun.js"]),
  ])
  const executable = isBuilt ? { TRAWL_BINARY: join(root, "dist/trawl") } : undefined
  const workers = navigator.hardwareConcurrency + 2
  // One for all processes of the tests: each would make one of its own. A fresh clone has its packages
  // only now.
  const { hasPostgres, postgresServer, stopPostgres } = await import("../test/postgres.ts")
  const postgres = hasPostgres ? { TRAWL_TEST_POSTGRES: await postgresServer() } : undefined
  await Promise.all([
    counted(
      "tests",
      [
        // Files share their process, and what one has loaded is there for the next: a fifth of the work.
        ...[bun, "test", `--parallel=${workers}`, "--no-isolate"],
        // Long enough for a machine with other work.
        ...["--timeout", "120000"],
        // The long ones first, or the last of them would keep one core busy alone: by how long each took
        // the last time here, else by what is written.
        ...["--timings=dist/test-timings.json", "--timings=test/slowest.json", "--update-timings"],
        // And a human's ways through the executable, which ask for it by their names.
        ...["./test", ...(executable ? withBrowser : [])],
      ],
      runnersCounts,
      { ...executable, ...postgres, ...quickCompiler, TMPDIR: temporary },
    ),
    executable &&
      counted("executable", [bun, "test/smoke.ts", "--quick"], ownCounts, {
        ...executable,
        TMPDIR: temporary,
      }),
  ])
  await stopPostgres()
  const left = await leftoversAfter(leftoverWaitMs, temporary, before)
  rmSync(temporary, { recursive: true, force: true })
  if (left.length > 0) console.log(`\nThe run left behind:\n${left.join("\n")}`)
  if (left.length > 0) failed++
  else passed++
}
