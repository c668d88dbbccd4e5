import { describe, expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { chooseMissedOffers } from "../../../src/extract/article/reading/missed-offers.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const advice =
  "A good lamp gives warm light, lasts for years, and needs a new wick only now and then."

const offer = (at: number) =>
  `<li><a href="/lamp-${at}">Brass lamp number ${at} with a glass shade</a><div>$${at}9.00</div></li>`
const offers = (count: number) =>
  `<ul>${Array.from({ length: count }, (_, at) => offer(at + 1)).join("")}</ul>`

/** Returns the lines that are chosen if those that match were chosen before. */
function chosenLines(html: string, isChosen: (text: string) => boolean): string[] {
  const page = readBlocks(parseDocument(`<html><body>${html}</body></html>`).body)
  const chosen = Uint8Array.from(page.blocks, ({ text }) => (isChosen(text) ? 1 : 0))
  chooseMissedOffers(page, chosen)
  return page.blocks.filter((_, at) => chosen[at]).map(({ text }) => text)
}

const isAdvice = (text: string) => text === advice
const isOffer = (text: string) => /^Brass lamp|^\$\d/.test(text)

describe("offers of which nothing was chosen", () => {
  test("are added if they contain much of the page's text", () => {
    const lines = chosenLines(`<h1>Lamps</h1>${offers(6)}<p>${advice}</p>`, isAdvice)
    expect(lines.filter(isOffer)).toHaveLength(12)
    expect(lines.at(-1)).toBe(advice)
    expect(lines).not.toContain("Lamps")
  })
  test("also as siblings with a class each, in parts that scripts show later", () => {
    const cards = [1, 2, 3, 4, 5, 6].map(
      (at) =>
        `<div class="card-${at}" style="display:none">${offer(at).replace(/<\/?li>/g, "")}</div>`,
    )
    const lines = chosenLines(`<p>${advice}</p><div>${cards.join("")}</div>`, isAdvice)
    expect(lines.filter(isOffer).length).toBeGreaterThanOrEqual(6)
  })
  test.each([
    ["in the navigation", `<nav>${offers(6)}</nav><p>${advice}</p>`],
    ["on a page with far more text", `${offers(4)}<p>${`${advice} `.repeat(12)}</p>`],
    ["if they are two", `${offers(2)}<p>${advice}</p>`],
    ["without prices", `${offers(6).replace(/\$\d9\.00/g, "In stock")}<p>${advice}</p>`],
  ])("are not added %s", (_, html) => {
    expect(chosenLines(html, (text) => text.startsWith(advice)).filter(isOffer)).toEqual([])
  })
  test("are not added next to a longer list from which some were chosen", () => {
    const html = `<div id="list">${offers(12)}</div><div id="viewed">${offers(6)}</div>`
    const names = (text: string) => /^Brass lamp/.test(text)
    let count = 0
    expect(chosenLines(html, (text) => names(text) && count++ < 12)).toHaveLength(12)
  })
})
