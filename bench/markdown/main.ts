/**
 * Measures pages to Markdown on one core: parse, main content and Markdown together against jsdom,
 * Readability and turndown; Markdown only against node-html-markdown and turndown. The pages are real, from
 * ../shared/quality/articles. `whole.ts` measures whole reads of pages of all types.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { mainContent } from "../../src/extract/article/index.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import { toMarkdown } from "../../src/extract/markdown/index.ts"
import { hostilePages } from "../../test/hostile/pages.ts"
import { record } from "../figures.ts"
import { rivals } from "../rivals.ts"

const folder = join(import.meta.dir, "../../../shared/quality/articles")
const url = "https://site.example/page"
const rounds = 5

interface JsdomModule {
  JSDOM: new (html: string, options: object) => { window: { document: Document } }
  VirtualConsole: new () => object
}
interface ReadabilityModule {
  Readability: new (document: Document) => { parse(): { content?: string | null } | null }
}
interface TurndownModule {
  default: new () => { turndown(html: string | Node): string; use(plugin: unknown): void }
}
interface NodeHtmlMarkdownModule {
  NodeHtmlMarkdown: { translate(html: string): string }
}

if (!existsSync(folder)) {
  console.log("The pages are not here (../shared/quality/articles).")
  process.exit(0)
}
const pages = readdirSync(folder)
  .filter((name) => name.endsWith(".html.gz"))
  .map((name) => new Uint8Array(gunzipSync(readFileSync(join(folder, name)))))
  .map((bytes) => decodeBody(bytes, "text/html"))

const modules = rivals("markdown", [
  "jsdom@26.1.0",
  "@mozilla/readability@0.6.0",
  "turndown@7.2.5",
  "@joplin/turndown-plugin-gfm@1.0.68",
  "node-html-markdown@1.3.0",
])
const load = async <M>(name: string) =>
  (await import(Bun.resolveSync(name, join(modules, "index.js")))) as M
const { JSDOM, VirtualConsole } = await load<JsdomModule>("jsdom")
const { Readability } = await load<ReadabilityModule>("@mozilla/readability")
const { default: Turndown } = await load<TurndownModule>("turndown")
const { gfm } = await load<{ gfm: unknown }>("@joplin/turndown-plugin-gfm")
const { NodeHtmlMarkdown } = await load<NodeHtmlMarkdownModule>("node-html-markdown")
// A console without listeners: jsdom prints errors in a page's styles.
const virtualConsole = new VirtualConsole()
const turndown = new Turndown()
turndown.use(gfm)

/** Returns the best of a few rounds over all inputs, in seconds. */
function time<T>(inputs: T[], work: (input: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (const input of inputs) work(input)
    best = Math.min(best, (performance.now() - start) / 1000)
  }
  return best
}

function line(name: string, figure: number, unit: string, ours: number): void {
  record(name, figure, unit)
  if (figure !== ours) record(`Trawl to ${name}`, ours / figure, "times")
  const ratio = figure === ours ? "" : `   Trawl is ${(ours / figure).toFixed(1)} times as fast`
  console.log(`${name.padEnd(34)} ${figure.toFixed(1).padStart(7)} ${unit}${ratio}`)
}

const whole = (seconds: number) => pages.length / seconds
const ours = whole(
  time(pages, (html) => toMarkdown(mainContent(parseDocument(html), url).root, url)),
)
const theirs = whole(
  time(pages, (html) => {
    const { document } = new JSDOM(html, { url, virtualConsole }).window
    return turndown.turndown(new Readability(document).parse()?.content ?? "")
  }),
)
console.log(`${pages.length} pages to Markdown of their main content, one core`)
line("Trawl", ours, "pages/s", ours)
line("jsdom + Readability + turndown", theirs, "pages/s", ours)

const articles = pages.map((html) => mainContent(parseDocument(html), url).root.innerHTML)
const megabytes = articles.reduce((sum, html) => sum + html.length, 0) / 1e6
const trees = articles.map((html) => parseDocument(html).body)
const speed = (seconds: number) => megabytes / seconds
const fromTree = speed(time(trees, (tree) => toMarkdown(tree, url)))
const fromText = speed(time(articles, (html) => toMarkdown(parseDocument(html).body, url)))
console.log(`\n${megabytes.toFixed(1)} MB of article HTML to Markdown`)
line("Trawl, from a parsed tree", fromTree, "MB/s", fromTree)
line("Trawl, parsing included", fromText, "MB/s", fromText)
line(
  "node-html-markdown",
  speed(time(articles, (html) => NodeHtmlMarkdown.translate(html))),
  "MB/s",
  fromText,
)
line(
  "turndown with tables",
  speed(time(articles, (html) => turndown.turndown(html))),
  "MB/s",
  fromText,
)

/** Hostile trees that keep a reader busy, and ones eight times as large. */
const hostileKinds = ["nested blockquote", "nested lists", "nested span", "sibling b", "tabs in pre", "no-break spaces"] // biome-ignore format: a list reads better dense
const sizes = [500, 4000]
console.log(`\nHostile trees of ${sizes.join(" and ")} elements, ms from a parsed tree`)
for (const kind of hostileKinds) {
  const bodies = sizes.map((size) => parseDocument(hostilePages[kind]!(size)).body)
  const ms = (work: (body: HTMLElement) => unknown) =>
    bodies.map((body) => (time([body], work) * 1000).toFixed(1).padStart(7)).join(" ")
  const byOurs = ms((body) => toMarkdown(body, url))
  console.log(
    `${kind.padEnd(20)} Trawl ${byOurs}   turndown ${ms((body) => turndown.turndown(body))}`,
  )
}
