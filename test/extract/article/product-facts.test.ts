import { expect, test } from "bun:test"
import { pageMarkdown } from "../../../src/extract/article/index.ts"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import {
  chooseProductFacts,
  dropOtherParts,
  loweredChoosers,
} from "../../../src/extract/article/reading/product-facts.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const product = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
  "name":"Chair 3","offers":{"price":"122.05","priceCurrency":"EUR"}}</script>`
const prose =
  "A chair made of oak, which is good to sit on for a long time, at a table or alone. It is waxed by hand and comes with felt pads for your floor."

const pageWith = (facts: string, head = product) =>
  `<html lang="en"><head><title>Chair 3</title>${head}</head><body>
  <header><a href="/">Shop</a><nav><a href="/a">Sofas</a><a href="/b">Chairs</a></nav></header>
  <main><h1>Chair 3</h1>${facts}<p>${prose}</p>
  <ul class="tags"><li>wood</li><li>kitchen</li></ul>
  <table><tr><th>Width<td>41 cm<tr><th>Weight<td>4.5 kg</table>
  <section class="related"><h2>You may like</h2>
    <div class="card"><a href="/p/4">Chair 4</a><div class="rating">4.4 of 5</div></div>
    <div class="card"><a href="/p/5">Chair 5</a><div class="rating">2.4 of 5</div></div></section>
  </main><footer>Imprint</footer></body></html>`

const markdownOf = (html: string) =>
  pageMarkdown(parseDocument(html), "https://shop.example/p/3", true).markdown

const price = '<p class="price">122,05 €</p>'

test("a product keeps its rating and its tags, and not those of related products", () => {
  const rating = '<div class="rating"><span>3.1 of 5</span> (3 reviews)</div>'
  const markdown = markdownOf(pageWith(price + rating))
  expect(markdown).toContain("122,05 €\n\n3.1 of 5 (3 reviews)\n\nA chair")
  expect(markdown).toContain("- wood\n- kitchen")
  expect(markdown).not.toMatch(/4\.4 of 5|2\.4 of 5|You may like/)
})

/** Returns the blocks that are added to the title, the price and the description. */
function addedTo(facts: string): string[] {
  const page = readBlocks(parseDocument(pageWith(price + facts, "")).body)
  const chosen = Uint8Array.from(page.blocks, ({ text }) =>
    text === "Chair 3" || text === prose || text.endsWith("€") ? 1 : 0,
  )
  const before = [...chosen]
  const title = page.blocks.findIndex(({ text }) => text === "Chair 3")
  chooseProductFacts(page, chosen, title)
  return page.blocks.filter((_, at) => chosen[at] && !before[at]).map(({ text }) => text)
}

const tags = ["wood", "kitchen"]
const facts: [name: string, facts: string, added: string[]][] = [
  ["a rating with decimals", '<div class="rating">4.5</div>', ["4.5", ...tags]],
  ["a rating with its maximum", '<p class="star-ratings">4 von 5</p>', ["4 von 5", ...tags]],
  ["a single star", '<p class="stars">5</p>', tags],
  ["a review", `<div class="rating">4 of 5: ${"good ".repeat(20)}</div>`, tags],
  ["a hidden rating", '<div class="rating" hidden>4.7 of 5</div>', tags],
  ["a rating in a form", '<form><div class="rating">4.7 of 5</div></form>', tags],
  ["a rating below another heading", '<h2>Reviews</h2><p class="rating">4.7 of 5</p>', tags],
  ["one of several ratings", '<p class="rating">4.7 of 5</p><p class="rating">2 of 5</p>', tags],
]
for (const [name, html, added] of facts) {
  test(`next to a product is ${name}`, () => {
    expect(addedTo(html)).toEqual(added)
  })
}

test("tags of an article stay left out", () => {
  const paragraphs = Array.from({ length: 6 }, (_, at) => `<p>${at} ${prose}</p>`).join("")
  const article = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Chair 3"}</script>`
  expect(markdownOf(pageWith(paragraphs, article))).not.toContain("kitchen")
})

/** Returns the blocks that remain if all were chosen. */
function withoutOthers(body: string): string {
  const page = readBlocks(parseDocument(`<body>${body}</body>`).body)
  const chosen = new Uint8Array(page.blocks.length).fill(1)
  const title = page.blocks.findIndex(({ level }) => level === 1)
  dropOtherParts(page, chosen, title)
  return page.blocks
    .filter((_, at) => chosen[at])
    .map(({ text }) => text)
    .join("\n")
}

const review = "It is a good chair, and my dog likes it as well."
const described = `<h1>Chair 3</h1><p>${prose} ${prose}</p>`

test.each([
  ["a section", `<div class="product-reviews" id="reviews"><h2>Reviews</h2><p>${review}</p></div>`],
  ["an item property", `<div itemprop="review"><p>${review}</p></div>`],
])("the reviews of a product's customers are not its description: %s", (_, reviews) => {
  const text = withoutOthers(described + reviews)
  expect(text).toContain(prose)
  expect(text).not.toContain("dog")
})

test.each([
  ["a page of reviews only", `<h1>Chair 3</h1><div class="reviews"><p>${review}</p></div>`],
  [
    "an article with the page's heading",
    `<div itemprop="review">${described}<p>${review}</p></div>`,
  ],
  [
    "a name that only begins like it",
    `${described}<div class="review-policy"><p>${review}</p></div>`,
  ],
])("reviews stay: %s", (_, body) => {
  expect(withoutOthers(body)).toContain("dog")
})

test.each([
  ["related products", `<section class="related products"><p>A chair with a dog</p></section>`],
  ["what others bought", `<div class="cross-sells"><p>A chair with a dog</p></div>`],
  ["an explanation of a fact", `<span class="tooltip"><p>Oak is a tree, no dog.</p></span>`],
])("other parts of a product's page are left out: %s", (_, part) => {
  const text = withoutOthers(described + part)
  expect(text).toContain(prose)
  expect(text).not.toContain("dog")
})

test("the choices of a product are less likely than its description, but not the element with its heading", () => {
  const html = `<div class="sticky"><h1>Chair 3</h1><p>${prose}</p></div>
    <div class="swatches"><p>Oak, ash, elm, beech, birch</p></div><div class="sticky-bar"><p>Chair 3 from 99 €</p></div>`
  const page = readBlocks(parseDocument(`<body>${html}</body>`).body)
  const before = new Float32Array(page.blocks.length).fill(0.5)
  const chances = loweredChoosers(page, before, 0)
  expect(Array.from(chances, (chance) => Number(chance.toFixed(2)))).toEqual([0.5, 0.5, 0.23, 0.23])
})
