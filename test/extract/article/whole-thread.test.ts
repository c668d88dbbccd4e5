import { describe, expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { chooseWholeThread } from "../../../src/extract/article/reading/whole-thread.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const stated = (at: number) =>
  `Answer number ${at} says that the lamp needs a new wick, and a little oil.`
const numbers = Array.from({ length: 12 }, (_, at) => at + 1)

/** Returns the lines of a thread that are chosen if the model chose what `isTaken` accepts. */
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
     <div class="text"><p>${stated(at)}</p></div><div class="sig">Sent from the boat of mine, on the lake</div></div>`
  test.each([
    ["of one class", numbers.map((at) => post(at)).join("")],
    [
      "of two classes by turns",
      numbers.map((at) => post(at, at % 2 ? "post bg1" : "post bg2")).join(""),
    ],
  ])("%s", (_, posts) => {
    expect(taken(`<div id="thread">${posts}</div>`, isOfFirst)).toEqual(numbers.map(stated))
  })
  test("in rows of a table", () => {
    const rows = numbers.map(
      (at) =>
        `<tr><td>ann${at}<br>2024-05-${10 + at}</td><td class="msg"><div>${stated(at)}</div></td></tr>`,
    )
    expect(taken(`<table>${rows.join("")}</table>`, isOfFirst)).toEqual(numbers.map(stated))
  })
})

test("posts of a few words are posts by their class, and elements between posts are not", () => {
  const post = (at: number, text: string) =>
    `<div class="post"><p><b>ann${at}</b> <span>May ${at}, 2024</span></p><div class="text">${text}</div></div>`
  const notice = `<div class="notice"><div class="text">Sign in</div></div>`
  const html = `<div>${post(1, stated(1))}${post(2, "Me too.")}${notice}${post(3, stated(3))}${post(4, "+1")}${post(5, stated(5))}</div>`
  expect(taken(html, (text) => text === stated(1))).toEqual([
    stated(1),
    "Me too.",
    stated(3),
    "+1",
    stated(5),
  ])
})

test("replies to replies are posts as well, whatever their class declares as depth", () => {
  const post = (at: number, depth: number, inner = "") =>
    `<li class="comment ${at % 2 ? "odd" : "even"} depth-${depth}"><p><b>ann${at}</b> <span>May ${at}, 2024</span></p><div class="text"><p>${stated(at)}</p></div><ol class="children">${inner}</ol></li>`
  const html = `<ol>${post(1, 1, post(2, 2, post(3, 3)))}${post(4, 1)}${post(5, 1, post(6, 2))}</ol>`
  const all = [1, 2, 3, 4, 5, 6].map(stated)
  expect(taken(html, (text) => text === stated(1))).toEqual(all)
})

test("paragraphs without dates are not posts", () => {
  const story = numbers.map((at) => `<p>${stated(at)}</p>`).join("")
  expect(taken(`<div>${story}</div>`, isOfFirst)).toHaveLength(2)
})
