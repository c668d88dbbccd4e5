import { expect, test } from "bun:test"
import { mainContent } from "../../../src/extract/article/index.ts"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { dropRepeated } from "../../../src/extract/article/reading/repeated-texts.ts"
import { lineText, parseDocument } from "../../../src/extract/core/index.ts"

const long =
  "The ferry leaves the old harbour every morning at seven and returns in the evening, except on Sundays."
const other =
  "Bicycles are carried free of charge if there is room on the lower deck, and dogs need a short lead."

/** Returns the texts that remain if all of a page was chosen. */
function remaining(body: string): string[] {
  const page = readBlocks(parseDocument(`<body>${body}</body>`).body)
  const chosen = new Uint8Array(page.blocks.length).fill(1)
  dropRepeated(page, chosen)
  return page.blocks.filter((_, at) => chosen[at]).map(({ text }) => text)
}

test.each<[string, string, string[]]>([
  [
    "a section's copy for small screens goes, with its heading and its short lines",
    `<div class=wide><h2>Ferry</h2><p>${long}</p><p>From 4 €</p></div><p>${other}</p>
     <div class=small><h2>Ferry</h2><p>${long}</p><p>From 4 €</p></div>`,
    ["Ferry", long, "From 4 €", other],
  ],
  [
    "short lines alone may be repeated",
    `<div class=a><h2>Ferry</h2><p>From 4 €</p></div><div class=b><h2>Ferry</h2><p>From 4 €</p></div>`,
    ["Ferry", "From 4 €", "Ferry", "From 4 €"],
  ],
  [
    "offers may state the same facts",
    `<div class=plan><h3>Day</h3><ul><li>${long}<li>${other}</ul></div>
     <div class=plan><h3>Week</h3><p>Best value</p><ul><li>${long}<li>${other}</ul></div>`,
    ["Day", long, other, "Week", "Best value", long, other],
  ],
  [
    "a refrain stays, in paragraphs and between line breaks",
    `<div><p>${long}</p><p>One</p><p>${long}</p></div><div class=b>Two<br><br>${other}<br><br>Three<br><br>${other}</div>`,
    [long, "One", long, "Two", other, "Three", other],
  ],
  [
    "quotes of a post above go, the answers stay",
    `<div class=post><div class=body>${long}</div></div>
     <div class=post><div class=body><blockquote>${long}</blockquote>${other}</div></div>`,
    [long, other],
  ],
  [
    "code and tables stay",
    `<p>${long}</p><pre>${long}</pre><table><tr><td>${long}</td></tr></table>`,
    [long, long, long],
  ],
  [
    "the text that a link names is not a copy of the link",
    `<nav class=toc><a href="#a">${long}</a></nav><section><p>${long}</p><p>${other}</p></section>`,
    [long, long, other],
  ],
  [
    "a long heading without a repeated text stays",
    `<div class=toc><p>${long}</p></div><h2>${long}</h2><p>${other}</p>`,
    [long, long, other],
  ],
])("%s", (_, body, expected) => {
  expect(remaining(body)).toEqual(expected)
})

test("the main content of a page has a text once that the page has for two sizes of screens", () => {
  const paragraphs = Array.from(
    { length: 8 },
    (_, at) =>
      `<p>Stop ${at} of the line is a village with a pier, an inn and a shop. ${other}</p>`,
  ).join("")
  const html = `<title>Ferry</title><body><main><article><h1>Ferry</h1>
    <div class="lead-desktop"><p>${long}</p></div>${paragraphs}
    <div class="lead-mobile"><p>${long}</p></div></article></main></body>`
  const { root } = mainContent(parseDocument(html), "https://a.example/ferry")
  expect(lineText(root).split(long)).toHaveLength(2)
})
