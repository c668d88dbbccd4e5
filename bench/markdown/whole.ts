/**
 * Whole reads of pages of all types (parse, metadata, main content, Markdown), in processor time a page
 * and in times of the bare parse, beside Readability and Defuddle. The pages are a fixed sample of
 * ../shared/quality/pages: `bun bench/markdown/whole.ts [every 12th] [--alone]`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/http/charset.ts"
import { mainContent, withHeading } from "../../src/extract/article/index.ts"
import { baseUrl, parseDocument } from "../../src/extract/core/index.ts"
import { toMarkdown } from "../../src/extract/markdown/index.ts"
import { readMetadata, readSources } from "../../src/extract/metadata/index.ts"
import { rivals } from "../rivals.ts"

const folder = join(import.meta.dir, "../../../shared/quality/pages")
const url = "https://site.example/page"
/** The others take long enough for one to do. */
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

type Step = <T>(name: string, work: () => T) => Promise<Awaited<T>>

/** Of each step of reading a page the least processor time of some rounds, in milliseconds a page. */
async function time(
  read: (html: string, step: Step) => unknown,
  rounds: number,
): Promise<Map<string, number>> {
  const least: Map<string, number>[] = pages.map(() => new Map())
  for (let round = 0; round < rounds; round++) {
    for (const [index, html] of pages.entries()) {
      const best = least[index]!
      await read(html, async (name, work) => {
        const before = cpuMs()
        const result = await work()
        best.set(name, Math.min(best.get(name) ?? Infinity, cpuMs() - before))
        return result as never
      })
    }
  }
  const sums = new Map<string, number>()
  for (const best of least) {
    for (const [name, ms] of best) sums.set(name, (sums.get(name) ?? 0) + ms / pages.length)
  }
  return sums
}

async function report(
  name: string,
  read: (html: string, step: Step) => unknown,
  most = rounds.theirs,
): Promise<void> {
  const steps = await time(read, most)
  const parse = steps.get("parse")!
  const whole = [...steps.values()].reduce((sum, ms) => sum + ms, 0)
  const parts = [...steps].map(([step, ms]) => `${step} ${ms.toFixed(2)}`).join(", ")
  console.log(
    `${name.padEnd(22)} ${whole.toFixed(1).padStart(6)} ms a page, ${(whole / parse).toFixed(1)} times its parse   (${parts})`,
  )
}

console.log(
  `Whole reads of ${pages.length} pages of ${kilobytes.toFixed(0)} KB on average, one core`,
)
const readByTrawl = async (html: string, step: Step) => {
  const document = await step("parse", () => parseDocument(html))
  const metadata = await step("metadata", () => readMetadata(readSources(document, url)))
  const root = await step("main content", () => mainContent(document, url).root)
  await step("Markdown", () =>
    withHeading(toMarkdown(root, baseUrl(document, url)), document, metadata.title),
  )
}
await report("Trawl", readByTrawl, rounds.ours)
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
// One that nobody listens to: jsdom prints a page's faulty styles.
const virtualConsole = new VirtualConsole()

const withReadability = async (document: Document, step: Step) => {
  const article = await step("Readability", () => new Readability(document).parse())
  await step("Markdown", () => turndown.turndown(article?.content ?? ""))
}
await report("Readability, linkedom", async (html, step) => {
  await withReadability(await step("parse", () => parseHTML(html).document), step)
})
await report("Readability, jsdom", async (html, step) => {
  const { window } = await step("parse", () => new JSDOM(html, { url, virtualConsole }))
  await withReadability(window.document, step)
  window.close()
})
// It prints the pages that it fails on.
console.error = () => {}
await report("Defuddle, linkedom", async (html, step) => {
  const document = await step("parse", () => parseHTML(html).document)
  await step("Defuddle", () => Defuddle(document, url, { markdown: true }).catch(() => null))
})
