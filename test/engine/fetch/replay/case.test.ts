import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readCase } from "../../../../src/engine/fetch/replay/case.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-case-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const right = {
  slug: "meta-tags-scraper",
  input: { urls: ["https://a.test/"] },
  exchanges: [
    { method: "GET", url: "https://a.test/", status: 200, headers: { "set-cookie": ["a=1"] } },
  ],
}
const written = (value: unknown) => {
  writeFileSync(join(folder, "case.json"), JSON.stringify(value))
  return () => readCase(folder)
}

test("a broken case file is reported with the position", () => {
  expect(written(right)().exchanges).toHaveLength(1)
  const [exchange] = right.exchanges
  const broken: [value: unknown, place: string][] = [
    [null, "the whole file"],
    [[], "the whole file"],
    [{ ...right, exchanges: undefined }, "/exchanges"],
    [{ ...right, exchanges: {} }, "/exchanges"],
    [{ ...right, exchanges: [null] }, "/exchanges/0"],
    [{ ...right, exchanges: [{ ...exchange, url: 1 }] }, "/exchanges/0/url"],
    [{ ...right, exchanges: [{ ...exchange, url: "https://[" }] }, "/exchanges/0/url"],
    [{ ...right, exchanges: [{ ...exchange, status: "200" }] }, "/exchanges/0/status"],
    [{ ...right, exchanges: [{ ...exchange, headers: { a: 1 } }] }, "/exchanges/0/headers/a"],
    [{ ...right, exchanges: [{ ...exchange, headers: { "a b": "c" } }] }, "/exchanges/0/headers"],
    [{ ...right, exchanges: [{ ...exchange, body: 1 }] }, "/exchanges/0/body"],
    [{ ...right, input: "x" }, "/input"],
    [{ ...right, clock: "yesterday" }, "/clock"],
    [{ ...right, clock: "2026-99-99T00:00:00Z" }, "/clock"],
    [{ ...right, env: { A: 1 } }, "/env/A"],
  ]
  for (const [value, path] of broken) expect(written(value)).toThrow(`${path}: `)
})
