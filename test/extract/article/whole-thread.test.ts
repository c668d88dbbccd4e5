import { describe, expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { chooseWholeThread } from "../../../src/extract/article/reading/whole-thread.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const said = (at: number) =>
  `Answer number ${at} says that the lamp needs a new wick, and a little oil.`
const numbers = Array.from({ length: 12 }, (_, at) => at + 1)

/** The lines that are taken of a thread of which the model took what `isTaken` says. */
function taken(html: string, isTaken: (text: string) => boolean): string[] {
  const page = readBlocks(parseDocument(`<html><body>${html}</body></html>`).body)
  const chosen = Uint8Array.from(page.blocks, ({ text }) => (isTaken(text) ? 1 : 0))
  chooseWholeThread(page, chosen, new Uint8Array(page.blocks.length))
  return page.blocks.filter((_, at) => chosen[at]).map(({ text }) => text)
}

const isOfFirst = (text: string) => /^Answer number [12] /.test(text)

describe("a thread has all posts, in their order", () => {
  const post = (at: number, name = "post") =>
    `<div class="${name}"><div class="head"><b>ann${at}</b> <span>May ${at}, 2024</span></div>
     <div class="text"><p>${said(at)}</p></div><div class="sig">Sent from the boat of mine, on the lake</div></div>`
  test.each([
    ["of one class", numbers.map((at) => post(at)).join("")],
    [
      "of two classes by turns",
      numbers.map((at) => post(at, at % 2 ? "post bg1" : "post bg2")).join(""),
    ],
  ])("%s", (_, posts) => {
    expect(taken(`<div id="thread">${posts}</div>`, isOfFirst)).toEqual(numbers.map(said))
  })
  test("in rows of a table", () => {
    const rows = numbers.map(
      (at) =>
        `<tr><td>ann${at}<br>2024-05-${10 + at}</td><td class="msg"><div>${said(at)}</div></td></tr>`,
    )
    expect(taken(`<table>${rows.join("")}</table>`, isOfFirst)).toEqual(numbers.map(said))
  })
})

test("paragraphs without dates are no posts", () => {
  const story = numbers.map((at) => `<p>${said(at)}</p>`).join("")
  expect(taken(`<div>${story}</div>`, isOfFirst)).toHaveLength(2)
})
