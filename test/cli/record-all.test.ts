import { afterAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { importRecordings } from "../../scripts/import-recordings.ts"
import { readCase } from "../../src/engine/fetch/replay/case.ts"
import { casesUnder, firstFailure, ownCases } from "../corpus-run.ts"
import { ownEnvironment, trawlCommand } from "../trawl.ts"

const folder = mkdtempSync(join(tmpdir(), "record-all-"))
afterAll(() => rmSync(folder, { recursive: true }))
const slug = "deezer-artist-scraper"
const played = join(ownCases, slug, "artist-alone")

test("a recorded archive becomes cases that replay", async () => {
  const dataDir = join(folder, "data")
  mkdirSync(dataDir)
  const { input } = readCase(played)
  const probeList = { [slug]: { input, expect: ["items.length gte 1"] } }
  writeFileSync(join(dataDir, "probes.json"), JSON.stringify(probeList))
  const out = join(folder, "recordings")
  const child = Bun.spawn(
    [...trawlCommand, "record-all", slug, "pypi-package-scraper", "--out", out],
    {
      cwd: folder,
      env: { ...ownEnvironment, TRAWL_DATA_DIR: dataDir, TRAWL_REPLAY: played },
      stdout: "pipe",
      stderr: "pipe",
    },
  )
  const stated = await new Response(child.stdout).text()
  expect(await new Response(child.stderr).text()).toBe("")
  expect(await child.exited).toBe(0)
  expect(stated).toContain("2 probes were recorded")

  const { probes } = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"))
  expect(probes[0]).toMatchObject({ slug, verdict: "works", fetchMethod: "http" })
  expect(probes[1]).toMatchObject({ slug: "pypi-package-scraper", items: 0 })
  const packed = Object.keys(unzipSync(new Uint8Array(readFileSync(`${out}.zip`))))
  expect(packed).toContain("manifest.json")
  expect(packed).toContain(`${probes[0].case}/case.json`)

  const to = join(folder, "cases")
  const imported = await importRecordings(out, to)
  expect(imported.map(({ path }) => path !== null)).toEqual([true, false])
  const [recorded] = casesUnder(to, slug)
  expect(recorded!.case).toMatch(/^recorded-\d{4}-\d\d$/)
  expect(recorded!.expect.length).toBeGreaterThanOrEqual(3)
  expect(await firstFailure(recorded!)).toBeUndefined()
}, 60_000)
