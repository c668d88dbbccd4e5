/**
 * The whole check: packages, Chrome and nginx, types, lint, catalogue list, tests, recorded cases, and
 * the compiled executable: as a newcomer starts it, and as a human meets it in a browser. With a slug
 * only what concerns that scraper. The last line tells the true numbers.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dir, "..")
const bun = process.execPath
let passed = 0
let failed = 0

/** Runs a step, passing its output on; gives its exit code and what it printed. */
async function step(name: string, command: string[]): Promise<{ ok: boolean; output: string }> {
  console.log(`\n== ${name}`)
  const started = performance.now()
  const child = Bun.spawn(command, {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, FORCE_COLOR: "0" },
  })
  let output = ""
  const pass = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true })
      output += text
      process.stdout.write(text)
    }
  }
  await Promise.all([pass(child.stdout), pass(child.stderr), child.exited])
  console.log(`-- ${name}: ${Math.round((performance.now() - started) / 1000)} s`)
  return { ok: child.exitCode === 0, output }
}

/** A step that counts as one test. */
async function single(name: string, command: string[]): Promise<void> {
  const { ok } = await step(name, command)
  if (ok) passed++
  else failed++
}

/** A step that prints its own numbers, matched by two patterns over all its output. */
async function counted(name: string, command: string[], good: RegExp, bad: RegExp): Promise<void> {
  const { ok, output } = await step(name, command)
  const sum = (pattern: RegExp) =>
    [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0)
  const lost = sum(bad)
  passed += sum(good)
  // A runner that died before it could count has failed once.
  failed += lost > 0 || ok ? lost : 1
}

const prepared = await step("packages, Chrome and nginx", [bun, "scripts/ensure.ts", "--chrome"])
if (!prepared.ok) {
  console.log("\n0 passed, 1 failed")
  process.exit(1)
}
if (!existsSync(join(root, "../shared/corpus"))) {
  console.log("\nThe recorded corpus (../shared) is not here: only test/cases is replayed.")
}
const runnersCounts = [/^\s*(\d+) pass$/gm, /^\s*(\d+) fail$/gm] as const
const ownCounts = [/^(\d+) passed, \d+ failed/gm, /^\d+ passed, (\d+) failed/gm] as const
const slug = process.argv[2]
if (slug) await verifyScraper(slug)
else await verifyAll()
console.log(`\n${passed} passed, ${failed} failed`)
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
  await single("types", [bun, "check", "--no-script"])
  await single("lint", [bun, "node_modules/@biomejs/biome/bin/biome", "check", folder])
  await counted(
    "definition and own cases",
    [bun, "test", "--timeout", "30000", "-t", slug, "./test/catalogue/"],
    ...runnersCounts,
  )
  await counted("recorded cases", [bun, "test/corpus.ts", slug], ...ownCounts)
  await counted("broken answers", [bun, "test/corpus.ts", slug, "--break"], ...ownCounts)
}

async function verifyAll(): Promise<void> {
  await single("types", [bun, "check", "--no-script"])
  await single("lint", [bun, "node_modules/@biomejs/biome/bin/biome", "check"])
  await counted("tests", [bun, "test", "--timeout", "30000"], ...runnersCounts)
  await counted("recorded cases", [bun, "test/corpus.ts"], ...ownCounts)
  await single("build", [bun, "build.ts"])
  await counted("executable", [bun, "test/smoke.ts"], ...ownCounts)
  await counted(
    "executable, in a browser",
    [bun, "test", "--timeout", "30000", "./test/executable/sign-up.ts"],
    ...runnersCounts,
  )
}
