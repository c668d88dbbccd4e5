import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../src/extract/core/index.ts"
import { readFaqs } from "../../src/extract/faq/index.ts"
import { checkableLinks, headerRedirect, pageRedirect } from "../../src/extract/links/index.ts"
import { frequentTerms, pixelWidth, readingEase } from "../../src/extract/seo/text.ts"
import { readStructuredData } from "../../src/extract/structured/index.ts"

const url = "https://site.example/dir/page"

describe("redirects by header", () => {
  test.each([
    [301, { location: "/a" }, "http", "https://site.example/a"],
    [308, { location: "//b.example/\\x" }, "http", "https://b.example//x"],
    [302, { location: "https://a.example/, https://b.example/" }, "http", "https://a.example/"],
    [302, { location: "/m\u00c3\u00a3e" }, "http", "https://site.example/m%C3%A3e"],
    [302, { location: "" }, "http", null],
    [302, { location: "javascript:x" }, "http", null],
    [200, { refresh: "0; url=/r" }, "refresh-header", "https://site.example/r"],
  ])("%d %j", (status, headers, type, target) => {
    expect(
      headerRedirect(status, new Headers(headers as Record<string, string>), url),
    ).toMatchObject({ type, url: target } as never)
  })
  test.each([
    [200, {}],
    [300, { location: "/a" }],
    [304, { location: "/a" }],
    [200, { refresh: "300; url=/r" }],
  ])("%d %j is not a redirect", (status, headers) => {
    expect(headerRedirect(status, new Headers(headers as Record<string, string>), url)).toBeNull()
  })
})

describe("redirects by page", () => {
  const go = (html: string) => pageRedirect(parseDocument(html), url)
  test.each([
    [
      '<meta http-equiv="REFRESH" content="0;URL=\'../x\'">',
      "meta-refresh",
      "https://site.example/x",
    ],
    ['<meta http-equiv="refresh" content="5; /x">', "meta-refresh", "https://site.example/x"],
    [
      '<script>window.location.replace("https:\\/\\/b.example\\/")</script>',
      "javascript",
      "https://b.example/",
    ],
    ["<script>location.href='/x'</script>", "javascript", "https://site.example/x"],
    ['<script>top.location = "/x";</script>', "javascript", "https://site.example/x"],
  ])("%s", (html, type, target) => expect(go(html)).toMatchObject({ type, url: target } as never))
  test.each([
    ['<meta http-equiv="refresh" content="30">'],
    ['<meta http-equiv="refresh" content="60; url=/x">'],
    ['<noscript><meta http-equiv="refresh" content="0; url=/x"></noscript>'],
    [`<script>location.href='/x'</script><p>${"A page with text of its own. ".repeat(10)}</p>`],
    ["<script>var mylocation = '/x'; relocation='/y'</script>"],
  ])("%s is not a redirect", (html) => expect(go(html)).toBeNull())
})

test("links that can be checked", () => {
  const html = `<base href="/b/"><a href="one">1</a><a href="#x">2</a><a href="mailto:a@b.de">3</a><a href="https:///x">4</a>
    <a href="htp://x">5</a><a href="/{{url}}">6</a><img src="p q.png" alt="Pic"><a href="HTTPS://Other.example/#y">7</a><a href="javascript:x">8</a>`
  const { links, skipped } = checkableLinks(parseDocument(html), url)
  expect(skipped).toBe(2)
  expect(links.map(({ url, element, text }) => [url, element, text])).toEqual([
    ["https://site.example/b/one", "a", "1"],
    [null, "a", "4"],
    [null, "a", "5"],
    [null, "a", "6"],
    ["https://site.example/b/p%20q.png", "img", "Pic"],
    ["https://other.example/", "a", "7"],
  ])
})

describe("questions and answers", () => {
  const faqs = (html: string, heuristics = true) => {
    const document = parseDocument(html)
    return readFaqs(document, url, readStructuredData(document, url), heuristics)
  }
  const ld = (value: unknown) =>
    `<script type="application/ld+json">${JSON.stringify(value)}</script>`
  const question = (name: string, answer: unknown) => ({
    "@type": "Question",
    name,
    acceptedAnswer: answer,
  })

  test.each([
    ["text", { text: "<p>One</p><ul><li>Two</li></ul>" }, "One\nTwo"],
    ["list of answers", [{ text: "First" }, { text: "Second" }], "First"],
    ["description", { description: "D" }, "D"],
    ["escaped markup and rare entities", { text: "&lt;p&gt;A&comma; b&lt;/p&gt;" }, "A, b"],
    ["lines of plain text", { text: "One\nTwo" }, "One\nTwo"],
  ])("JSON-LD with %s", (_, answer, text) => {
    expect(
      faqs(ld({ subjectOf: { "@type": "FAQPage", mainEntity: [question("Q?", answer)] } }))[0]!
        .answer,
    ).toBe(text)
  })

  test("heuristics add what the data lacks", () => {
    const html = `${ld(question("Why  so?", { text: "Because." }))}<details><summary>Why so?</summary>Because of the wind, as ever.</details><details><summary>How?</summary>With some care and with patience.</details>`
    expect(faqs(html).map(({ question, source }) => [question, source])).toEqual([
      ["Why so?", "json-ld"],
      ["How?", "details"],
    ])
    expect(faqs(html, false)).toHaveLength(1)
  })

  test.each([
    [
      "a list of definitions",
      "<h2>FAQ</h2><dl><dt>Shipping</dt><dd>We ship to all of Europe.</dd></dl>",
      "dl",
    ],
    [
      "an accordion",
      '<button aria-expanded="false" aria-controls="p">How long?</button><div id="p" style="display:none">It takes two days at most.</div>',
      "accordion",
    ],
    [
      "Yoast's block",
      '<div class="schema-faq-section"><strong class="schema-faq-question">How long?</strong><p class="schema-faq-answer">It takes two days at most.</p></div>',
      "accordion",
    ],
    [
      "headings below an FAQ heading",
      "<h2>Häufige Fragen</h2><h3>Wie lange dauert es?</h3><p>Zwei Tage, manchmal drei.</p>",
      "heading",
    ],
    [
      "three questions in a row",
      ["One?", "Two?", "Three?"]
        .map((q) => `<h3>${q}</h3><p>An answer of some length.</p>`)
        .join(""),
      "heading",
    ],
  ])("%s", (_, html, source) => expect(faqs(html)[0]?.source).toBe(source as never))

  test.each([
    [
      "a question in an article",
      "<h1>Story</h1><h2>Who would have thought?</h2><p>No one, as it turned out later.</p>",
    ],
    [
      "menus",
      "<nav><details><summary>Products?</summary>Kettles, pans, and all the rest.</details></nav>",
    ],
    ["short answers", "<details><summary>Why?</summary>So.</details>"],
  ])("%s are none", (_, html) => expect(faqs(html)).toEqual([]))
})

describe("measures of a text", () => {
  test("width, about", () => {
    expect(pixelWidth("iiii")).toBeLessThan(pixelWidth("WWWW"))
    expect(pixelWidth("Ä")).toBe(pixelWidth("A"))
    expect(pixelWidth("")).toBe(0)
  })
  test("reading ease", () => {
    const easy =
      "The cat sat on the mat. The dog ran to the cat. They had a lot of fun in the sun. We all like to run and play on the hill with them."
    expect(readingEase(easy)).toBeGreaterThan(90)
    expect(readingEase("Too short.")).toBeNull()
  })
  test("frequent words without stop words", () => {
    const terms = frequentTerms("the red boat and the red boat and the harbour")
    expect(terms.map(({ term, count }) => [term, count])).toEqual([
      ["boat", 2],
      ["red", 2],
      ["red boat", 2],
    ])
  })
})
