import { expect, test } from "bun:test"
import { mainContent } from "../../../src/extract/article/index.ts"
import {
  elementsAmong,
  elementsWhere,
  indexPage,
  KnownWords,
  parseDocument,
  sharedWordsOf,
} from "../../../src/extract/core/index.ts"

test("words shared with others are counted alike in plain text and in any", () => {
  const [title, described] = [new KnownWords("A Lamp, 2 Colours"), new KnownWords("lamp été")]
  const plain = "Two lamps; the LAMP has 2 colours and a-lamp"
  expect(sharedWordsOf(plain, title, described)).toEqual({ words: 10, first: 5, second: 2 })
  expect(sharedWordsOf(`${plain} Été`, title, described)).toEqual({
    words: 11,
    first: 5,
    second: 3,
  })
  expect(sharedWordsOf("", title, described)).toEqual({ words: 0, first: 0, second: 0 })
})

test("elements are found by names and attributes in the order of the page, index or not", () => {
  const document = parseDocument(
    "<body><p itemprop=a>1</p><h1 itemprop=b>2</h1><h1>3</h1><p itemprop=c>4</p>",
  )
  const isAny = (element: Element) => element.localName === "h1" || element.hasAttribute("itemprop")
  const texts = () =>
    elementsAmong(document.body, { names: ["h1"], attributes: ["itemprop"] }, isAny).map(
      (element) => element.textContent,
    )
  expect(texts()).toEqual(["1", "2", "3", "4"])
  indexPage(document)
  expect(texts()).toEqual(["1", "2", "3", "4"])
  expect(elementsWhere(document.body, isAny)).toHaveLength(4)
})

test("reading a page's content keeps the page's index", () => {
  const prose = "The lamp was made in a small town by the sea, and it has been there for years. "
  const document = parseDocument(
    `<body><article><h1>Lamp</h1><p>${prose.repeat(9)}<p hidden>x<p><a href=/a>b</a> ${prose}`,
  )
  const index = indexPage(document)
  const { root } = mainContent(document, "https://site.example/")
  expect(root.ownerDocument).not.toBe(document)
  expect(indexPage(document)).toBe(index)
})
