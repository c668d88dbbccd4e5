import { expect, test } from "bun:test"
import { likeliest, type PageType } from "../../../src/extract/article/reading/page-type.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { isWritten } from "../../../src/extract/metadata/author.ts"
import {
  authorCandidates,
  authorFeatureNames,
} from "../../../src/extract/metadata/candidates/author-features.ts"
import { chooseAuthors, chooseDate } from "../../../src/extract/metadata/candidates/choose.ts"
import {
  dateCandidates,
  dateFeatureNames,
} from "../../../src/extract/metadata/candidates/date-features.ts"
import { readLines } from "../../../src/extract/metadata/candidates/lines.ts"
import weights from "../../../src/extract/metadata/candidates/metadata-weights.json"
import {
  chancesOfNames,
  weighedFeatureNames,
  weighNames,
} from "../../../src/extract/metadata/candidates/weighed-names.ts"
import { readSources } from "../../../src/extract/metadata/page-sources.ts"

const html = `<title>Lamps</title>
  <meta name=author content="Ann Lee"><meta property=article:published_time content="2021-02-03">
  <h1>Lamps</h1><p>By <a href=/people/ann>Ann Lee</a> and Bo Ek | 3 February 2021</p>
  <p>They are of brass.</p><div class=comments><p class=author>Cy Roe</p><p>4 May 2022</p></div>`

function candidatesIn(page: string) {
  const document = parseDocument(page)
  const sources = readSources(document, "https://paper.example/lamps")
  const lines = readLines(document.body)
  return {
    authors: authorCandidates(sources, lines, null),
    dates: dateCandidates(sources, lines),
  }
}

test("the weights have these features, and each candidate has them all", () => {
  expect(weights.author.features).toEqual(authorFeatureNames)
  expect(weights.name.features).toEqual(weighedFeatureNames)
  expect(weights.date.features).toEqual(dateFeatureNames)
  const { authors, dates } = candidatesIn(html)
  for (const { features } of authors) expect(features).toHaveLength(authorFeatureNames.length)
  for (const { features } of dates) expect(features).toHaveLength(dateFeatureNames.length)
  for (const { features } of [...authors, ...dates])
    expect(features.every(Number.isFinite)).toBe(true)
})

test("names and dates are found anywhere on a page", () => {
  const { authors, dates } = candidatesIn(html)
  expect(new Set(authors.map(({ name }) => name))).toEqual(new Set(["Ann Lee", "Bo Ek", "Cy Roe"]))
  expect(new Set(dates.map(({ key }) => key))).toEqual(new Set(["2021-02-03", "2022-05-04"]))
})

test("the number of candidates is limited, however long the page", () => {
  const long = candidatesIn(
    `<h1>T</h1>${"<p class=author>By Ann Lee on 3 May 2021</p>".repeat(5_000)}`,
  )
  const twice = candidatesIn(
    `<h1>T</h1>${"<p class=author>By Ann Lee on 3 May 2021</p>".repeat(10_000)}`,
  )
  expect(long.authors.length).toBeGreaterThan(100)
  expect(long.authors.length).toBeLessThan(600)
  expect(twice.authors.length).toBe(long.authors.length)
  expect(long.dates.length).toBeLessThan(400)
})

test("names stated together are returned together, and none if none is likely", () => {
  const { authors } = candidatesIn(
    "<meta name=author content='Ann Lee, Bo Ek'><h1>T</h1><p class=author>Cy Roe</p>",
  )
  const all = (chance: (name: string) => number) => authors.map(({ name }) => chance(name))
  const chosen = (chance: (name: string) => number, isWritten = true) =>
    chooseAuthors(authors, all(chance), () => isWritten).map(({ name }) => name)
  expect(chosen((name) => (name === "Cy Roe" ? 0.1 : 0.9))).toEqual(["Ann Lee", "Bo Ek"])
  expect(chosen((name) => (name === "Ann Lee" ? 0.9 : 0.1))).toEqual(["Ann Lee"])
  expect(chosen(() => 0.01)).toEqual([])
  // Shops, lists and services usually have no author: only a certain name counts.
  const probably = (name: string) => (name === "Ann Lee" ? 0.6 : 0.1)
  expect(chosen(probably)).toEqual(["Ann Lee"])
  expect(chosen(probably, false)).toEqual([])
  expect(chosen((name) => (name === "Ann Lee" ? 0.9 : 0.1), false)).toEqual(["Ann Lee"])
})

test("lists, shops and services have no author that only a line of their text names", () => {
  const { authors } = candidatesIn("<h1>News</h1><h2>Tides</h2><p>By Ann Lee</p><p>4 May 2021</p>")
  const chosen = (isWritten: boolean) =>
    chooseAuthors(
      authors,
      authors.map(() => 0.95),
      () => isWritten,
    ).map(({ name }) => name)
  expect(chosen(true)).toEqual(["Ann Lee"])
  expect(chosen(false)).toEqual([])
})

test("a page that marks several people as authors of its entries has none, unless it is a thread", () => {
  const entry = (name: string) =>
    `<div><h2><a href=/a>Tides</a></h2><p>By <a rel=author href=/people/x>${name}</a></p></div>`
  const chosen = (people: string[], isThread: boolean) => {
    const { authors } = candidatesIn(`<h1>News</h1>${people.map(entry).join("")}`)
    const chances = authors.map(({ name }) => (name === "Ann Lee" ? 0.9 : 0.2))
    return chooseAuthors(
      authors,
      chances,
      () => true,
      () => isThread,
    ).map(({ name }) => name)
  }
  expect(chosen(["Ann Lee", "Bo Ek"], false)).toEqual(["Ann Lee"])
  expect(chosen(["Ann Lee", "Bo Ek", "Cy Roe"], false)).toEqual([])
  expect(chosen(["Ann Lee", "Bo Ek", "Cy Roe"], true)).toEqual(["Ann Lee"])
})

test("the name of a blog and an account that readers do not see are not authors", () => {
  const chosen = (page: string) => {
    const { authors } = candidatesIn(page)
    return chooseAuthors(
      authors,
      authors.map(() => 0.9),
      () => true,
    ).map(({ name }) => name)
  }
  expect(chosen('<meta name=author content="annlee42x"><h1>Tides</h1><p>They rise.</p>')).toEqual(
    [],
  )
  expect(chosen('<meta name=author content="annlee"><h1>Tides</h1><p>They rise.</p>')).toEqual([
    "annlee",
  ])
  expect(
    chosen('<meta name=author content="annlee42x"><h1>Tides</h1><p>By annlee42x</p><p>Yes.</p>'),
  ).toEqual(["annlee42x"])
  expect(chosen(`<meta name=author content="Ann's Blog"><h1>Tides</h1><p>They rise.</p>`)).toEqual(
    [],
  )
})

test("articles and threads have authors, and so may pages of unknown type", () => {
  const written: PageType[][] = [[], ["article"], ["forum"], ["article", "forum"]]
  expect(written.every(isWritten)).toBe(true)
  const others: PageType[] = ["product", "collection", "listing", "service", "documentation"]
  expect(others.some((type) => isWritten([type]) || isWritten(["article", type]))).toBe(false)
})

test("types of nearly the same chance are all likely", () => {
  const chances = (article: number, listing: number, product: number) => [
    { type: "listing" as const, chance: listing },
    { type: "article" as const, chance: article },
    { type: "product" as const, chance: product },
  ]
  expect(likeliest(chances(0.4, 0.35, 0.1))).toEqual(["article", "listing"])
  expect(likeliest(chances(0.6, 0.35, 0.1))).toEqual(["article"])
  expect(likeliest(chances(0.3, 0.35, 0.3))).toEqual(["listing", "article", "product"])
})

test("a second look scores each name with all its positions, compared with the others", () => {
  const { authors } = candidatesIn(
    "<meta name=author content='Reuters'><h1>T</h1><p class=byline>By Ann Lee</p><p class=author>Ann Lee</p>",
  )
  const chances = authors.map(({ name }) => (name === "Ann Lee" ? 0.3 : 0.6))
  const weighed = weighNames(authors, chances)
  expect(weighed.map(({ key }) => key)).toEqual(["reuters", "annlee"])
  const reported = (at: number, name: string) =>
    weighed[at]!.features[weighedFeatureNames.indexOf(name)]!
  expect(reported(0, "chance of a person")).toBe(0.3)
  expect(reported(1, "chance of no person")).toBe(0.6)
  expect(reported(1, "places")).toBe(2)
  expect([reported(1, "chance where shown"), reported(1, "chance where stated")]).toEqual([0.3, 0])
  for (const { features } of weighed) expect(features).toHaveLength(weighedFeatureNames.length)
  const seconds = chancesOfNames(authors, weighed, [0.2, 0.9])
  expect(chooseAuthors(authors, seconds, () => true).map(({ name }) => name)).toEqual(["Ann Lee"])
})

test.each([
  ["in a part that a script puts in its place", "<div hidden id=S:1><p class=author>By Ann Lee</p><time>4 May 2021</time></div>"],
  ["behind a label", "<p>04.05.2021 - Redaktion: Ann Lee (Pressesprecherin)</p>"],
  ["in a part called teaser", "<ul class=teaser-author><li>Ann Lee</li></ul><p>4 May 2021</p>"],
  ["in a link around a box", "<a href=/people/ann><div class=author>Written by <b>Ann Lee</b></div><p>who writes of lamps and of the people that light them</p></a><p>4 May 2021</p>"],
  ["with no space between", "<p class=author>Ann Lee</p><p><span>7 min read</span><span>May 4, 2021</span></p>"],
  ["in a title for scripts", "<p class=author>Ann Lee</p><span class=updated title='2021-05-04T18:52:11+00:00'></span>"],
])("a name and a date are encountered %s", (_, page) => {
  const { authors, dates } = candidatesIn(`<h1>T</h1>${page}`)
  expect(authors.map(({ name }) => name)).toContain("Ann Lee")
  expect(dates.map(({ key }) => key)).toContain("2021-05-04")
}) // biome-ignore format: a table reads better dense

test("a date doubted in the page's own data gives way to a likelier one", () => {
  const data = JSON.stringify({ "@type": "Article", headline: "T", datePublished: "2020-01-02" })
  const { dates } = candidatesIn(
    `<script type="application/ld+json">${data}</script><h1>T</h1><p>3 May 2021</p>`,
  )
  const provided = (own: number) =>
    chooseDate(
      dates,
      dates.map(({ isOwn }) => (isOwn ? own : 0.9)),
    )
  expect(provided(0.8)).toBe("2020-01-02")
  expect(provided(0.3)).toBe("2021-05-03")
})

test("the day of the last change is not returned if a page states both", () => {
  const reported = { "@type": "Article", headline: "T", dateModified: "2020-02-24" }
  const provided = (data: object) => {
    const { dates } = candidatesIn(
      `<script type="application/ld+json">${JSON.stringify(data)}</script><h1>T</h1><p>Last edited on 24 February 2020</p>`,
    )
    const chances = dates.map(({ key }) => (key === "2020-02-24" ? 0.9 : 0.3))
    return chooseDate(dates, chances)
  }
  expect(provided({ ...reported, datePublished: "2003-02-28" })).toBe("2003-02-28")
  expect(provided({ ...reported, datePublished: "2020-02-24" })).toBe("2020-02-24")
  expect(provided(reported)).toBe("2020-02-24")
})

test("code and data tables are not about the page", () => {
  const cells = "<tr><td>By John Doe</td><td>3 May 2021</td></tr>"
  const inData = candidatesIn(
    `<h1>T</h1><table><thead><tr><th>Author</th><th>Day</th></tr></thead>${cells}</table><pre>author: Ann Lee\ndate: 2018-07-10</pre>`,
  )
  expect([inData.authors, inData.dates]).toEqual([[], []])
  const inLayout = candidatesIn(`<h1>T</h1><table>${cells}</table>`)
  expect(inLayout.authors.map(({ name }) => name)).toEqual(["John Doe"])
  expect(inLayout.dates.map(({ key }) => key)).toEqual(["2021-05-03"])
})
