import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dir, "../../../src/catalogue/kit")

/** The values that the kit exports, with the files that define them. */
const exported = [
  ...readFileSync(join(folder, "index.ts"), "utf8").matchAll(/export \{([^}]*)\} from "(.*)"/g),
].flatMap(([, names, file]) =>
  names!
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => ({ name, file: file! })),
)

/** The comment before a definition. */
function commentOf(name: string, file: string): string {
  const source = readFileSync(join(folder, file), "utf8")
  const kinds = "(?:abstract )?(?:async )?(?:const|function\\*?|class)"
  const at = source.search(new RegExp(`^export ${kinds} ${name}\\b`, "m"))
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*(?:\/\/.*\n)?$/.exec(source.slice(0, at))?.[0] ?? ""
}

test("every value that the kit exports has an example", () => {
  expect(exported.length).toBeGreaterThan(100)
  const without = exported.filter(({ name, file }) => !commentOf(name, file).includes("@example"))
  expect(without.map(({ name }) => name)).toEqual([])
})
