import { describe, expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { choosePostHeads } from "../../../src/extract/article/reading/post-heads.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const text = (at: number) => `What post ${at} says of lamps by the water.`

/** The texts that are chosen of a page of whose blocks the posts' own texts were chosen before. */
function chosenOf(html: string): string[] {
  const page = readBlocks(parseDocument(`<body>${html}</body>`).body)
  const chosen = Uint8Array.from(page.blocks, (block) => (block.text.startsWith("What") ? 1 : 0))
  choosePostHeads(page, chosen)
  return page.blocks.filter((_, at) => chosen[at]).map((block) => block.text)
}

const posts = (head: (at: number) => string, foot: (at: number) => string = () => "") =>
  [1, 2, 3].map((at) => `<article>${head(at)}<p>${text(at)}</p>${foot(at)}</article>`).join("")

describe("who wrote a post, and when, is taken with it", () => {
  test("of a cell beside it, without rank and day of joining", () => {
    const html = posts(
      (at) =>
        `<div class="cell"><h4><a class="username">keeper${at}</a></h4><h5 class="user-title">Guru</h5>
         <dl><dt>Joined</dt><dd><time>May ${at}, 2015</time></dd></dl></div>
         <header><time datetime="2026-03-0${at}">Mar ${at}, 2026</time></header>`,
    )
    const heads = (at: number) => [`keeper${at}`, `Mar ${at}, 2026`, text(at)]
    expect(chosenOf(html)).toEqual([...heads(1), ...heads(2), ...heads(3)])
  })

  test("of one line", () => {
    const html = posts((at) => `<p class="author">by keeper${at} » Tue Mar ${at}, 2026 1:47 am</p>`)
    expect(chosenOf(html).slice(0, 2)).toEqual([`by keeper1 » Tue Mar 1, 2026 1:47 am`, text(1)])
  })

  test("of a line below it", () => {
    const html = posts(
      () => "",
      (at) => `<div itemprop="author">keeper${at}</div>`,
    )
    expect(chosenOf(html)).toEqual([1, 2, 3].flatMap((at) => [text(at), `keeper${at}`]))
  })

  test("not those that only stand in a list", () => {
    const users = [1, 2, 3].map((at) => `<li><a class="username">reader${at}</a></li>`).join("")
    const html = `<ul>${users}</ul>${posts(() => "")}`
    expect(chosenOf(html)).toEqual([1, 2, 3].map(text))
  })

  test("not the buttons and edits of each", () => {
    const html = posts(
      () => "",
      (at) => `<a class="author-link username">Reply</a><time>Edited Mar ${at}, 2026</time>`,
    )
    expect(chosenOf(html)).toEqual([1, 2, 3].map(text))
  })
})
