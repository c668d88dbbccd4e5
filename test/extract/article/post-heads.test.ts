import { describe, expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { chosenCopy } from "../../../src/extract/article/reading/chosen-copy.ts"
import { choosePostHeads } from "../../../src/extract/article/reading/post-heads.ts"
import { blockText, parseDocument } from "../../../src/extract/core/index.ts"

const text = (at: number) => `What post ${at} says of lamps by the water.`

/** Returns the chosen texts of a page if the posts' own texts were chosen before. */
function chosenOf(html: string): string[] {
  const page = readBlocks(parseDocument(`<body>${html}</body>`).body)
  const chosen = Uint8Array.from(page.blocks, (block) => (block.text.startsWith("What") ? 1 : 0))
  choosePostHeads(page, chosen)
  return page.blocks.filter((_, at) => chosen[at]).map((block) => block.text)
}

const posts = (head: (at: number) => string, foot: (at: number) => string = () => "") =>
  [1, 2, 3].map((at) => `<article>${head(at)}<p>${text(at)}</p>${foot(at)}</article>`).join("")

describe("author and time of a post come with it", () => {
  test("from a cell next to it, without rank and date of joining", () => {
    const html = posts(
      (at) =>
        `<div class="cell"><h4><a class="username">keeper${at}</a></h4><h5 class="user-title">Guru</h5>
         <dl><dt>Joined</dt><dd><time>May ${at}, 2015</time></dd></dl></div>
         <header><time datetime="2026-03-0${at}">Mar ${at}, 2026</time></header>`,
    )
    const heads = (at: number) => [`keeper${at}`, `Mar ${at}, 2026`, text(at)]
    expect(chosenOf(html)).toEqual([...heads(1), ...heads(2), ...heads(3)])
  })

  test("from one line", () => {
    const html = posts((at) => `<p class="author">by keeper${at} » Tue Mar ${at}, 2026 1:47 am</p>`)
    expect(chosenOf(html).slice(0, 2)).toEqual([`by keeper1 » Tue Mar 1, 2026 1:47 am`, text(1)])
  })

  test("from a line below it", () => {
    const html = posts(
      () => "",
      (at) => `<div itemprop="author">keeper${at}</div>`,
    )
    expect(chosenOf(html)).toEqual([1, 2, 3].flatMap((at) => [text(at), `keeper${at}`]))
  })

  test("from a link within a longer line", () => {
    const html = posts(
      (at) =>
        `<p class="tagline"><a class="author">keeper${at}</a> ${at} points <b>${at} months ago</b></p>`,
    )
    const heads = (at: number) => [`keeper${at} ${at} points ${at} months ago`, text(at)]
    expect(chosenOf(html)).toEqual([1, 2, 3].flatMap(heads))
  })

  test("not those that are only in a list", () => {
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

describe("times that are only in attributes", () => {
  /** Returns the text of a copy of the page with the posts' own texts and what belongs to them. */
  function writtenOf(html: string): string {
    const { body } = parseDocument(`<body>${html}</body>`)
    const page = readBlocks(body)
    const chosen = Uint8Array.from(page.blocks, (block) => (block.text.startsWith("What") ? 1 : 0))
    const times = choosePostHeads(page, chosen, body)
    return blockText(chosenCopy(body, page, chosen, times))
      .replace(/\s+/g, " ")
      .trim()
  }
  const written = (time: (at: number) => string) =>
    [1, 2, 3].map((at) => `${time(at)} ${text(at)}`).join(" ")

  test.each([
    ["an empty element", (at: number) => `<a class="timeago" title="2024-11-0${at}T15:50:23.066Z"></a>`, (at: number) => `2024-11-0${at} 15:50 UTC`],
    ["seconds", (at: number) => `<span data-time="173255740${at}"></span>`, () => "2024-11-25 17:56 UTC"],
    ["how long ago", (at: number) => `<span class="post_time" title="2/2${at}/2024 5:00:00 AM">2 years ago</span>`, (at: number) => `2/2${at}/2024 5:00:00 AM`],
    ["a day without a year", (at: number) => `<div>Posted <time datetime="2025-08-2${at}T01:05:36Z">August 2${at}</time></div>`, (at: number) => `2025-08-2${at} 01:05 UTC`],
  ])("%s", (_, head, time) => {
    expect(writtenOf(posts(head))).toBe(written(time))
  }) // biome-ignore format: a table reads better dense

  test("not if the text contains the day, is about something else, or is in a list", () => {
    const visible = (at: number) =>
      `<time datetime="2025-08-2${at}T01:05:36Z">Aug 2${at}, 2025</time>`
    expect(writtenOf(posts(visible))).toBe(written((at) => `Aug 2${at}, 2025`))
    const edited = (at: number) => `<span title="2025-08-2${at}T01:05:36Z">Edited 3h</span>`
    const plain = [1, 2, 3].map(text).join(" ")
    expect(writtenOf(posts(edited))).toBe(plain)
    const named = (at: number) =>
      `<img title="Shot 2022-07-1${at}.png"><a title="The best of 2025"></a>`
    expect(writtenOf(posts(named))).toBe(plain)
    const list = [1, 2, 3].map((at) => `<li><i title="2025-08-2${at}T01:05:36Z"></i></li>`).join("")
    expect(writtenOf(`<ul>${list}</ul>${posts(() => "")}`)).toBe(plain)
  })
})
