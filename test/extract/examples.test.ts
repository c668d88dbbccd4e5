import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Glob } from "bun"

const root = join(import.meta.dir, "../../src/extract")

/** Returns the `@example` blocks of a source's doc comments, without the comments' stars. */
function examplesIn(source: string): string[] {
  return [...source.matchAll(/@example\n \* ```ts\n((?: \*.*\n)+?) \* ```/g)].map((match) =>
    match[1]!.replace(/^ \* ?/gm, "").trim(),
  )
}

const modules = [...new Glob("*/index.ts").scanSync(root)].sort()
const names: Record<string, unknown> = {}
for (const path of modules) Object.assign(names, await import(join(root, path)))

/** Runs an example. Returns the value of its last line and that of the comment after it. */
async function run(example: string, scope: Record<string, unknown>): Promise<[unknown, unknown]> {
  const [, before, expression, expected] =
    /^([\s\S]*?)([^\n]*?) \/\/ ([^\n]*)$/.exec(example) ?? expect.unreachable(example)
  const body = `${before}\nreturn [${expression}, ${expected}]`
  return new Function(...Object.keys(scope), `return (async () => {${body}})()`)(
    ...Object.values(scope),
  )
}

const examples = [...new Glob("**/*.ts").scanSync(root)]
  .sort()
  .flatMap((path) =>
    examplesIn(readFileSync(join(root, path), "utf8")).map((example) => ({ path, example })),
  )

describe("the example in", () => {
  for (const { path, example } of examples) {
    test(path, async () => {
      const scope = { ...names, ...(await import(join(root, path))) }
      const [value, expected] = await run(example, scope)
      expect(value).toEqual(expected)
    })
  }
})

test("each folder has an example", () => {
  const folders = new Set(examples.map(({ path }) => path.split("/")[0]!))
  expect(modules.map((path) => dirname(path)).filter((folder) => !folders.has(folder))).toEqual([])
})
