import { expect, test } from "bun:test"
import { mainContent, readArticle } from "../../../src/extract/article/index.ts"
import { blockText, parseDocument } from "../../../src/extract/core/index.ts"
import { toMarkdown } from "../../../src/extract/markdown/index.ts"
import { readSources } from "../../../src/extract/metadata/index.ts"

const url = "https://site.example/a/story"
const sentence = (about: string) =>
  `The ${about} stood by the water for many years, and nobody, as far as one knows, ever asked who had put it there. `
const story = ["lamp", "crane", "bench", "tower"].map(
  (about) => `<p>${sentence(about).repeat(2)}</p>`,
)
const page = (inner: string, data = {}) =>
  `<html><head><title>The lamp by the water</title>
   <script type="application/ld+json">${JSON.stringify({ "@type": "Article", headline: "The lamp by the water", ...data })}</script></head>
   <body><main><article><h1>The lamp by the water</h1>${inner}</article></main></body></html>`

const contentOf = (inner: string) =>
  mainContent(parseDocument(page(story.join("") + inner + story.join(""))), url).root

const lamp = "A lamp of brass that lights the whole of the room"
const crane = "A crane of iron that lifts the boats out of the lake"

test.each([
  ["in an inline element", "<span><br></span>"],
  ["in several", "<span><b><br></b></span>"],
])("a line break stays %s", (_, lineBreak) => {
  const root = contentOf(`<p><span>${lamp}</span>${lineBreak}<span>${crane}</span></p>`)
  expect(toMarkdown(root, url)).toContain(`${lamp}\\\n${crane}`)
})

test.each(["label", "button"])("the text of a %s does not run into the next one's", (name) => {
  const root = contentOf(`<p><${name}>${lamp}</${name}><span>${crane}</span></p>`)
  expect(blockText(root)).toMatch(new RegExp(`${lamp}\\s+${crane}`))
})

const body = story.join("").repeat(2)
const textOf = (articleBody: string) =>
  readArticle(
    readSources(parseDocument(page(`<p>${sentence("lamp").repeat(3)}</p>`, { articleBody })), url),
  ).text

test("a declared text whose tags are escaped twice is text", () => {
  const twice = body.replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  const text = textOf(twice)
  expect(text).toContain("The tower stood by the water")
  expect(text).not.toMatch(/[<>]/)
})

test("a declared text in Markdown has neither the URLs of its links nor the syntax of images", () => {
  const marked = body
    .replaceAll("The crane", "[The crane](https://site.example/crane){: target='_blank'}")
    .replace("<p>", "<p>[#image: /photos/619c]|||A lamp at night||| ")
  const text = textOf(marked)
  expect(text).toContain("The crane stood by the water")
  expect(text).not.toMatch(/https|photos|_blank|\|\|\|/)
})
