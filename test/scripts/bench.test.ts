import { afterAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compareFigures } from "../../bench/compare.ts"
import { type Figure, readFigures } from "../../bench/figures.ts"
import { profileText, type ThreadProfile } from "../../bench/profile.ts"
import { tableOf } from "../../bench/table.ts"

const root = join(import.meta.dir, "../..")
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

function bench(...words: string[]) {
  const command = [process.execPath, "bench/main.ts", ...words]
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root })
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

const figure = (name: string, value: number, unit: string): Figure => ({
  ...{ benchmark: "crawl", name, value, unit },
  ...{ commit: "abc", date: "2026-01-01T00:00:00.000Z", cpu: "Processor × 2", load: 0.5 },
})

test("a figure is a JSON line with commit, date, processor and load", () => {
  const path = join(folder, "figures.jsonl")
  const code = `import { record } from "./bench/figures.ts"; record("Trawl", 2439.123456, "pages/s"); record("none", NaN, "ms")`
  const env = { ...process.env, BENCH_FIGURES: path, BENCH_NAME: "crawl" }
  expect(Bun.spawnSync([process.execPath, "-e", code], { cwd: root, env }).exitCode).toBe(0)
  const figures = readFigures(path)
  expect(figures).toEqual([
    {
      ...{ benchmark: "crawl", name: "Trawl", value: 2439.12, unit: "pages/s" },
      commit: expect.stringMatching(/^(?:[0-9a-f]{12}\+?|unknown)$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      cpu: expect.stringMatching(/ × \d+$/),
      load: expect.any(Number),
    },
  ])
})

test("a comparison gives ratios, by the median of each figure", () => {
  const before = [10, 1000, 12].map((value) => figure("Trawl", value, "pages/s"))
  const after = [figure("Trawl", 18, "pages/s"), figure("only here", 1, "ms")]
  expect(compareFigures(before, after)).toEqual([
    {
      ...{ name: "crawl: Trawl, pages/s", before: 12, after: 18, unit: "pages/s" },
      ...{ ratio: 1.5, change: "better" },
    },
  ])
})

const changes: [unit: string, before: number, after: number, change: string][] = [
  ["pages/s", 100, 80, "worse"],
  ["pages/s", 100, 98, "same"],
  ["ms", 100, 80, "better"],
  ["MB", 100, 120, "worse"],
  ["times", 2, 3, "better"],
]
for (const [unit, before, after, change] of changes) {
  test(`from ${before} to ${after} ${unit} is ${change}`, () => {
    const rows = compareFigures([figure("x", before, unit)], [figure("x", after, unit)])
    expect(rows.map((row) => row.change)).toEqual([change as never])
  })
}

test("--compare prints the figures of two files and refuses others", () => {
  const path = (name: string, ...figures: Figure[]) => {
    const file = join(folder, name)
    writeFileSync(file, figures.map((one) => `${JSON.stringify(one)}\n`).join(""))
    return file
  }
  const a = path("a.jsonl", figure("Trawl", 2000, "pages/s"))
  const b = path("b.jsonl", figure("Trawl", 2500, "pages/s"))
  const { exitCode, stdout } = bench("--compare", a, b)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/crawl: Trawl, pages\/s +2,000 +2,500 pages\/s +1\.25 +better/)
  expect(bench("--compare", a).exitCode).toBe(2)
  const broken = join(folder, "broken.jsonl")
  writeFileSync(broken, "{}\n")
  expect(bench("--compare", a, broken).stderr).toContain("broken.jsonl:1 is not a figure")
  expect(bench("nothing").stderr).toContain('"nothing" is not a benchmark')
})

test("the table has the figures of each run next to the rival's of the same run", () => {
  const runs = [
    [figure("Trawl", 2000, "pages/s"), figure("bare loop", 4000, "pages/s")],
    [figure("Trawl", 2400, "pages/s"), figure("bare loop", 3000, "pages/s")],
  ]
  const lines = tableOf(runs)
  expect(lines[0]).toBe(
    "- Run 1: commit `abc`, 2026-01-01 00:00 UTC, Processor × 2, load 0.5 to 0.5.",
  )
  expect(lines).toContain(
    "| crawl | 2,000 pages/s, 2,400 pages/s | bare loop 4,000 pages/s, 3,000 pages/s | 0.5, 0.8 | 0.75 | 0.61 |",
  )
  expect(lines.find((line) => line.startsWith("| memory at rest "))).toContain("| –, – |")
})

test("a profile lists the functions of each of Trawl's threads, added up", () => {
  const into = join(folder, "profile")
  mkdirSync(into)
  const thread = (program: string, script: string, samples: number): ThreadProfile => ({
    ...{ program, script, thread: 1, samples },
    ...{ self: { "parse a.ts": samples / 2, all: samples / 2 }, whole: { "parse a.ts": samples } },
    tiers: { DFG: samples },
  })
  const threads = [
    thread("src/main.ts", "src/worker.ts", 100),
    thread("src/main.ts", "src/worker.ts", 300),
    thread("bench/api/bare.ts", "main", 900),
    thread("src/main.ts", "src/seldom.ts", 10),
  ]
  for (const [index, one] of threads.entries()) {
    writeFileSync(join(into, `${index}.json`), JSON.stringify(one))
  }
  const lines = profileText(into)
  expect(lines.filter((line) => line.startsWith("### "))).toEqual(["### src/worker.ts"])
  expect(lines).toContain("400 samples; DFG 100.0 %.")
  expect(lines).toContain("| 50.0 | 100.0 | `parse a.ts` |")
})
