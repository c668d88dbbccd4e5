import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readCase } from "../../src/engine/fetch/replay/case.ts"
import { TestApp } from "../api/app.ts"
import { describedRoutes } from "../api/described.ts"
import { brokenBytes, hostileTexts, Maker, nearly, pick } from "./fuzzed.ts"
import { random } from "./mutate.ts"

/** A short version; `bun run bench trust fuzz` and `replays` send far more, over connections. */
const bodiesEach = 4
const files = 120

let app: TestApp
let key: string
const folder = mkdtempSync(join(tmpdir(), "trawl-fuzzed-"))
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 1_000_000, keylessWait: 0 })
  key = (await app.account({ unlimited: true })).key
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Content {
  schema?: object
  examples?: Record<string, { value: unknown }>
}

test("no body with broken values or bytes, and no path, gets an internal error", async () => {
  const next = random(31)
  const maker = new Maker(next)
  let sent = 0
  for (const { method, path, detail } of describedRoutes(app.app)) {
    // A password takes half a second.
    if (/account|session|signup/.test(path)) continue
    const content = (detail.requestBody as { content?: Record<string, Content> } | undefined)
      ?.content
    const json = content?.["application/json"]
    for (let n = 0; n < (json ? bodiesEach : 1); n++) {
      const [example] = Object.values(json?.examples ?? {})
      const right = example?.value ?? maker.fitting(json?.schema)
      const text = new TextEncoder().encode(JSON.stringify(nearly(right, next)) ?? "")
      const body = new TextDecoder().decode(brokenBytes(text, next))
      const url = path.replace(/:\w+/g, () =>
        pick(next, ["%ff", "%", "x", encodeURIComponent(pick(next, hostileTexts).toWellFormed())]),
      )
      const response = await app.call(method, url, { key, ...(json && { body }) })
      expect(response.status, `${method} ${url} ${body}: ${response.text}`).toBeLessThan(500)
      sent++
    }
  }
  expect(sent).toBeGreaterThan(150)
}, 60_000)

test("a broken file of a recorded case is refused by its position, or is valid", () => {
  const next = random(32)
  const path = join(import.meta.dir, "../cases/npm-package-scraper/old-manifest/case.json")
  const right = readFileSync(path)
  let refused = 0
  for (let n = 0; n < files; n++) {
    const bytes =
      n % 2 ? brokenBytes(right, next) : JSON.stringify(nearly(JSON.parse(right.toString()), next))
    writeFileSync(join(folder, "case.json"), bytes)
    try {
      expect(readCase(folder).exchanges).toBeArray()
    } catch (error) {
      refused++
      expect(String(error)).toMatch(/: |JSON/)
      expect(String(error)).not.toMatch(/is not an object|is not a function|undefined is/)
    }
  }
  expect(refused).toBeGreaterThan(files / 10)
})

test("the same seed breaks inputs alike, and in many ways", () => {
  const bytes = new TextEncoder().encode('{"urls":["a.test"],"fields":["a: b"]}')
  const all = Array.from({ length: 60 }, (_, seed) => brokenBytes(bytes, random(seed)).join())
  expect(new Set(all).size).toBeGreaterThan(50)
  expect(brokenBytes(bytes, random(7))).toEqual(brokenBytes(bytes, random(7)))
})
