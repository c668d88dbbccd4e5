/**
 * Writes src/catalogue/index.ts anew from the scraper files: a compiled binary has no folder to
 * scan, so the list is explicit. A test fails when the list and the folder differ.
 */
import { join } from "node:path"

const folder = join(import.meta.dir, "../src/catalogue")
const paths = [...new Bun.Glob("*/*.ts").scanSync(folder)].sort()
const rows: { name: string; path: string }[] = []
for (const path of paths) {
  const source = await Bun.file(join(folder, path)).text()
  const slug = /^ {2}slug: "([^"]+)"/m.exec(source)?.[1]
  if (!slug || !source.includes("export default")) continue
  const name = slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  rows.push({ name, path })
}

const text = `import type { AnyScraper } from "./define.ts"
${rows.map(({ name, path }) => `import ${name} from "./${path}"`).join("\n")}

/** Every scraper, by category and name; written by scripts/list-catalogue.ts. */
export const catalogue: readonly AnyScraper[] = [
${rows.map(({ name }) => `  ${name},`).join("\n")}
]

const bySlug = new Map(catalogue.map((scraper) => [scraper.slug, scraper]))

export function scraperBySlug(slug: string): AnyScraper | undefined {
  return bySlug.get(slug)
}
`
await Bun.write(join(folder, "index.ts"), text)
const biome = join(import.meta.dir, "../node_modules/@biomejs/biome/bin/biome")
Bun.spawnSync([process.execPath, biome, "check", "--write", join(folder, "index.ts")])
console.log(`${rows.length} scrapers listed`)
