import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { Glob } from "bun"
import { wordList, wordSet, words } from "../../../src/extract/core/index.ts"

const table = {
  en: `
    sold out|not in stock
    (?:read|see) more
  `,
  de: "ausverkauft",
}

test("words of all languages and rows become one group's alternatives", () => {
  expect(words(table, "x|y")).toBe("sold out|not in stock|(?:read|see) more|ausverkauft|x|y")
  const pattern = new RegExp(`^(?:${words(table)})$`)
  for (const text of ["not in stock", "see more", "ausverkauft"]) expect(text).toMatch(pattern)
  for (const text of ["", "stock", "not in stock\n    see more"]) expect(text).not.toMatch(pattern)
})

test("a table without expressions returns its words", () => {
  expect(wordList({ en: "a b|c", de: "\n  d\n  e|f\n" })).toEqual(["a b", "c", "d", "e", "f"])
})

test("any white space separates a set of words", () => {
  expect([...wordSet("\n  one two\n  three\n")]).toEqual(["one", "two", "three"])
})

/** Returns the tables of a module: its texts with `|`, at any depth. */
function rowsIn(value: unknown): string[] {
  if (typeof value === "string") return value.includes("|") ? [value] : []
  if (value instanceof Set || typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(rowsIn)
}

const root = join(import.meta.dir, "../../../src")
const tableFiles = [
  ...new Glob("{extract,catalogue}/**/{words,label-names}.{ts,json}").scanSync(root),
].filter((file) => file !== join("extract", "core", "words.ts"))

describe("tables of words", () => {
  test("are found", () => expect(tableFiles.length).toBeGreaterThan(5))

  for (const file of tableFiles) {
    test(`${file} has no empty word, which would match anything`, async () => {
      const rows = rowsIn(await import(join(root, file)))
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) {
        expect(new RegExp(`^(?:${words(row)})$`, "u").test("")).toBe(false)
      }
    })
  }
})
