import { expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { mayFollow, pageLinks } from "../../../src/extract/links/index.ts"

const followed = (html: string, nofollowToo = false) =>
  pageLinks(parseDocument(`<body>${html}`), "https://site.test/").map((link) =>
    mayFollow(link, nofollowToo),
  )

test.each([
  ["a link", '<a href="/a">A</a>'],
  ["a picture", '<a href="/a"><img src="a.png"></a>'],
  ["an icon drawn by a style sheet", '<a href="/a" class="icon-home"></a>'],
  [
    "a menu that is still closed",
    '<nav><ul style="display: none"><li><a href="/a">A</a></ul></nav>',
  ],
  ["details that are closed", '<details><div hidden><a href="/a">A</a></div></details>'],
  ["the next page by its head", '<link rel="next" href="/2">'],
  ["a link a little out of place", '<a href="/a" style="margin-left: -12px">A</a>'],
])("%s is followed", (_, html) => {
  expect(followed(html)).toEqual([true])
})

test.each([
  ["hidden", '<a href="/a" hidden>A</a>'],
  ["not displayed", '<a href="/a" style="display:none">A</a>'],
  [
    "within what is not displayed",
    '<div style="color: red; display: none"><p><a href="/a">A</a></p></div>',
  ],
  ["invisible", '<a href="/a" style="visibility: hidden">A</a>'],
  ["out of the window", '<div style="position:absolute;left:-9999px"><a href="/a">A</a></div>'],
  ["out of reach", '<a href="/a" aria-hidden="true" tabindex="-1">A</a>'],
  ["empty", '<p><a href="/a"> </a></p><p>More.</p>'],
])("a link that is %s is not followed", (_, html) => {
  expect(followed(html)).toEqual([false])
})

test("a link with nofollow is followed only on demand", () => {
  const html = '<a href="/a" rel="external nofollow">A</a>'
  expect([followed(html), followed(html, true)]).toEqual([[false], [true]])
})
