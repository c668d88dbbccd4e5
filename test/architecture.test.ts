import { describe, expect, test } from "bun:test"
import { dirname, join, relative } from "node:path"
import { catalogue } from "../src/catalogue/index.ts"
import { secrets } from "../src/catalogue/kit/index.ts"

const root = join(import.meta.dir, "../src")
const files = await Promise.all(
  [...new Bun.Glob("**/*.{ts,tsx}").scanSync(root)].sort().map(async (path) => ({
    path,
    source: await Bun.file(join(root, path)).text(),
  })),
)

/** Which rooms a room may import from, beside itself. A room is a folder of src, or a file in it. */
const mayImport: Record<string, readonly string[]> = {
  "main.ts": ["cli"],
  cli: [
    "base",
    "app.ts",
    "config.ts",
    "engine",
    "catalogue",
    "store",
    "accounts",
    "api",
    "extract",
  ],
  "app.ts": ["base", "api", "console", "engine", "accounts", "store", "catalogue", "config.ts"],
  api: ["base", "engine", "accounts", "store", "catalogue", "extract", "config.ts", "console"],
  console: ["accounts", "store", "catalogue", "config.ts", "engine"],
  accounts: ["base", "store", "catalogue", "config.ts", "engine"],
  engine: ["base", "catalogue", "store", "extract", "config.ts"],
  store: ["base", "catalogue"],
  catalogue: ["base", "extract"],
  extract: ["base"],
  base: [],
  "config.ts": [],
}

const roomOf = (path: string) => path.split("/")[0]!

function imports(source: string): string[] {
  return [...source.matchAll(/(?:from|import\(?)\s*["']([^"']+)["']/g)].map((match) => match[1]!)
}

describe("imports point one way", () => {
  for (const { path, source } of files) {
    test(path, () => {
      const room = roomOf(path)
      const allowed = mayImport[room]
      expect(allowed, `src/${room} is no known room`).toBeDefined()
      for (const name of imports(source)) {
        if (!name.startsWith(".")) continue
        const target = roomOf(relative(root, join(root, dirname(path), name)))
        if (target === room || target === "..") continue
        expect([room, ...allowed!], `${path} imports ${name}`).toContain(target)
      }
    })
  }
})

describe("scrapers describe and parse, and do nothing else", () => {
  const own = new Set(
    files
      .flatMap(({ path }) => /^catalogue\/([^/]+)$/.exec(path)?.[1] ?? [])
      .filter((name) => name !== "index.ts"),
  )
  const helpers = new Set(
    files
      .filter(
        ({ path, source }) => path.startsWith("catalogue/") && !source.includes("defineScraper({"),
      )
      .map(({ path }) => path),
  )
  for (const { path, source } of files) {
    if (!/^catalogue\/.+\//.test(path)) continue
    test(path, () => {
      for (const name of imports(source)) {
        const kind = name.startsWith(".") ? relative(root, join(root, dirname(path), name)) : name
        const fine =
          kind === "@sinclair/typebox" ||
          kind.startsWith("extract/") ||
          kind.startsWith("base/") ||
          helpers.has(kind) ||
          own.has(kind.replace("catalogue/", ""))
        expect(fine, `${path} imports ${name}`).toBe(true)
      }
      const code = source
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
        .replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, '""')
      for (const forbidden of [
        /(?:await|return|=>|=|\()\s*fetch\(/,
        /\bDate\.now\(/,
        /new Date\(\)/,
        /\bprocess\./,
        /\bsetTimeout\(/,
        /\bBun\.(?!hash|SHA|CryptoHasher)/,
      ]) {
        expect(code, `${path} uses ${forbidden}`).not.toMatch(forbidden)
      }
    })
  }
})

test("only the engine reaches the network", () => {
  for (const { path, source } of files) {
    if (path.startsWith("engine/") || path.startsWith("console/client/")) continue
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
    expect(code, path).not.toMatch(
      /(?:await|return|=>|=|\()\s*fetch\(|\bBun\.connect\(|from "node:(?:net|tls|http|https|dns)/,
    )
  }
})

test("every key of an upstream that is offered to the operator is used", () => {
  const used = files.filter(({ path }) => /^catalogue\/.+\//.test(path)).map(({ source }) => source)
  for (const name of Object.keys(secrets)) {
    expect(
      used.some((source) => source.includes(`secret("${name}")`)),
      name,
    ).toBe(true)
  }
})

test("the catalogue lists every scraper file once", () => {
  const slugs = files
    .filter(
      ({ path, source }) => /^catalogue\/.+\//.test(path) && source.includes("defineScraper({"),
    )
    .map(({ path }) => path.replace(/^.*\/|\.ts$/g, ""))
  expect(catalogue.map((scraper) => scraper.slug).sort()).toEqual(slugs.sort())
})
