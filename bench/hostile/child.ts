import { casesUnder, corpus, loadScraper, ownCases } from "../../test/corpus-run.ts"
import { ownPage, readOwnPage, withHostile } from "../../test/hostile/own-page.ts"
import { type HostileKind, hostilePages } from "../../test/hostile/pages.ts"
import { type Reading, readHostile } from "../../test/hostile/read-hostile.ts"

/** Reads pages of some kinds by one scraper, of `count` elements and of half as many. */
const [slug, count, place, ...kinds] = process.argv.slice(2)
const read = place === "own" ? await ownReader() : await reader()
if (!read) process.exit()
await read(hostilePages["sibling div"]!, 1000)
for (const kind of kinds) {
  console.log(JSON.stringify({ kind, start: true }))
  const readPart = async (part: number) => {
    Bun.gc(true)
    const { cpuMs, ...rest } = await read(hostilePages[kind]!, Number(count) * part)
    return { ...rest, cpuMs: Math.round(cpuMs) }
  }
  const half = await readPart(0.5)
  const whole = await readPart(1)
  const { cpuMs, pages, items, error } = whole
  console.log(
    JSON.stringify({ kind, halfMs: half.cpuMs, cpuMs, pages, items: items.length, error }),
  )
}

type Read = (kind: HostileKind, count: number) => Promise<Reading>

async function reader(): Promise<Read> {
  const scraper = (await loadScraper(slug!))!
  return (kind, count) => readHostile(scraper, kind(count), 10_000)
}

/** In the middle of a recorded page of the site; null where there is none. */
async function ownReader(): Promise<Read | null> {
  const page = await ownPage([...casesUnder(ownCases, slug), ...casesUnder(corpus, slug)])
  return page && ((kind, count) => readOwnPage(page, withHostile(page.text, kind, count, 0.5)))
}
