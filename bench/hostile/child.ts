import { casesUnder, corpus, loadScraper, ownCases } from "../../test/corpus-run.ts"
import { ownPage, readOwnPage, repeated, withHostile } from "../../test/hostile/own-page.ts"
import {
  hostileAnswers,
  ownResponse,
  readOwnResponse,
  runs,
  withLongTexts,
} from "../../test/hostile/own-response.ts"
import { hostilePages } from "../../test/hostile/pages.ts"
import { type Reading, readHostile } from "../../test/hostile/read-hostile.ts"
import { isSteep, ownBody, ratioOf, suspect, type Times, worthALookMs } from "./limits.ts"
import { Yardstick } from "./yardstick.ts"

/**
 * Reads pages of some kinds with one scraper, of `count` elements and of half as many. If `look` is
 * not 1, reads this share of them first, and all only if that used its share of the time limit.
 */
const [slug, count, where, bad, look, quiet, ...kinds] = process.argv.slice(2)
const yardstick = new Yardstick(Number(quiet) || undefined)
const readers = { own: ownReader, response: responseReader, alone: reader }
const read = await readers[where as keyof typeof readers]()
if (!read) process.exit()
await read(kinds[0]!, 1000)
for (const kind of kinds) {
  console.log(JSON.stringify({ kind, start: true }))
  let size = Number(count) * Number(look)
  let line = await least(kind, size, isSuspect)
  if (size < Number(count) && isSuspect(line)) {
    size = Number(count)
    line = await least(kind, size, (line) => line.quietMs > Number(bad) || isSteep(line))
  }
  console.log(JSON.stringify({ ...line, size }))
}

function isSuspect(line: Times): boolean {
  const isSteeper = line.cpuMs > worthALookMs && ratioOf(line) > suspect
  return isSteeper || isSteep(line) || line.quietMs > Number(bad) * Number(look)
}

/** Other processes in the caches and garbage collection are not the page's cost. */
async function least(kind: string, size: number, isBad: (line: Times) => boolean) {
  const line = await both(kind, size)
  for (let again = 0; again < 2 && isBad(line); again++) {
    const next = await both(kind, size)
    line.halfMs = Math.min(line.halfMs, next.halfMs)
    line.cpuMs = Math.min(line.cpuMs, next.cpuMs)
    line.quietMs = Math.min(line.quietMs, next.quietMs)
  }
  return line
}

/**
 * Returns the processor time of the thread that reads, and of a fixed piece of work before and
 * after it.
 */
async function both(kind: string, size: number) {
  Bun.gc(true)
  const half = await read!(kind, size / 2)
  Bun.gc(true)
  const before = half.cpuMs > worthALookMs ? yardstick.crowding() : 1
  const { cpuMs, pages, items, error } = await read!(kind, size)
  const after = cpuMs > worthALookMs ? yardstick.crowding() : before
  const quietMs = cpuMs / ((before + after) / 2)
  return { kind, halfMs: half.cpuMs, cpuMs, quietMs, pages, items: items.length, error }
}

type Read = (kind: string, count: number) => Promise<Reading>

async function reader(): Promise<Read> {
  const scraper = (await loadScraper(slug!))!
  return (kind, count) => readHostile(scraper, hostilePages[kind]!(count), 10_000)
}

/** Inserts the hostile part in a recorded page of the site; null if the site has none. */
async function ownReader(): Promise<Read | null> {
  const page = await ownPage([...casesUnder(ownCases, slug), ...casesUnder(corpus, slug)])
  return (
    page &&
    ((kind, count) =>
      readOwnPage(
        page,
        kind === ownBody
          ? repeated(page.text, count)
          : withHostile(page.text, hostilePages[kind]!, count, 0.5),
      ))
  )
}

/** Replaces a recorded JSON response of the site; null if the site has none. */
async function responseReader(): Promise<Read | null> {
  const response = await ownResponse([...casesUnder(ownCases, slug), ...casesUnder(corpus, slug)])
  return (
    response &&
    ((kind, count) => {
      const write = hostileAnswers[kind]
      const run = runs[Number(kind.split(" ").at(-1))]!
      const text = write ? write(response.text, count) : withLongTexts(response.text, run, count)
      return readOwnResponse(response, text)
    })
  )
}
