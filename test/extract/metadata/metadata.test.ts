import { describe, expect, test } from "bun:test"
import { authorLessons, dateLessons } from "../../../scripts/reading/lessons.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import type { AuthorCandidate } from "../../../src/extract/metadata/candidates/author-features.ts"
import { chooseAuthors } from "../../../src/extract/metadata/candidates/choose.ts"
import { readMetadata } from "../../../src/extract/metadata/metadata.ts"
import { readSources } from "../../../src/extract/metadata/page-sources.ts"
import { dateInText } from "../../../src/extract/metadata/text/dates-in-text.ts"
import { namesIn } from "../../../src/extract/metadata/text/person-names.ts"

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
    ["not that of a thing on the page", `<title>Cats of Asia</title><meta property=og:title content="Cats of Asia, part 2">${jsonLd({ ...article, headline: "Player" })}`, "Cats of Asia, part 2"],
    ["of an article the headline that is shown", `<title>Best cats 2020 | Paper</title>${jsonLd({ ...article, headline: "Best cats 2020" })}<h1>The best cats for small homes</h1>`, "The best cats for small homes"],
    ["without the other elements in it", `<title>Best cats</title>${jsonLd({ ...article, headline: "Best cats" })}<h1><button>Open</button> Best cats</h1>`, "Best cats"],
    ["not where the data has a headline of its own", `<title>Best cats</title><meta property=og:title content="The best cats of all">${jsonLd({ ...article, headline: "Best cats" })}<h1>The best cats of all</h1>`, "Best cats"],
    ["not the one of another thing", `<title>Best cats</title>${jsonLd({ ...article, headline: "Best cats" })}<h1>Our newsletter</h1>`, "Best cats"],
    ["not one of several headlines", `<title>Best cats</title>${jsonLd({ ...article, headline: "Best cats" })}<h1>Best dogs</h1><h1>Best birds</h1>`, "Best cats"],
    ["the heading where only the site is left", "<title>| Paper</title><h1>Lamps</h1>", "Lamps"],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, title] of titles) test(name, () => expect(read(html).title).toBe(title))

  const forAll = "<title>Paper - the heart of the web</title>"
  const ofAddress: [name: string, html: string, pageUrl: string, title: string][] = [
    ["the heading that matches the URL", `${forAll}<h1>Lamps for boats</h1>`, "/t/lamps_for_boats/", "Lamps for boats"],
    ["the title that matches it", "<meta property=og:title content='Sell better, together'><title>Lamps for boats</title>", "/lamps-boats.html", "Lamps for boats"],
    ["in any script", `${forAll}<h1>Лампы для лодок</h1>`, "/%D0%BB%D0%B0%D0%BC%D0%BF%D1%8B", "Лампы для лодок"],
    ["not if the URL has no words", `${forAll}<h1>Lamps for boats</h1>`, "/t/4711", "Paper - the heart of the web"],
    ["not if the URL matches the title", `${forAll}<h1>Lamps for boats</h1>`, "/heart/lamps", "Paper - the heart of the web"],
    ["nor a heading that leads elsewhere", `${forAll}<h1><a href=/>Lamps</a></h1>`, "/lamps", "Paper - the heart of the web"],
    ["bad escapes are taken as written", `${forAll}<h1>Lamps</h1>`, "/%E0%A4%A/lamps", "Lamps"],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, path, title] of ofAddress)
    test(`a title of all pages: ${name}`, () =>
      expect(read(html, `https://www.paper.example${path}`).title).toBe(title))
})

describe("authors", () => {
  for (const [name, html, author, pageUrl] of authorLessons)
    test(name, () => expect(read(html, pageUrl).author).toBe(author))
})

test("a person listed in a byline with the author is an author as well", () => {
  expect(read("<h1>T</h1><p>Veröffentlicht von Ann, Bo und Cy am 4.5.2021</p><p>x").author).toBe(
    "Ann, Bo, Cy",
  )
  const named = (name: string, isListed: boolean): AuthorCandidate => ({
    ...{ key: name, name, isListed, url: null, group: "line 1" },
    ...{ features: [], words: [] },
  })
  const chosen = (isListed: boolean) =>
    chooseAuthors(
      ["ann", "bo", "cy"].map((name) => named(name, isListed)),
      [0.8, 0.3, 0.05],
      () => true,
    )
  expect(chosen(true).map(({ name }) => name)).toEqual(["ann", "bo"])
  expect(chosen(false).map(({ name }) => name)).toEqual(["ann"])
})

test("the names in a byline", () => {
  expect(namesIn("By Ann Lee and Bo Ek, Staff Writer | 4 May 2020")).toEqual(["Ann Lee", "Bo Ek"])
  expect(namesIn("View all posts by Ann Lee")).toEqual(["Ann Lee"])
  expect(namesIn("Geschrieben von Ann Lee")).toEqual(["Ann Lee"])
  expect(namesIn("Ann Lee/Bo Ek")).toEqual(["Ann Lee", "Bo Ek"])
  expect(namesIn("AFP/The Local")).toEqual(["AFP/The Local"])
  expect(namesIn("Ann Lee / AFP")).toEqual(["Ann Lee", "AFP"])
  expect(namesIn("Текст: Анна Ли")).toEqual(["Анна Ли"])
  expect(namesIn("Ann Lee - Paper Contributor")).toEqual(["Ann Lee"])
  expect(namesIn("Ann LeeAnn Lee")).toEqual(["Ann Lee"])
  expect(namesIn("Ann Lee and Bo Okonkwo.")).toEqual(["Ann Lee", "Bo Okonkwo"])
  expect(namesIn("By Ann Lee on")).toEqual(["Ann Lee"])
  expect(namesIn("Full Bio")).toEqual([])
  expect(namesIn("Follow Author")).toEqual([])
  expect(namesIn("個人")).toEqual([])
})

describe("dates", () => {
  for (const [name, html, published, pageUrl] of dateLessons) {
    test(name, () => expect(read(html, pageUrl).publishedAt).toBe(published))
  }
})

test("dates in text", () => {
  expect(dateInText("27.1.2022 - Bei der", "de")).toBe("2022-01-27")
  expect(dateInText("December 29th 2019", "en")).toBe("2019-12-29")
  expect(dateInText("23 mai 2019", "fr")).toBe("2019-05-23")
  expect(dateInText("03.Mär.19 | Ann Lee", "de")).toBe("2019-03-03")
  expect(dateInText("5 May 12 people", "en")).toBeNull()
  expect(dateInText("3/4/2020", "en-US")).toBe("2020-03-04")
  expect(dateInText("3/4/2020", "fr")).toBe("2020-04-03")
  expect(dateInText("2022/02/08 10:00", "ja")).toBe("2022-02-08")
  expect(dateInText("2022년 2월 8일", "ko")).toBe("2022-02-08")
  expect(dateInText("2022. február 8.", "hu")).toBe("2022-02-08")
  expect(dateInText("12 października 2021", "pl")).toBe("2021-10-12")
  expect(dateInText("5 Temmuz 2020", "tr")).toBe("2020-07-05")
  expect(dateInText("3. marraskuuta 2020", "fi")).toBe("2020-11-03")
  expect(dateInText("2020 Joulukuu 24", "fi")).toBe("2020-12-24")
  expect(dateInText("12 maj 2021", "sv")).toBe("2021-05-12")
  expect(dateInText("1/2020/1 and 2020/1", "en")).toBeNull()
  expect(dateInText("version 1.2.3 of 2020", "en")).toBeNull()
})

test("site, language, image, canonical URL, keywords", () => {
  const metadata =
    read(`<html><head><meta property=og:image content="/a.jpg"><meta property=og:locale content=de_AT>
    <link rel=canonical href="/story"><meta name=keywords content="a, b;c"></head><p>x`)
  expect(metadata.siteName).toBe("paper.example")
  expect(metadata.language).toBe("de-AT")
  expect(metadata.imageUrl).toBe("https://www.paper.example/a.jpg")
  expect(metadata.canonicalUrl).toBe("https://www.paper.example/story")
  expect(metadata.keywords).toEqual(["a", "b", "c"])
})

test("the language of a text without a declaration", () => {
  const lines =
    "<p>Der Hund und die Katze sind nicht auf dem Dach, sondern mit der Maus im Haus und auch das ist eine Geschichte."
  expect(read(lines).language).toBe("de")
  expect(read("<p>これは日本語の文章です。猫が屋根の上にいます。").language).toBe("ja")
  expect(read("<p>x").language).toBeNull()
})
