/**
 * `bun run verify` checks everything: packages, types, lint, words, unused code, tests, recorded cases, and
 * the compiled executable on its command line and in a browser. `--all` adds the tests that repeat others
 * with more data; the scheduled workflow runs them. `bun run verify <slug>` checks one scraper.
 * The last line has the numbers of tests that passed, failed and were skipped.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { leftoversAfter } from "./leftovers.ts"

const root = join(import.meta.dir, "..")
const bun = process.execPath
let passed = 0
let failed = 0
let skipped = 0

/** Runs a step. Prints its output once it has ended, because several steps run at the same time. */
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
  const append = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true })
  }
  await Promise.all([append(child.stdout), append(child.stderr), child.exited])
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

/** A step that prints how many tests passed, failed and were skipped. The patterns match these numbers. */
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
/** Tests of the executable in a browser. Bun does not find them, as their names do not end in .test.ts. */
const ofBrowser = (name: string) => `./test/executable/${name}.ts`
const withBrowser = [ofBrowser("console")]
/**
 * Tests that only `--all` runs: they repeat the paths of others, or use screens that `console`
 * opens.
 */
const withBrowserInAll = ["destinations", "operate", "path", "picker", "push"].map(ofBrowser)
const ownCounts = [/^(\d+) passed, \d+ failed/gm, /^\d+ passed, (\d+) failed/gm] as const
/**
 * JavaScriptCore compiles and collects on separate threads, which pays off in programs that run for
 * minutes. Tests run each piece of code for a short time. So they compile later, without the last
 * tier and without these threads. This saves a third of the processor time.
 */
const quickCompiler = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_jitPolicyScale: "3",
  BUN_JSC_useConcurrentJIT: "0",
  BUN_JSC_numberOfGCMarkers: "1",
}
/** Child processes may end a moment after their parent. */
const leftoverWaitMs = 10_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false } },
})
const [slug] = positionals
if (slug) await verifyScraper(slug)
else await verifyAll()
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
process.exit(failed > 0 ? 1 : 0)

/** Checks the types, style, definition and cases of one scraper, and its cases with broken responses. */
async function verifyScraper(slug: string): Promise<void> {
  const [path] = [...new Bun.Glob(`src/catalogue/**/${slug}.ts`).scanSync(root)]
  if (!path) {
    console.log(`src/catalogue/…/${slug}.ts does not exist.`)
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
 * Builds the executable before the tests, because they start it. Tests wait for much of their time, so more
 * of them run at the same time than this machine has cores, and the lint steps run next to both.
 */
async function verifyAll(): Promise<void> {
  const before = new Set(readdirSync(tmpdir()))
  const temporary = temporaryFolder()
  // PostgreSQL and nginx use it as other users.
  chmodSync(temporary, 0o1777)
  const built = single("build", [bun, "build.ts", "--quick"])
  const linted = Promise.all([
    single("types", [bun, "check", "--no-script"]),
    single("lint", [bun, "node_modules/@biomejs/biome/bin/biome", "check"]),
    single("words", [bun, "scripts/lint-words.ts"]),
    single("layers", [bun, "scripts/lint-layers.ts"]),
    single("unused", [bun, "node_modules/knip/bin/knip-bun.js"]),
  ])
  const observed = join(temporary, "calls.jsonl")
  const workers = navigator.hardwareConcurrency + 3
  // One server for all test processes. Imported here, because a fresh clone has had no packages until now.
  const { hasPostgres, postgresServer, stopPostgres } = await import("../test/postgres.ts")
  const postgres = hasPostgres
    ? { TRAWL_TEST_POSTGRES: await postgresServer(temporary) }
    : undefined
  const executable = (await built) ? { TRAWL_BINARY: join(root, "dist/trawl") } : undefined
  await Promise.all([
    counted(
      "tests",
      [
        // Test files share their process, so modules stay loaded for the next file: this saves a
        // fifth.
        ...[bun, "test", `--parallel=${workers}`, "--no-isolate"],
        // Long enough for a busy machine.
        ...["--timeout", "120000"],
        // The longest files first, so that no core is idle at the end: by their last time here, else by
        // slowest.json.
        ...["--timings=dist/test-timings.json", "--timings=test/slowest.json", "--update-timings"],
        ...[
          "./test",
          ...(executable ? withBrowser : []),
          ...(executable && values.all ? withBrowserInAll : []),
        ],
      ],
      runnersCounts,
      {
        ...{ ...executable, ...postgres, ...quickCompiler, TMPDIR: temporary },
        COMPATIBILITY_CALLS: observed,
        VERIFY_ALL: values.all ? "1" : "0",
      },
    ),
    executable &&
      counted("executable", [bun, "test/smoke.ts", "--quick"], ownCounts, {
        ...executable,
        TMPDIR: temporary,
      }),
    linted,
  ])
  await single("compatibility", [bun, "scripts/list-compatibility.ts", "--check", observed])
  await stopPostgres()
  const left = await leftoversAfter(leftoverWaitMs, temporary, before)
  rmSync(temporary, { recursive: true, force: true })
  if (left.length > 0) console.log(`\nThe run left behind:\n${left.join("\n")}`)
  if (left.length > 0) failed++
  else passed++
}

/**
 * Makes the folder for the tests' files. A file system in memory saves a twentieth of the time. The path is
 * short, because the path of Chrome's socket in it may have 108 bytes.
 */
function temporaryFolder(): string {
  if (process.platform === "win32") return mkdtempSync(join(tmpdir(), "tv-"))
  if (!isUsable("/dev/shm")) return mkdtempSync("/tmp/tv-")
  // As long as the path in /tmp, because Chrome uses another folder if a path is too long.
  const folder = `/dev/shm/tv${crypto.randomUUID().slice(0, 3)}`
  mkdirSync(folder)
  return folder
}

/** The tests use up to 200 MB, and run programs there. */
function isUsable(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n")
    const options = mounts.map((line) => line.split(" ")).find(([, at]) => at === folder)?.[3]
    return bavail * bsize > 2 * 1024 ** 3 && options?.split(",").includes("noexec") === false
  } catch {
    return false
  }
}
