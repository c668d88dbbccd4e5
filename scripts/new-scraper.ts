/**
 * `bun run new-scraper <site> <slug>` copies scripts/template: a working scraper, its entry in the
 * list and its case. You then replace it piece by piece.
 */
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { formatted } from "./tidied.ts"

const root = join(import.meta.dir, "..")
const template = join(import.meta.dir, "template")
const usage =
  "Write `bun run new-scraper <site> <slug>`: `bun run new-scraper quotes quotes-scraper`."

/** Returns an error message for invalid arguments, else undefined. */
function refusal([site, slug, ...others]: string[]): string | undefined {
  if (!site) return `The site and the slug are missing. ${usage}`
  if (!slug) return `The slug is missing. ${usage}`
  if (others.length > 0) return `There is more than a site and a slug. ${usage}`
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(site)) {
    return `"${site}" is not a valid folder name for a site: use lower-case letters and digits, with single hyphens between words, such as quotes.`
  }
  if (site === "kit")
    return "src/catalogue/kit contains the parts that scrapers use; give the name of the site."
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(slug) || slug.length > 60) {
    return `"${slug}" is not a valid slug: use two words or more of lower-case letters and digits with single hyphens between them, 60 characters at most, such as quotes-scraper.`
  }
  const [scraper] = new Bun.Glob(`src/catalogue/**/${slug}.ts`).scanSync(root)
  if (scraper) return `There is a scraper ${slug} already: ${scraper}.`
  const cases = `test/cases/${slug}`
  if (existsSync(join(root, cases)))
    return `${cases} is there already; remove it, or choose another slug.`
}

const words = process.argv.slice(2)
const refused = refusal(words)
if (refused) {
  console.error(refused)
  process.exit(2)
}
const [site, slug] = words as [string, string]
const name = slug
  .replace(/-scraper$/, "")
  .replace(/(?:^|-)(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`)
  .trim()
const path = `src/catalogue/${site}/${slug}.ts`
const example = `test/cases/${slug}/example`

const scraper = await Bun.file(join(template, "scraper.ts")).text()
const written = scraper
  .replace("template-scraper", slug)
  .replace('"Template"', `"${name}"`)
  .replaceAll('"../../src/catalogue/', '"../')
  .replaceAll('"../../src/', '"../../')
// The copy has different paths, and imports are sorted by path.
await Bun.write(join(root, path), formatted(path, written))
mkdirSync(join(root, example), { recursive: true })
cpSync(join(template, "example"), join(root, example), { recursive: true })
const about = await Bun.file(join(root, example, "case.json")).text()
await Bun.write(join(root, example, "case.json"), about.replace("template-scraper", slug))

const needsPath = join(root, "src/catalogue/needs.txt")
const needs = "  entries of a topic of example.com\n  newest posts on example.com\n"
await Bun.write(needsPath, `${await Bun.file(needsPath).text()}\n${slug}\n${needs}`)

await import("./list-catalogue.ts")
console.log(`${path}
${example}
${join("src/catalogue", "needs.txt")}
They contain an example that works: \`bun run verify ${slug}\`. Replace it piece by piece (CONTRIBUTING.md).`)
