import { expect, test } from "bun:test"
import { mainContent } from "../../../src/extract/article/index.ts"
import { makeScores, wordScores, wordsOf } from "../../../src/extract/article/reading/scores.ts"
import {
  elementsAmong,
  elementsWhere,
  foldSpace,
  indexPage,
  isBlank,
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

test("texts are folded and found blank as by expressions", () => {
  const signs = [
    "a",
    "B",
    " ",
    "  ",
    "\t",
    "\n",
    "\u00a0",
    "\u200b",
    "\u3000",
    "\ufeff",
    "\u2028",
    "é",
    "\0",
    "\x85",
  ]
  for (let seed = 1, round = 0; round < 5_000; round++) {
    let text = ""
    for (let left = round % 7; left > 0; left--) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      text += signs[(seed >>> 16) % signs.length]
    }
    expect(foldSpace(text)).toBe(text.replace(/[\s\u200b]+/g, " ").trim())
    expect(isBlank(text)).toBe(!/\S/.test(text))
  }
})

test("words of plain texts have the values of the table", () => {
  const words = new Map([
    ["share", -2],
    ["lamp", 1.5],
    ["lamps", 0.25],
    ["|", -1],
    ["$", 3],
    ["©", 4],
  ])
  const scores = makeScores(new Map(), words)
  for (const text of [
    "Share | this LAMP's $2",
    "lamps+lamp",
    "share",
    "|||",
    "",
    "Nothing known",
    "Été © lamp",
  ]) {
    const values = wordsOf(text).map((word) => words.get(word) ?? 0)
    const { mean, min, max, first } = wordScores(scores, text, 3)
    const sum = values.reduce((all, value) => all + value, 0)
    expect([mean, min, max, first]).toEqual([
      values.length === 0 ? 0 : sum / values.length,
      Math.min(0, ...values),
      Math.max(0, ...values),
      values[0] ?? 0,
    ])
  }
})

test("names of tags and attributes end as in Chrome, and long values are complete", () => {
  const long = "x".repeat(300)
  const document = parseDocument(
    `<body><my=tag a/b=1 c = '${long}' class="k ${long}">1</my=tag ><p\nid=q\tTITLE="a&amp;b">2</p\n><p class=k>3<p class=k>4`,
  )
  const [first] = document.body.children
  expect(first!.localName).toBe("my=tag")
  expect(first!.getAttributeNames()).toEqual(["a", "b", "c", "class"])
  expect(first!.getAttribute("c")).toBe(long)
  expect(first!.className).toBe(`k ${long}`)
  const paragraph = document.querySelector("#q")!
  expect([paragraph.getAttribute("title"), paragraph.textContent]).toEqual(["a&b", "2"])
  const texts = [...document.querySelectorAll(".k")].map(({ textContent }) => textContent)
  expect(texts).toEqual(["1", "3", "4"])
})
