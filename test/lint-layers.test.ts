import { expect, test } from "bun:test"
import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { processFolder } from "./temporary.ts"

const script = join(import.meta.dir, "../scripts/lint-layers.ts")

/** Returns the exit code of the lint for a `src` of these files, and what it prints. */
async function lint(files: Record<string, string>) {
  const root = processFolder("trawl-layers-")
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(root, "src", path)), { recursive: true })
    await Bun.write(join(root, "src", path), code)
  }
  const child = Bun.spawn([process.execPath, script, root], { stdout: "pipe", stderr: "pipe" })
  return { code: await child.exited, output: await new Response(child.stdout).text() }
}

const value = "export const a = 1\n"

test.each<[name: string, files: Record<string, string>, problem: string | null]>([
  [
    "an import of a lower layer",
    {
      "engine/net/http/a.ts": value,
      "engine/ops/b.ts": 'import { a } from "../net/http/a.ts"\nconsole.log(a)\n',
    },
    null,
  ],
  [
    "an import of a higher layer",
    {
      "engine/fetch/a.ts": value,
      "engine/net/b.ts": 'import { a } from "../fetch/a.ts"\nconsole.log(a)\n',
    },
    "src/engine/net/b.ts imports src/engine/fetch/a.ts",
  ],
  [
    "a type of a higher layer",
    {
      "engine/fetch/a.ts": "export interface A { n: number }\n",
      "engine/net/b.ts": 'import type { A } from "../fetch/a.ts"\nexport const b: A = { n: 1 }\n',
    },
    null,
  ],
  [
    "a re-export of a higher layer",
    { "engine/ops/a.ts": value, "engine/runtime/b.ts": 'export { a } from "../ops/a.ts"\n' },
    "src/engine/runtime/b.ts imports src/engine/ops/a.ts",
  ],
  [
    "folders in a cycle of three, by different files",
    {
      "store/x/a.ts": 'import { b } from "../y/b.ts"\nexport const a = b\n',
      "store/y/b.ts": value.replace("a", "b"),
      "store/y/other.ts": 'import { c } from "../z/c.ts"\nexport const other = c\n',
      "store/z/c.ts": 'import { d } from "../x/d.ts"\nexport const c = d\n',
      "store/x/d.ts": value.replace("a", "d"),
    },
    "The folders of src/store form a cycle",
  ],
  [
    "a file in a cycle with a folder next to it",
    {
      "base/a.ts": 'import { b } from "./x/b.ts"\nexport const a = b\n',
      "base/x/b.ts": value.replace("a", "b"),
      "base/x/other.ts": 'import { c } from "../c.ts"\nexport const other = c\n',
      "base/c.ts": 'import { a } from "./a.ts"\nexport const c = a\n',
    },
    "The folders of src/base form a cycle",
  ],
  [
    "a file that imports a folder that imports it",
    {
      "base/a.ts": 'import { b } from "./x/b.ts"\nexport const a = b\n',
      "base/x/b.ts": value.replace("a", "b"),
      "base/x/other.ts": 'import { a } from "../a.ts"\nexport const other = a\n',
    },
    "The folders of src/base form a cycle",
  ],
  [
    "a folder whose files import a subfolder that imports other files of it",
    {
      "base/a.ts": 'import { b } from "./x/b.ts"\nexport const a = b\n',
      "base/x/b.ts": 'import { c } from "../c.ts"\nexport const b = c\n',
      "base/c.ts": value.replace("a", "c"),
    },
    "A folder's files and its subfolders form a cycle",
  ],
  [
    "a command imported by a module below it",
    {
      "store/commands/a.ts": value,
      "store/runs/b.ts": 'import { a } from "../commands/a.ts"\nexport const b = a\n',
    },
    "store/aggregates must not import store/commands",
  ],
  [
    "a module imported by the database's layer",
    {
      "store/runs/a.ts": value,
      "store/db/b.ts": 'import { a } from "../runs/a.ts"\nexport const b = a\n',
    },
    "store/db must not import store/aggregates",
  ],
])("%s", async (_, files, problem) => {
  const { code, output } = await lint(files)
  expect(code).toBe(problem ? 1 : 0)
  if (problem) expect(output).toContain(problem)
})
