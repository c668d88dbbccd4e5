import { expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { readFacts } from "../../../src/extract/article/reading/page-facts.ts"
import { contentBlocks } from "../../../src/extract/article/reading/reading.ts"
import { skim } from "../../../src/extract/article/reading/skim.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const paragraph = (about: string) =>
  `The ${about} stood by the water for many years, and nobody, as far as one knows, ever asked who had put it there.`
const story = ["lamp", "crane", "bench", "tower"].map((about) => `<p>${paragraph(about)}</p>`)
const teaser = (about: string) => `<li><a href="/${about}">${about}</a> ${paragraph(about)}</li>`

/**
 * Returns the text that is chosen if the model gives the story 0.95, and all else a given
 * probability.
 */
function chosenText(html: string, elsewhere: number): string {
  const document = parseDocument(
    `<html><head><title>By the water</title></head><body>${html}</body></html>`,
  )
  const page = readBlocks(document.body)
  const facts = readFacts(document, "https://site.example/news/by-the-water")
  const look = skim(page, facts.isAboutOne)
  const isStory = (text: string) => /^The (?:lamp|crane|bench|tower)/.test(text)
  const chosen = contentBlocks(page, facts, look, {
    chances: Float32Array.from(page.blocks, ({ text }) => (isStory(text) ? 0.95 : elsewhere)),
    votes: new Uint8Array(page.blocks.length),
    groups: Uint32Array.from(page.blocks.keys()),
    labels: look.labels,
    pageType: "article",
  })
  return page.blocks
    .filter((_, at) => chosen[at])
    .map(({ text }) => text)
    .join("\n")
}

const lead = `<p class="lead">${paragraph("answer")}</p>`
const page = `<div class="breaking"><ul>${teaser("ferry")}</ul></div>
  <div class="article"><h1>By the water</h1>${lead}<div class="text">${story.join("")}</div></div>
  <div class="more"><ul>${teaser("mill")}</ul></div>`

test("teasers above an article's title and below its text are left out", () => {
  const text = chosenText(page, 0.6)
  expect(text).not.toContain("ferry")
  expect(text).not.toContain("mill")
  for (const about of ["answer", "lamp", "tower"]) expect(text).toContain(paragraph(about))
})

test("blocks that the model is sure of stay wherever they are", () => {
  expect(chosenText(page, 0.9)).toContain(paragraph("mill"))
})
