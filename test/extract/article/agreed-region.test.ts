import { describe, expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { readFacts } from "../../../src/extract/article/reading/page-facts.ts"
import { contentBlocks } from "../../../src/extract/article/reading/reading.ts"
import { skim } from "../../../src/extract/article/reading/skim.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const paragraph = (about: string) =>
  `The ${about} stood by the water for many years, and nobody, as far as one knows, ever asked who had put it there.`
const things = ["lamp", "crane", "bench", "tower", "ferry", "mill", "gate", "well"]
const story = `<h2>By the water</h2>${things.map((about) => `<p>${paragraph(about)}</p>`).join("")}`
const badges = `<div class="badges"><p>The app shows phones and tablets all the news first, and it does so without any delay at all</p></div>`

/** Returns the lines that are chosen if the model trusts only what `isTaken` accepts. */
function checked(html: string, isTaken: (text: string) => boolean): string[] {
  const document = parseDocument(
    `<html><head><title>By the water</title></head><body>${html}</body></html>`,
  )
  const page = readBlocks(document.body)
  const facts = readFacts(document, "https://site.example/news/by-the-water")
  const look = skim(page, facts.isAboutOne)
  const choice = contentBlocks(page, facts, look, {
    chances: Float32Array.from(page.blocks, ({ text }) => (isTaken(text) ? 0.9 : 0.01)),
    votes: new Uint8Array(page.blocks.length),
    groups: Uint32Array.from(page.blocks.keys()),
    labels: look.labels,
    pageType: "article",
  })
  return page.blocks.filter((_, at) => choice[at]).map(({ text }) => text)
}

const isBadge = (text: string) => text.startsWith("The app shows")

describe("a choice that misses what other readings agree on is replaced", () => {
  test.each([
    ["in an article element", `<article>${story}</article>${badges}`],
    ["in the main element", `<main>${story}</main>${badges}`],
    ["in nothing that is named", `<div class="c1"><div class="c2">${story}</div></div>${badges}`],
    [
      "stated by structured data",
      `<script type="application/ld+json">${JSON.stringify({ "@type": "NewsArticle", articleBody: things.map(paragraph).join("\n\n") })}</script>
       <div class="c1">${things.map((about) => `<div>${paragraph(about)}</div>`).join("")}</div>${badges}`,
    ],
  ])("%s", (_, html) => {
    const lines = checked(html, isBadge)
    for (const about of things) expect(lines).toContain(paragraph(about))
    expect(lines.some(isBadge)).toBe(false)
  })
  test("with the heading among its paragraphs", () => {
    const between = story.replace("<p>The bench", "<h3>Later years</h3><p>The bench")
    expect(checked(`<article>${between}</article>${badges}`, isBadge)).toContain("Later years")
  })
})

describe("a choice stays", () => {
  const isStory = (text: string) =>
    text.startsWith("The lamp") || text.startsWith("The crane") || text.startsWith("The mill")
  test("with more than a third of it", () => {
    expect(checked(`<article>${story}</article>${badges}`, isStory)).toHaveLength(3)
  })
  test("if the rest are comments", () => {
    const page = `<article><p>${paragraph("boat")}</p></article><div id="comments">${story}${story}</div>`
    const lines = checked(page, (text) => text === paragraph("boat"))
    expect(lines).toEqual([paragraph("boat")])
  })
  test("with the length that the page declares for its article", () => {
    const stated = `<script type="application/ld+json">{"@type": "NewsArticle", "wordCount": 30}</script>`
    expect(checked(`${stated}<article>${story}</article>${badges}`, isBadge)).toHaveLength(1)
  })
})
