import { scraperBySlug } from "../../src/catalogue/index.ts"
import { checkInput } from "../../src/catalogue/kit/index.ts"
import { exchangeBody, type ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../src/engine/fetch/replay/environment.ts"
import type { HostileKind } from "./pages.ts"
import { measure, type Reading } from "./read-hostile.ts"

/** A recorded page of a site from which its scraper reads items. */
export interface OwnPage {
  recorded: ReplayCase
  /** Index of the exchange with the page. */
  index: number
  text: string
  /** Processor time of the unchanged page. */
  cpuMs: number
}

const largest = 400_000

/** Returns the largest page of some cases that yields items; null if none is HTML or XML. */
export async function ownPage(cases: ReplayCase[]): Promise<OwnPage | null> {
  const pages = cases.flatMap((recorded) => maxPage(recorded) ?? [])
  pages.sort((a, b) => b.text.length - a.text.length)
  for (const page of pages) {
    const { items, error, cpuMs } = await readOwnPage(page, page.text)
    if (!error && items.length > 0 && !items.some((item) => item.error)) return { ...page, cpuMs }
  }
  return null
}

function maxPage(recorded: ReplayCase): OwnPage | null {
  let best: OwnPage | null = null
  for (const [index, exchange] of recorded.exchanges.entries()) {
    if (exchange.status >= 300 || (!exchange.body && !exchange.bytes)) continue
    const text = new TextDecoder().decode(exchangeBody(recorded.folder, exchange))
    if (!text.trimStart().startsWith("<") || text.length > largest) continue
    if (!best || text.length > best.text.length) best = { recorded, index, text, cpuMs: 0 }
  }
  return best
}

/** Runs the case with another text instead of its page. */
export function readOwnPage({ recorded, index }: OwnPage, text: string): Promise<Reading> {
  const scraper = scraperBySlug(recorded.slug)!
  const checked = checkInput(scraper.input, recorded.input)
  if (!checked.ok) throw new Error(`${recorded.slug}: ${JSON.stringify(checked.issues)}`)
  const exchanges = recorded.exchanges.map((exchange, at) =>
    at === index ? { ...exchange, bytes: new TextEncoder().encode(text) } : exchange,
  )
  return measure(scraper, checked.input, replayEnvironment({ ...recorded, exchanges }))
}

const hidden = /<(script|style|noscript|template|svg|head)\b[\s\S]*?<\/\1>/gi
const container = /<(?:div|li|ul|section|article|p|span|td|main|item|entry|description)\b[^>]*>/gi

/**
 * Inserts a hostile page's head and body into a site's page, the body into a share of its
 * containers.
 */
export function withHostile(page: string, kind: HostileKind, count: number, share: number): string {
  const parts =
    /<title>Page<\/title>([\s\S]*?)<\/head><body><h1>Page<\/h1>([\s\S]*)<p>end<\/body>/.exec(
      kind(count),
    )
  const [head, body] = parts ? [parts[1]!, parts[2]!] : ["", kind(count)]
  const containers = [
    ...page.replace(hidden, (part) => " ".repeat(part.length)).matchAll(container),
  ].map((match) => match.index + match[0].length)
  const at = containers[Math.floor(containers.length * share)] ?? page.length
  const whole = page.slice(0, at) + body + page.slice(at)
  return head === "" ? whole : whole.replace(/<\/head>|$/i, () => `${head}</head>`)
}

const start = /<[a-z]/gi

/** Repeats the body of a site's page (or a feed's entries), up to a number of elements. */
export function repeated(page: string, elements: number): string {
  const part =
    /<body\b[^>]*>([\s\S]*)<\/body>/i.exec(page)?.[1] ??
    /<(item|entry|url)\b[\s\S]*<\/\1>/i.exec(page)?.[0] ??
    page
  const times = Math.max(1, Math.round(elements / ((part.match(start)?.length ?? 0) + 1)))
  return page.replace(part, () => part.repeat(times))
}

const stated = /(>\s*[^<>\s][^<>]*)(?=<)|((?:content|title|alt|id|aria-label)="[^"<>]+)(?=")/g

/** Appends a run of signs to some of a page's texts and attributes, evenly spread. */
export function withRuns(page: string, run: string, length: number, most = 40): string {
  const open = page.replace(hidden, (part) =>
    part.toLowerCase().startsWith("<head") ? part : " ".repeat(part.length),
  )
  const ends = [...open.matchAll(stated)].map((match) => match.index + match[0].length)
  const step = Math.max(1, ends.length / most)
  const signs = ` ${run.repeat(Math.ceil(length / run.length))}\u0001`
  let text = ""
  let last = 0
  for (let at = 0; at < ends.length; at += step) {
    const end = ends[Math.floor(at)]!
    text += page.slice(last, end) + signs
    last = end
  }
  return text + page.slice(last)
}
