import { expect, test } from "bun:test"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { catalogue } from "../src/catalogue/index.ts"
import { secrets } from "../src/catalogue/kit/secrets.ts"

const root = join(import.meta.dir, "..")

/** Lines that Biome accepts or refuses (`bun run lint`) by the rules in biome.json. */
const lines: [path: string, line: string, fine: boolean][] = [
  ["src/catalogue/site/a.ts", 'import "@sinclair/typebox"', true],
  ["src/catalogue/site/b.ts", 'import "../kit/index.ts"', true],
  ["src/catalogue/site/c.ts", 'import "../../extract/core/index.ts"', true],
  ["src/catalogue/site/d.ts", 'import "./a.ts"', true],
  ["src/catalogue/site/e.ts", 'import "../other/a.ts"', false],
  ["src/catalogue/site/f.ts", 'import "../kit/outcome.ts"', false],
  ["src/catalogue/site/g.ts", 'import "../../extract/core/html.ts"', false],
  ["src/catalogue/site/h.ts", 'import "../../engine/net/http/client.ts"', false],
  ["src/catalogue/site/i.ts", 'import "linkedom"', false],
  ["src/catalogue/site/j.ts", 'export const now = new Date("2031-03-07")', true],
  ["src/catalogue/site/k.ts", "export const now = new Date()", false],
  ["src/catalogue/site/l.ts", "export const now = Date.now()", false],
  ["src/catalogue/site/m.ts", 'export const page = fetch("https://a.test/")', false],
  ["src/catalogue/site/n.ts", "export const home = process.env.HOME", false],
  ["src/catalogue/web/feeds/a.ts", 'import "../../kit/index.ts"', true],
  ["src/catalogue/web/feeds/b.ts", 'import "../site-reader.ts"', true],
  ["src/catalogue/web/feeds/c.ts", 'import "../../site/a.ts"', false],
  ["src/catalogue/kit/a.ts", 'import "../../extract/core/index.ts"', true],
  ["src/catalogue/kit/b.ts", 'import "../site/a.ts"', false],
  ["src/catalogue/kit/c.ts", 'import "../../engine/net/http/client.ts"', false],
  ["src/engine/runtime/run/a.ts", 'import "../workers/tasks.ts"', true],
  ["src/engine/runtime/run/b.ts", 'import "../../../catalogue/kit/index.ts"', true],
  ["src/engine/runtime/run/c.ts", 'import "../../../catalogue/index.ts"', false],
  ["src/engine/runtime/run/d.ts", 'import "../../../catalogue/site/a.ts"', false],
  ["src/engine/runtime/run/e.ts", 'import "../../../api/service.ts"', false],
  ["src/engine/runtime/run/f.ts", 'import "node:net"', true],
  ["src/extract/core/a.ts", 'import "../page/index.ts"', true],
  ["src/extract/core/b.ts", 'import "../page/meta.ts"', false],
  ["src/extract/core/c.ts", 'import "../../store/store.ts"', false],
  ["src/store/c.ts", 'import "../base/time.ts"', true],
  ["src/base/a.ts", 'import "../store/store.ts"', false],
  ["src/extract/core/d.ts", 'import "../../base/time.ts"', true],
  ["src/extract/core/tokens/a.ts", 'import "../../page/meta.ts"', false],
  ["src/extract/core/tokens/b.ts", 'import "../../page/index.ts"', true],
  ["src/engine/net/browser/pool/g.ts", 'import "../../../../api/scrapers.ts"', false],
  ["src/engine/net/browser/pool/h.ts", 'import "../../../../store/store.ts"', true],
  ["src/store/a.ts", 'import "./runs/runs.ts"', true],
  ["src/store/runs/a.ts", 'import "../../engine/runtime/run/execute.ts"', false],
  ["src/accounts/a.ts", 'import "../engine/runtime/run/execute.ts"', false],
  ["src/api/v1/a.ts", 'import "../../engine/runtime/run/execute.ts"', true],
  ["src/api/v1/b.ts", 'import "../../cli/run.ts"', false],
  ["src/api/http/coding/a.ts", 'import "../../../catalogue/web/crawler.ts"', false],
  ["src/api/compat/jina/a.ts", 'import "../../../catalogue/web/crawler.ts"', false],
  ["src/api/v1/c.ts", 'import * as net from "node:net"; export { net }', false],
  ["src/api/v1/d.ts", 'import type { F } from "./e.ts"; export interface D { f: F }', false],
  ["src/api/v1/e.ts", 'import type { D } from "./d.ts"; export interface F { d: D }', false],
  ["src/console/a.tsx", 'import "./parts/b.tsx"', true],
  ["src/console/b.tsx", 'import "../api/service.ts"', false],
  ["src/console/parts/page/a.tsx", 'import "../../data/ask.ts"', true],
  ["src/console/parts/c.tsx", 'import "../../base/time.ts"', false],
  ["src/console/parts/page/c.tsx", 'import "../../../base/time.ts"', false],
  ["src/console/parts/e.ts", 'import "../../base/value-tables.ts"', true],
  ["src/console/parts/d.ts", 'export const page = fetch("/api/scrape")', true],
  ["src/api/console/a.ts", 'import "../../console/data/ask.ts"', false],
  ["src/cli/a.ts", 'import "../extract/core/html.ts"', false],
  ["test/quality-a.ts", 'import "../src/extract/article/index.ts"', true],
  ["test/quality-b.ts", 'export { parseDocument } from "../src/extract/core/index.ts"', true],
  ["test/quality-c.ts", 'export { blockText } from "../src/extract/core/index.ts"', false],
  ["test/quality-d.ts", 'import "../src/extract/markdown/footnotes.ts"', false],
  ["scripts/reading/judge.ts", 'import "../../src/extract/page/index.ts"', false],
]

test("lint refuses imports between modules that are not listed, and import cycles", () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-rules-"))
  try {
    cpSync(join(root, "biome.json"), join(folder, "biome.json"))
    cpSync(join(root, "scripts/lint"), join(folder, "scripts/lint"), { recursive: true })
    for (const [path, line] of lines) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), `${line}\n`)
    }
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
    const { stdout } = Bun.spawnSync(
      [
        process.execPath,
        biome,
        "lint",
        "--vcs-enabled=false",
        "--reporter=json",
        "--max-diagnostics=500",
      ],
      { cwd: folder },
    )
    const { diagnostics } = JSON.parse(stdout.toString()) as {
      diagnostics: { location: { path: unknown } }[]
    }
    const reported = JSON.stringify(diagnostics.map(({ location }) => location.path))
    expect(lines.filter(([path, , fine]) => reported.includes(path) === fine)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test("every API key that an operator can set is used by a scraper", async () => {
  let sources = ""
  for (const path of new Bun.Glob("*/**/*.ts").scanSync(join(root, "src/catalogue"))) {
    sources += await Bun.file(join(root, "src/catalogue", path)).text()
  }
  const unused = Object.keys(secrets).filter((name) => !sources.includes(`secret("${name}")`))
  expect(unused).toEqual([])
})

test("the catalogue lists every scraper file once", async () => {
  const slugs: string[] = []
  for (const path of new Bun.Glob("*/**/*.ts").scanSync(join(root, "src/catalogue"))) {
    const source = await Bun.file(join(root, "src/catalogue", path)).text()
    if (source.includes("export default defineScraper({"))
      slugs.push(path.replace(/^.*\/|\.ts$/g, ""))
  }
  expect(catalogue.map((scraper) => scraper.slug).sort()).toEqual(slugs.sort())
})

test("no folder but the lists of sites and migrations has more than thirty files", () => {
  const counts = new Map<string, number>()
  for (const path of new Bun.Glob("{src,test,scripts,bench,docs,packages}/**/*").scanSync(root)) {
    if (path.includes("/node_modules/")) continue
    if (!path.startsWith("test/cases/") && !path.startsWith("src/store/migrations/"))
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  expect([...counts].filter(([, count]) => count > 30)).toEqual([])
})

test("files that docs/internals/architecture.md names exist", async () => {
  const text = await Bun.file(join(root, "docs/internals/architecture.md")).text()
  const named = [...text.matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
