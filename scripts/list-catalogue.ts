/**
 * Writes src/catalogue/index.ts from the scraper files. The list is explicit because a compiled
 * executable has no folder to scan. A test fails if the list and the folders differ. A scraper keeps
 * its position, because catalogue and documents use this order. A new one comes last in its category.
 */
import { join } from "node:path"
import type { AnyScraper } from "../src/catalogue/kit/index.ts"
import { formatted } from "./tidied.ts"

const folder = join(import.meta.dir, "../src/catalogue")
const rows: { name: string; path: string; category: string; slug: string }[] = []
for (const path of new Bun.Glob("*/**/*.ts").scanSync(folder)) {
  if (path.startsWith("kit/")) continue
  const source = await Bun.file(join(folder, path)).text()
  if (!source.includes("export default defineScraper(")) continue
  const { slug, category }: AnyScraper = (await import(join(folder, path))).default
  const name = slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  rows.push({ name, path, category, slug })
}
const before = await Bun.file(join(folder, "index.ts")).text()
const positions = new Map(
  [...before.matchAll(/^ {2}(\w+),$/gm)].map(([, name], rank) => [name!, rank]),
)
const placeOf = ({ name, category }: { name: string; category: string }) =>
  positions.get(name) ??
  Math.max(
    -1,
    ...rows.flatMap((row) => (row.category === category ? (positions.get(row.name) ?? []) : [])),
  ) + 0.5
rows.sort((a, b) => placeOf(a) - placeOf(b) || (a.slug < b.slug ? -1 : 1))

const text = `${rows.map(({ name, path }) => `import ${name} from "./${path}"`).join("\n")}
import type { AnyScraper } from "./kit/index.ts"

/** Every scraper, by category; written by scripts/list-catalogue.ts. */
export const catalogue: readonly AnyScraper[] = [
${rows.map(({ name }) => `  ${name},`).join("\n")}
]

const bySlug = new Map(catalogue.map((scraper) => [scraper.slug, scraper]))

export function scraperBySlug(slug: string): AnyScraper | undefined {
  return bySlug.get(slug)
}
`
const path = join(folder, "index.ts")
await Bun.write(path, formatted(path, text))
console.log(`${rows.length} scrapers listed`)
