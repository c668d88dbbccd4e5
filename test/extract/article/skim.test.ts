import { expect, test } from "bun:test"
import { mainContent } from "../../../src/extract/article/main-content.ts"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { skim } from "../../../src/extract/article/reading/skim.ts"
import { blockText, parseDocument } from "../../../src/extract/core/index.ts"

const sentence = (about: string) =>
  `The ${about} stood by the water for many years, and nobody, as far as one knows, ever asked who had put it there. `
const story = ["lamp", "crane", "bench", "tower", "bridge"]
  .map((about) => `<p>${sentence(about).repeat(2)}</p>`)
  .join("")

/** Returns the first words of the blocks that a first pass keeps. */
function stored(html: string, isAboutOne = false): string[] {
  const page = readBlocks(parseDocument(html).body)
  const { votes } = skim(page, isAboutOne)
  return page.blocks.filter((_, at) => votes[at]).map(({ text }) => text.slice(0, 9).trim())
}

const whole = ["The lamp", "The crane", "The bench", "The tower", "The bridg"]

for (const [name, html, found] of [
  ["an article without its comments",
    `<div class=story>${story}</div><div class=comments><div class=comment><p>${sentence("comment")}</div></div>`, whole],
  ["in boxes with a name that speaks against it",
    `<div class=page-footer><div class=elementor-widget>${story}</div></div><footer>Imprint of the site</footer>`, whole],
  ["with its lead, without the lines between",
    `<header><h1>By the water</h1><p>Nobody ever asked who had put any of it there.</p><p class=byline>By Ann</p></header><div>${story}</div>`,
    ["Nobody ev", ...whole]],
  ["without a list of links within it, and labels",
    `<article>${story}<ul><li><a href=/a>One more story</a><li><a href=/b>And another one</a></ul><p>Advertisement</p></article>`, whole],
  ["with the posts that it quotes",
    `<article>${story}<div class=social-media><blockquote class=twitter-tweet><p>What a lamp! <a href=/x>pic.example/1</a></blockquote></div></article>`,
    [...whole, "What a la"]],
  ["an article in the body itself", `<nav><a href=/>Home</a></nav>${story}`, whole],
] as [string, string, string[]][]) {
  test(`a first pass keeps ${name}`, () => expect(stored(html)).toEqual(found))
} // biome-ignore format: a table reads better dense

test("a page that is a list is its list, unless it declares itself an article", () => {
  const entries = Array.from(
    { length: 30 },
    (_, at) => `<li class=offer><a href=/${at}>Offer ${at}</a> of a lamp that is made of brass`,
  )
  const html = `<main><ul>${entries.join("")}</ul><div>${story}</div></main>`
  expect(stored(html)).toContain("Offer 19")
  expect(stored(html, true)).not.toContain("Offer 19")
})

test("of a page with more blocks than the model's limit, the first pass is its content", () => {
  const lines = Array.from(
    { length: 20_100 },
    (_, at) => `<p>Line ${at} of the long text, as written.</p>`,
  )
  const html = `<nav><a href=/>Home</a></nav><main><h1>All of it</h1>${lines.join("")}</main><footer>Imprint</footer>`
  const text = blockText(mainContent(parseDocument(html), "https://site.example/whole").root)
  expect(text).toStartWith("All of it\nLine 0")
  expect(text).toEndWith("Line 20099 of the long text, as written.")
})
