import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dir, "../../../src/catalogue/kit")

/** The values that the kit exports, with the files that define them. */
const exported = [
  ...readFileSync(join(folder, "index.ts"), "utf8").matchAll(/export \* from "(.*)"/g),
].flatMap(([, file]) => {
  const source = readFileSync(join(folder, file!), "utf8")
  const values = /^export (?:abstract )?(?:async )?(?:const|function\*?|class) (\w+)/gm
  return [...source.matchAll(values)].map(({ 1: name, index }) => ({
    name: name!,
    comment: commentAt(source.slice(0, index)),
  }))
})

/** The comment before a definition. */
function commentAt(before: string): string {
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*(?:\/\/.*\n)?$/.exec(before)?.[0] ?? ""
}

test("every value that the kit exports has an example", () => {
  expect(exported.length).toBeGreaterThan(100)
  const without = exported.filter(({ comment }) => !comment.includes("@example"))
  expect(without.map(({ name }) => name)).toEqual([])
})
