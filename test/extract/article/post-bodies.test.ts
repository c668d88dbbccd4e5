import { expect, test } from "bun:test"
import { mainContent } from "../../../src/extract/article/index.ts"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { choosePostBodies } from "../../../src/extract/article/reading/post-bodies.ts"
import { lineText, parseDocument } from "../../../src/extract/core/index.ts"

const stated = (at: number) =>
  `Answer number ${at} says that the lamp needs a new wick, and a little oil.`
const body = (text: string, name = "user-content") => `<div class="${name}"><p>${text}</p></div>`

/** Returns the lines of a thread that are chosen if the model chose only the first post. */
function taken(html: string): string[] {
  const page = readBlocks(parseDocument(`<html><body>${html}</body></html>`).body)
  const chosen = Uint8Array.from(page.blocks, ({ text }) => (text === stated(1) ? 1 : 0))
  choosePostBodies(page, chosen, new Uint8Array(page.blocks.length))
  return page.blocks.filter((_, at) => chosen[at]).map(({ text }) => text)
}

test("answers in a list after the first post have their bodies, long and short", () => {
  const answers = [stated(2), "Me too.", stated(3)].map(
    (text) => `<li><b>ann</b>${body(text)}</li>`,
  )
  const html = `<div class="question"><h1>Which lamp?</h1>${body(stated(1))}</div><ul>${answers.join("")}</ul>`
  expect(taken(html)).toEqual([stated(1), stated(2), "Me too.", stated(3)])
})

test("without the posts that they quote, and those of other threads", () => {
  const quote = `<blockquote><p>${stated(1)} But which one?</p></blockquote>`
  const html = `<div>${body(stated(1))}</div><ul><li><div class="user-content">${quote}<p>${stated(2)}</p></div></li></ul>
    <aside>${body(stated(3))}</aside>${body(stated(4), "footnote")}`
  expect(taken(html)).toEqual([stated(1), stated(2)])
})

test("and elements without a class are no bodies", () => {
  const bare = (text: string) => `<div><p>${text}</p></div>`
  expect(taken(`${bare(stated(1))}${bare(stated(2))}`)).toEqual([stated(1)])
})

test("a thread is read without its users' signatures and the notices above its title", () => {
  const signature =
    "Proud owner of three brass lamps, two of which still burn every single evening."
  const notice =
    "Before you post, please read our rules, which every member of this forum has agreed to."
  const posts = Array.from(
    { length: 6 },
    (_, at) =>
      `<div class="post" id="p${at}"><div class="postbody"><p class="author">by user${at} » Mon May ${at + 1}, 2023 8:0${at} am</p>
       <div class="content">${stated(at)} It should be cut at a slant, and the flame kept low for the first minutes.</div>
       <div class="signature" id="sig${at}">${signature} ${at}</div></div>
       <dl class="postprofile"><dt>user${at}</dt><dd>Has trimmed brass lamps here since the spring of 2009.</dd></dl></div>`,
  ).join("")
  const html = `<html><head><title>Which lamp? - Lamp forum</title></head><body class="viewtopic">
    <p>${notice}</p><h2>Which lamp?</h2>${posts}
    <script type="application/ld+json">{"@type": "DiscussionForumPosting", "headline": "Which lamp?"}</script></body></html>`
  const { root, pageType } = mainContent(
    parseDocument(html),
    "https://lamps.example/viewtopic.php?t=12",
  )
  const text = lineText(root)
  expect(pageType).toBe("forum")
  for (let at = 0; at < 6; at++) expect(text).toContain(stated(at))
  expect(text).not.toMatch(/Proud owner|since the spring|Before you post/)
})
