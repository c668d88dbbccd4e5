import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { pageMarkdown, withHeading } from "../../../src/extract/article/index.ts"
import { elementsNamed, parseDocument } from "../../../src/extract/core/index.ts"
import { readMetadata, readSources } from "../../../src/extract/metadata/index.ts"
import { headingText } from "../../../src/extract/page/headings.ts"
import { hasQualityPages, pagesOf, qualityFolder } from "../../quality/pages.ts"
import { isRunningAll } from "../../samples.ts"

const url = "https://post.example/2026/boats"

function markdownOf(html: string): string {
  const document = parseDocument(html)
  const { title } = readMetadata(readSources(document, url))
  return withHeading(pageMarkdown(document, url, true).markdown, document, title)
}

const paragraph = "<p>The harbour has been closed to boats since Monday, and nobody knows why.</p>"
const page = (title: string, body: string, head = "") =>
  `<html><head><title>${title}</title>${head}</head><body>${body}</body></html>`
const article = (heading: string) => `<article>${heading}${paragraph.repeat(8)}</article>`

/** The kind of page, its HTML, and the first line of its Markdown. */
const cases: [what: string, html: string, first: string][] = [
  [
    "says more in its heading than in its title",
    page("Getting Started - MkDocs", article("<h1>Getting Started with MkDocs</h1>")),
    "# Getting Started with MkDocs",
  ],
  [
    "says something else in its heading",
    page(
      "Harbour closed - BBC News",
      article("<h1>Boats stay where they are</h1>"),
      '<meta property="og:title" content="Row about the harbour is over">',
    ),
    "# Boats stay where they are",
  ],
  [
    "has its heading outside of what it is about",
    page("Boats | Post", `<header><h1>Boats and their owners</h1></header>${article("")}`),
    "# Boats and their owners",
  ],
  ["has no heading", page("Boats", article("")), "# Boats"],
  [
    "has the site's name in its heading",
    page(
      "No boats today | The Post",
      `<header><h1><a href="/">The Post</a></h1></header>${article("")}`,
      '<meta property="og:title" content="No boats today">',
    ),
    "# No boats today",
  ],
  [
    "has a heading that its title ends with",
    page(
      "Boat Studio - The editor for boats",
      `<h1>The editor for boats</h1>${article("")}`,
      '<meta property="og:title" content="Boat Studio">',
    ),
    "# The editor for boats",
  ],
  [
    "is the site's own page",
    page("The Post", `<header><h1>The Post</h1></header>${article("")}`),
    "# The Post",
  ],
  [
    "has the site's name in a heading of its own",
    page(
      "Hello World - The Boat Book",
      `<div class="menu"><h1>The Boat Book</h1></div><main>${article("<h1>Hello, World!</h1>")}</main>`,
    ),
    "# Hello, World!",
  ],
  [
    "has sections of the first level below its heading",
    page(
      "How to row a boat",
      `<header><h1>How to row a boat without oars</h1></header><article>${paragraph}<h1>How to row</h1>${paragraph.repeat(8)}</article>`,
    ),
    "# How to row a boat without oars",
  ],
  [
    "has a hidden heading",
    page("Boats", `<div hidden><h1>Menu of boats</h1></div>${article("")}`),
    "# Boats",
  ],
  [
    "has a picture for its heading",
    page("Boats", `<h1><img src="/logo.png" alt="Post"></h1>${article("")}`),
    "# Boats",
  ],
  [
    "has signs in its heading",
    page("x", article('<h1>The *best* [boats]<a class="headerlink" href="#b">¶</a></h1>')),
    "# The \\*best\\* \\[boats\\]",
  ],
]

describe("the Markdown of a page starts with its own heading if it", () => {
  test.each(cases)("%s", (_, html, first) => {
    const lines = markdownOf(html).split("\n")
    expect(lines.find((line) => line.startsWith("# "))).toBe(first)
    expect(lines.filter((line) => line === first)).toHaveLength(1)
    expect(lines[0]).toBe(first)
  })
})

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** `bun run verify` reads each fourth page. */
const every = isRunningAll ? 1 : 4

/** Sites whose `h1` is only the site's name on each page. */
const siteNames = new Set(["India Post", "Kabar tentang Dunia Islam"].map(plain))

/** Pages whose `h1` belongs to another article, below the page's own. */
const otherArticles = new Set(["'Why Don't You Go Fight For The Reindeer?'"])

describe.if(hasQualityPages("that Markdown keeps headings"))("real articles", () => {
  test("have the text of an h1 in their Markdown", () => {
    const lost: string[] = []
    for (const { name, html } of pagesOf(join(qualityFolder, "articles"), every)) {
      const headings = elementsNamed(parseDocument(html), "h1").map(headingText).filter(plain)
      const own = headings.filter((text) => !siteNames.has(plain(text)) && !otherArticles.has(text))
      if (own.length === 0) continue
      const markdown = plain(markdownOf(html))
      if (!own.some((text) => markdown.includes(plain(text)))) lost.push(`${name}: ${own[0]}`)
    }
    expect(lost).toEqual([])
  }, 120_000)
})
