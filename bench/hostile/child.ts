import { loadScraper } from "../../test/corpus-run.ts"
import { hostilePages } from "../../test/hostile/pages.ts"
import { readHostile } from "../../test/hostile/read-hostile.ts"

/** Reads pages of some kinds by one scraper, of `count` elements and of half as many. */
const [slug, count, ...kinds] = process.argv.slice(2)
const scraper = (await loadScraper(slug!))!
await readHostile(scraper, hostilePages["sibling div"]!(1000))
for (const kind of kinds) {
  console.log(JSON.stringify({ kind, start: true }))
  const read = async (part: number) => {
    const html = hostilePages[kind]!(Number(count) * part)
    const { cpuMs, ...rest } = await readHostile(scraper, html, 10_000)
    return { ...rest, cpuMs: Math.round(cpuMs) }
  }
  const half = await read(0.5)
  const whole = await read(1)
  const { cpuMs, pages, items, error } = whole
  console.log(
    JSON.stringify({ kind, halfMs: half.cpuMs, cpuMs, pages, items: items.length, error }),
  )
}
