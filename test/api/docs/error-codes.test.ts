import { expect, test } from "bun:test"
import { join } from "node:path"
import { errorCodes } from "../../../src/api/docs/error-codes.ts"

const root = join(import.meta.dir, "../../../src")

/** Strings that are a code: an argument of `super`, a property `code`, a code of documents. */
const literals = [
  /super\([^)]*, "([a-z_]+)"\)/g,
  /\b(?:error_)?code(?:\??:| =|: string =) ?"([a-z_]+)"/g,
  /\bcode: \w+ === "\w+" \? "([a-z_]+)" : "[a-z_]+"/g,
  /\bcode: \w+ === "\w+" \? "[a-z_]+" : "([a-z_]+)"/g,
]

/** Types whose values are codes: of documents, and of connections that failed. */
const unions = [
  /readonly code: ("[a-z_]+"(?: \| "[a-z_]+")+)/,
  /reason: ("[a-z_]+"(?: \| "[a-z_]+")+),\s*details/,
]

/** Codes of other things: loops of the process, spans of traces. */
const others = new Set(["failed"])

async function codesOfSources(): Promise<Set<string>> {
  const codes = new Set<string>()
  for (const path of new Bun.Glob("{catalogue,engine,export,store,extract}/**/*.ts").scanSync(
    root,
  )) {
    const source = await Bun.file(join(root, path)).text()
    for (const pattern of literals) {
      for (const [, code] of source.matchAll(pattern)) if (!others.has(code!)) codes.add(code!)
    }
    for (const union of unions) {
      const listed = union.exec(source)?.[1]
      for (const [, code] of listed?.matchAll(/"(\w+)"/g) ?? []) codes.add(code!)
    }
  }
  return codes
}

test("the reference has every error code of the sources, and no other", async () => {
  const codes = await codesOfSources()
  expect(codes.size).toBeGreaterThan(50)
  expect(Object.keys(errorCodes).sort()).toEqual([...codes].sort())
})

test("each code has a meaning and a next step of one or two sentences", () => {
  const unfinished = Object.values(errorCodes).flatMap(({ meaning, fix }) =>
    [meaning, fix].filter((text) => !/^[A-Z].{5,}\.$/.test(text)),
  )
  expect(unfinished).toEqual([])
})
