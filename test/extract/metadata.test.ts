import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../src/extract/html.ts"
import { readMetadata, readSources } from "../../src/extract/metadata.ts"
import { namesIn } from "../../src/extract/person-names.ts"
import { dateInText } from "../../src/extract/visible-date.ts"

const url = "https://www.paper.example/2020/01/13/story"
const read = (html: string, pageUrl = url) =>
  readMetadata(readSources(parseDocument(html), pageUrl))
const jsonLd = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify(node)}</script>`

describe("titles", () => {
  const article = { "@type": "Article", headline: "Of cats", datePublished: "2020-01-02" }
  const titles: [name: string, html: string, title: string][] = [
    ["structured data first", `<title>x</title><meta property=og:title content=y>${jsonLd(article)}`, "Of cats"],
    ["the name where the title says it", `<title>Big cats of Asia</title>${jsonLd({ ...article, headline: "An animal", name: "Big cats of Asia" })}`, "Big cats of Asia"],
    ["then Open Graph", "<title>x</title><meta property=og:title content='A  &amp;amp; B'>", "A & B"],
    ["the site's name goes from the end", "<title>A story | The Paper</title><meta property=og:site_name content='The Paper'>", "A story"],
    ["so does the name in the address", "<title>A story - Paper</title>", "A story"],
    ["other ends stay", "<title>Left - Right</title>", "Left - Right"],
    ["the heading last", "<h1>Only this</h1>", "Only this"],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, title] of titles) test(name, () => expect(read(html).title).toBe(title))
})

describe("authors", () => {
  const person = (name: string) => ({ "@type": "Article", headline: "h", author: { name } })
  const authors: [name: string, html: string, author: string | null][] = [
    ["several in structured data", jsonLd({ "@type": "Article", headline: "h", author: [{ name: "Ann Lee" }, "Bo Ek"] }), "Ann Lee, Bo Ek"],
    ["by reference", jsonLd({ "@graph": [{ "@type": "Article", headline: "h", author: { "@id": "#p" } }, { "@id": "#p", "@type": "Person", name: "Ann Lee" }] }), "Ann Lee"],
    ["the publisher counts last", `${jsonLd({ ...person("The Paper"), publisher: { name: "The Paper" } })}<p class=byline>By Ann Lee`, "Ann Lee"],
    ["but counts", jsonLd({ ...person("The Paper"), publisher: { name: "The Paper" } }), "The Paper"],
    ["a meta", "<meta name=author content='Ann Lee'>", "Ann Lee"],
    ["not a meta with an address", "<meta property=article:author content='https://f.example/ann'><a rel=author>Bo Ek</a>", "Bo Ek"],
    ["labels are no names", "<span class=byline>Published by</span><a href='/author/x'>Ann Lee</a>", "Ann Lee"],
    ["not those of comments", "<div id=comments><a rel=author>Bo Ek</a></div>", null],
    ["words of class names", "<h1>T</h1><div class='ArticleHeader__authorName'>Von Ann Lee, Redakteurin</div>", "Ann Lee"],
    ["a line under the heading", "<h1>T</h1><p>Ann Lee, 4.5.2021</p><p>text", "Ann Lee"],
    ["a line at the end", "<h1>T</h1><p>text text<p><em>Text von Ann Lee</em>", "Ann Lee"],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, author] of authors)
    test(name, () => expect(read(html).author).toBe(author))
})

test("the names in a byline", () => {
  expect(namesIn("By Ann Lee and Bo Ek, Staff Writer | 4 May 2020")).toEqual(["Ann Lee", "Bo Ek"])
  expect(namesIn("View all posts by Ann Lee")).toEqual(["Ann Lee"])
  expect(namesIn("Follow Author")).toEqual([])
  expect(namesIn("個人")).toEqual([])
})

describe("dates", () => {
  const dates: [name: string, html: string, published: string | null][] = [
    ["structured data", jsonLd({ "@type": "Article", headline: "h", datePublished: "2021-11-01T10:52:50+0100" }), "2021-11-01T09:52:50.000Z"],
    ["a meta without zone", "<meta property=article:published_time content='2018-04-05T06:00'>", "2018-04-05T06:00:00.000Z"],
    ["an American date", "<meta name=date content='4/6/2016 4:00:00 PM'>", "2016-04-06T16:00:00.000Z"],
    ["an item property", "<span itemprop=datePublished content='2020-05-06'>x</span>", "2020-05-06"],
    ["a time in the article", "<article><time datetime='2020-01-14T08:00:00Z'>x</time></article>", "2020-01-14T08:00:00.000Z"],
    ["not a time far from the address", "<article><time datetime='2009-04-11'>x</time></article>", "2020-01-13"],
    ["the address", "<p>x", "2020-01-13"],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, published] of dates) {
    test(name, () => expect(read(html).published).toBe(published))
  }
  test("what only readers see", () => {
    const shown = "<h1>T</h1><p class=info>Geschrieben am 3. März 2021 um 9 Uhr</p><p>text"
    expect(read(shown, "https://paper.example/x").published).toBe("2021-03-03")
  })
})

test("dates in text", () => {
  expect(dateInText("27.1.2022 - Bei der", "de")).toBe("2022-01-27")
  expect(dateInText("December 29th 2019", "en")).toBe("2019-12-29")
  expect(dateInText("23 mai 2019", "fr")).toBe("2019-05-23")
  expect(dateInText("3/4/2020", "en-US")).toBe("2020-03-04")
  expect(dateInText("3/4/2020", "fr")).toBe("2020-04-03")
  expect(dateInText("version 1.2.3 of 2020", "en")).toBeNull()
})

test("site, language, picture, canonical address, keywords", () => {
  const metadata =
    read(`<html><head><meta property=og:image content="/a.jpg"><meta property=og:locale content=de_AT>
    <link rel=canonical href="/story"><meta name=keywords content="a, b;c"></head><p>x`)
  expect(metadata.siteName).toBe("paper.example")
  expect(metadata.lang).toBe("de-AT")
  expect(metadata.image).toBe("https://www.paper.example/a.jpg")
  expect(metadata.canonicalUrl).toBe("https://www.paper.example/story")
  expect(metadata.keywords).toEqual(["a", "b", "c"])
})

test("the language of a text without a declaration", () => {
  const lines =
    "<p>Der Hund und die Katze sind nicht auf dem Dach, sondern mit der Maus im Haus und auch das ist eine Geschichte."
  expect(read(lines).lang).toBe("de")
  expect(read("<p>これは日本語の文章です。猫が屋根の上にいます。").lang).toBe("ja")
  expect(read("<p>x").lang).toBeNull()
})
