import { expect, test } from "bun:test"
import { readArticle } from "../../../src/extract/article/index.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { readSources } from "../../../src/extract/metadata/index.ts"

const caption = (at: number) =>
  `Picture ${at}: the harbour froze over, and fishermen walked across the ice to reach their boats before the wind turned.`
const figure = (at: number) =>
  `<figure><img src="${at}.jpg"><figcaption>${caption(at)}</figcaption></figure>`
const textOf = (body: string) =>
  readArticle(
    readSources(
      parseDocument(`<html><head><title>Ice</title></head><body><h1>Ice</h1>${body}</body></html>`),
      "https://site.example/ice",
    ),
  ).text

test("the captions of a series of images are its text", () => {
  const numbers = Array.from({ length: 12 }, (_, at) => at + 1)
  expect(textOf(numbers.map(figure).join("")).split("\n")).toEqual(
    expect.arrayContaining(numbers.map(caption)),
  )
})

test("the captions of an article's images are not part of its text", () => {
  const paragraph = (at: number) =>
    `<p>On day ${at} a baker set up a stall halfway across the ice and sold warm rolls to all who came by, until the ferry was free again.</p>`
  const body = Array.from({ length: 10 }, (_, at) => paragraph(at) + (at < 3 ? figure(at) : ""))
  const text = textOf(body.join(""))
  expect(text).toContain("On day 9 a baker")
  expect(text).not.toContain("Picture 1")
})
