import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")

test("each promise of SECURITY.md names existing tests", () => {
  const text = readFileSync(join(root, "SECURITY.md"), "utf8")
  const rows = text.split("\n").filter((line) => /^\| [A-Z]/.test(line))
  expect(rows.length).toBeGreaterThan(12)
  for (const row of rows) {
    const named = [...row.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path!)
    expect(named.length, row).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  }
})
