/**
 * Measures whole reads of pages of all types (parse, metadata, main content, Markdown), in processor time a
 * page and in multiples of the bare parse, next to Readability and Defuddle. The pages are a fixed sample
 * of ../shared/quality/pages: `bun bench/markdown/whole.ts [every 12th] [--alone]`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { mainContent, withHeading } from "../../src/extract/article/index.ts"
import { baseUrl, parseDocument } from "../../src/extract/core/index.ts"
import { toMarkdown } from "../../src/extract/markdown/index.ts"
import { readMetadata, readSources } from "../../src/extract/metadata/index.ts"
import { rivals } from "../rivals.ts"

const folder = join(import.meta.dir, "../../../shared/quality/pages")
const url = "https://site.example/page"
/** The others take long enough for one round to be exact. */
const rounds = { ours: 4, theirs: 1 }
const every = Number(process.argv[2] ?? 12)

if (!existsSync(folder)) {
  console.log("The pages are not here (../shared/quality/pages).")
  process.exit(0)
}
const pages = readdirSync(folder)
  .filter((name) => name.endsWith(".html.gz"))
  .filter((_, index) => index % every === 0)
  .map((name) => new Uint8Array(gunzipSync(readFileSync(join(folder, name)))))
  .map((bytes) => decodeBody(bytes, "text/html"))
const kilobytes = pages.reduce((sum, page) => sum + page.length, 0) / pages.length / 1000

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Results of the steps so far: each step uses those of the steps before it. */
interface Reading {
  html: string
  document: Document
  title: string | null
  root: Element
  content: string | null
  close?: () => void
}

type Step = [name: string, work: (page: Reading) => unknown]

/**
 * Returns each step's minimum processor time of some rounds, in milliseconds a page. A step runs
 * for many pages at a time: if the system counts processor time in ticks of some milliseconds, that
 * of one page is zero or a whole tick.
 */
async function time(steps: Step[], rounds: number, together: number): Promise<number[]> {
  const least = steps.map(() => Infinity)
  for (let round = 0; round < rounds; round++) {
    const sums = steps.map(() => 0)
    for (let from = 0; from < pages.length; from += together) {
      const batch = pages.slice(from, from + together).map((html) => ({ html }) as Reading)
      for (const [at, [, work]] of steps.entries()) {
        const before = cpuMs()
        for (const page of batch) await work(page)
        sums[at]! += cpuMs() - before
      }
      for (const { close } of batch) close?.()
    }
    for (const [at, ms] of sums.entries()) least[at] = Math.min(least[at]!, ms / pages.length)
  }
  return least
}

async function report(
  name: string,
  steps: Step[],
  { rounds: most = rounds.theirs, together = pages.length } = {},
): Promise<void> {
  const least = await time(steps, most, together)
  const whole = least.reduce((sum, ms) => sum + ms, 0)
  const parts = steps.map(([step], at) => `${step} ${least[at]!.toFixed(2)}`).join(", ")
  console.log(
    `${name.padEnd(22)} ${whole.toFixed(1).padStart(6)} ms a page, ${(whole / least[0]!).toFixed(1)} times its parse   (${parts})`,
  )
}

console.log(
  `Whole reads of ${pages.length} pages of ${kilobytes.toFixed(0)} KB on average, one core`,
)
const readByTrawl: Step[] = [
  [
    "parse",
    (page) => {
      page.document = parseDocument(page.html)
    },
  ],
  [
    "metadata",
    (page) => {
      page.title = readMetadata(readSources(page.document, url)).title
    },
  ],
  [
    "main content",
    (page) => {
      page.root = mainContent(page.document, url).root
    },
  ],
  [
    "Markdown",
    ({ document, root, title }) =>
      withHeading(toMarkdown(root, baseUrl(document, url)), document, title),
  ],
]
await report("Trawl", readByTrawl, { rounds: rounds.ours })
if (process.argv.includes("--alone")) process.exit(0)

interface Readable {
  Readability: new (document: Document) => { parse(): { content?: string | null } | null }
}
interface Jsdom {
  JSDOM: new (html: string, options: object) => { window: { document: Document; close(): void } }
  VirtualConsole: new () => object
}
interface Linkedom {
  parseHTML(html: string): { document: Document }
}
interface Defuddling {
  Defuddle(page: Document, url: string, options: object): Promise<{ content: string }>
}
interface Turndown {
  default: new () => { turndown(html: string): string }
}

const modules = rivals("whole", [
  "jsdom@26.1.0",
  "linkedom@0.18.14",
  "@mozilla/readability@0.6.0",
  "turndown@7.2.5",
  "defuddle@0.19.4",
])
const load = async <M>(name: string) =>
  (await import(Bun.resolveSync(name, join(modules, "index.js")))) as M
const { JSDOM, VirtualConsole } = await load<Jsdom>("jsdom")
const { parseHTML } = await load<Linkedom>("linkedom")
const { Readability } = await load<Readable>("@mozilla/readability")
const { default: TurndownService } = await load<Turndown>("turndown")
const { Defuddle } = await load<Defuddling>("defuddle/node")
const turndown = new TurndownService()
// A console without listeners: jsdom prints errors in a page's styles.
const virtualConsole = new VirtualConsole()

const parse: Step = [
  "parse",
  (page) => {
    page.document = parseHTML(page.html).document
  },
]
const withReadability: Step[] = [
  [
    "Readability",
    (page) => {
      page.content = new Readability(page.document).parse()?.content ?? null
    },
  ],
  ["Markdown", ({ content }) => turndown.turndown(content ?? "")],
]
await report("Readability, linkedom", [parse, ...withReadability])
// Its windows take much memory.
await report(
  "Readability, jsdom",
  [
    [
      "parse",
      (page) => {
        const { window } = new JSDOM(page.html, { url, virtualConsole })
        page.document = window.document
        page.close = () => window.close()
      },
    ],
    ...withReadability,
  ],
  { together: 8 },
)
// It prints the pages that it fails on.
console.error = () => {}
await report("Defuddle, linkedom", [
  parse,
  ["Defuddle", ({ document }) => Defuddle(document, url, { markdown: true }).catch(() => null)],
])
