import { describe, expect, test } from "bun:test"
import { pageMarkdown, readerView } from "../../../src/extract/article/index.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const url = "https://site.example/a/lamp"
const title = "The lamp by the water"
const lead =
  "The lamp stood by the water for many years, and nobody, as far as one knows, ever asked who had put it there, or who it was that came at dusk to light it. Boats steered by it, and children counted the steps up to its door, and each of them came to another number than the one before."
const documentOf = (script: string, visible = "") =>
  parseDocument(
    `<html><head><title>${title} | Site</title></head><body><div id="root">${visible}</div>${script}</body></html>`,
  )
const json = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c")
const next = (post: object) =>
  `<script id="__NEXT_DATA__" type="application/json">${json({ props: { pageProps: { post } } })}</script>`
const markdownOf = (script: string) => pageMarkdown(documentOf(script), url, true).markdown

const written = `${lead}

## Who lit it

The **keeper** wrote [a book](https://keeper.example/) of *one* page.

- By oil
- By gas

> It went out once.`

const contentful = (kind: string, content: unknown, data = {}) => ({
  nodeType: kind,
  data,
  content,
})
const words = (value: string, ...marks: string[]) => ({
  nodeType: "text",
  value,
  marks: marks.map((type) => ({ type })),
})
const prose = (type: string, content: unknown, attrs = {}) => ({ type, attrs, content })
const text = (text: string, ...marks: object[]) => ({ type: "text", text, marks })
const block = (style: string, children: unknown, more = {}) => ({
  _type: "block",
  style,
  children,
  markDefs: [],
  ...more,
})
const span = (text: string, ...marks: string[]) => ({ _type: "span", text, marks })
const lexical = (type: string, children: unknown, more = {}) => ({ type, children, ...more })
const formed = (text: string, format = 0) => ({ type: "text", text, format })

describe("the formats of editors are read correctly", () => {
  test.each<[string, unknown]>([
    [
      "HTML",
      `<p>${lead}</p><h2>Who lit it</h2><p>The <b>keeper</b> wrote <a href="https://keeper.example/">a book</a> of <i>one</i> page.</p><ul><li>By oil</li><li>By gas</li></ul><blockquote>It went out once.</blockquote>`,
    ],
    [
      "Contentful",
      contentful("document", [
        contentful("paragraph", [words(lead)]),
        contentful("heading-2", [words("Who lit it")]),
        contentful("paragraph", [
          words("The "),
          words("keeper", "bold"),
          words(" wrote "),
          contentful("hyperlink", [words("a book")], { uri: "https://keeper.example/" }),
          words(" of "),
          words("one", "italic"),
          words(" page."),
        ]),
        contentful("unordered-list", [
          contentful("list-item", [contentful("paragraph", [words("By oil")])]),
          contentful("list-item", [contentful("paragraph", [words("By gas")])]),
        ]),
        contentful("blockquote", [contentful("paragraph", [words("It went out once.")])]),
      ]),
    ],
    [
      "ProseMirror",
      prose("doc", [
        prose("paragraph", [text(lead)]),
        prose("heading", [text("Who lit it")], { level: 2 }),
        prose("paragraph", [
          text("The "),
          text("keeper", { type: "bold" }),
          text(" wrote "),
          text("a book", { type: "link", attrs: { href: "https://keeper.example/" } }),
          text(" of "),
          text("one", { type: "em" }),
          text(" page."),
        ]),
        prose("bulletList", [
          prose("listItem", [prose("paragraph", [text("By oil")])]),
          prose("listItem", [prose("paragraph", [text("By gas")])]),
        ]),
        prose("blockquote", [prose("paragraph", [text("It went out once.")])]),
      ]),
    ],
    [
      "Sanity",
      [
        block("normal", [span(lead)]),
        block("h2", [span("Who lit it")]),
        block(
          "normal",
          [
            span("The "),
            span("keeper", "strong"),
            span(" wrote "),
            span("a book", "k1"),
            span(" of "),
            span("one", "em"),
            span(" page."),
          ],
          { markDefs: [{ _key: "k1", _type: "link", href: "https://keeper.example/" }] },
        ),
        block("normal", [span("By oil")], { listItem: "bullet", level: 1 }),
        block("normal", [span("By gas")], { listItem: "bullet", level: 1 }),
        block("blockquote", [span("It went out once.")]),
      ],
    ],
    [
      "Lexical",
      {
        root: lexical("root", [
          lexical("paragraph", [formed(lead)]),
          lexical("heading", [formed("Who lit it")], { tag: "h2" }),
          lexical("paragraph", [
            formed("The "),
            formed("keeper", 1),
            formed(" wrote "),
            lexical("link", [formed("a book")], { fields: { url: "https://keeper.example/" } }),
            formed(" of "),
            formed("one", 2),
            formed(" page."),
          ]),
          lexical(
            "list",
            [lexical("listitem", [formed("By oil")]), lexical("listitem", [formed("By gas")])],
            { listType: "bullet", tag: "ul" },
          ),
          lexical("quote", [formed("It went out once.")]),
        ]),
      },
    ],
    [
      "Slate",
      [
        { type: "paragraph", children: [{ text: lead }] },
        { type: "heading-two", children: [{ text: "Who lit it" }] },
        {
          type: "paragraph",
          children: [
            { text: "The " },
            { text: "keeper", bold: true },
            { text: " wrote " },
            { type: "link", url: "https://keeper.example/", children: [{ text: "a book" }] },
            { text: " of " },
            { text: "one", italic: true },
            { text: " page." },
          ],
        },
        {
          type: "ul_list",
          children: ["By oil", "By gas"].map((text) => ({
            type: "list_item",
            children: [{ text }],
          })),
        },
        { type: "block-quote", children: [{ text: "It went out once." }] },
      ],
    ],
  ])("%s", (_, body) => {
    expect(markdownOf(next({ title, body })).trim()).toBe(written)
  })

  test("Editor.js and Medium, with lines of unknown marks", () => {
    const plain = written.replace(/\[(.*?)\]\(.*?\)/g, "$1").replaceAll("*", "")
    const line = "The keeper wrote a book of one page."
    const editorJs = {
      blocks: [
        { type: "paragraph", data: { text: lead } },
        { type: "header", data: { text: "Who lit it", level: 2 } },
        { type: "paragraph", data: { text: line } },
        { type: "list", data: { style: "unordered", items: ["By oil", "By gas"] } },
        { type: "quote", data: { text: "It went out once." } },
      ],
    }
    const medium = {
      bodyModel: {
        paragraphs: [
          { type: "P", text: lead },
          { type: "H2", text: "Who lit it" },
          { type: "P", text: line },
          { type: "ULI", text: "By oil" },
          { type: "ULI", text: "By gas" },
          { type: "BQ", text: "It went out once." },
        ],
      },
    }
    for (const content of [editorJs, medium]) {
      expect(markdownOf(next({ title, content })).trim()).toBe(plain)
    }
  })
})

describe("the state of a page is found in each framework's form", () => {
  const post = { title, body: `<p>${lead}</p>` }
  const written = json({ posts: { lamp: post } })
  const text = JSON.stringify(JSON.stringify({ posts: { lamp: post } })).replaceAll("<", "\\u003c")
  test.each([
    ["Vue and Vuex", `window.__INITIAL_STATE__=${written};(function(){var s;})()`],
    ["Redux", `window.__PRELOADED_STATE__ = ${written}`],
    ["Remix", `window.__remixContext = {"state":{"loaderData":{"routes/a.$slug":${written}}}};`],
    ["React Router", `window.__staticRouterHydrationData = JSON.parse(${text});`],
    ["a text of JSON", `window.__INITIAL_DATA__=${text};`],
    ["Arc", `window.Fusion=window.Fusion||{};Fusion.globalContent=${written};Fusion.spa=false`],
    ["by name in brackets", `window["__APP_STATE__"] = ${written}`],
  ])("%s", (_, script) => {
    expect(markdownOf(`<script>${script}</script>`)).toContain(lead)
  })

  test("and a reader view uses it if the page shows nothing", () => {
    const view = readerView(documentOf(next(post), "Loading"), url)
    expect(view.text).toContain(lead)
    expect(readerView(documentOf("", "Loading"), url).text).toBe("Loading")
  })

  test("and is not used if the page shows its text", () => {
    const visible = `<article><h1>${title}</h1><p>${lead.replaceAll("lamp", "crane")}</p></article>`
    const document = documentOf(next({ ...post, body: post.body.repeat(9) }), visible)
    expect(pageMarkdown(document, url, true).markdown).not.toContain("lamp stood")
    expect(readerView(document, url).text).toContain("crane")
  })
})

test("URLs of a body are resolved against its page, and none of them runs a script", () => {
  const body = [
    block("normal", [span(lead)]),
    block("normal", [span("here", "k1"), span(" and "), span("there", "k2")], {
      markDefs: [
        { _key: "k1", _type: "link", href: "../b" },
        { _key: "k2", _type: "link", href: "javascript:alert(1)" },
      ],
    }),
  ]
  const markdown = markdownOf(next({ title, body }))
  expect(markdown).toContain("[here](https://site.example/b) and there")
})

test("a body made of special characters costs no more than its length", () => {
  const cost = (size: number) => {
    const body = `<p>${lead}</p>${"<".repeat(size)}`
    const started = process.cpuUsage()
    expect(markdownOf(next({ title, body, more: [body, body] }))).toContain("The lamp stood")
    return process.cpuUsage(started).user
  }
  cost(1000)
  expect(cost(400_000)).toBeLessThan(40 * Math.max(cost(40_000), 20_000))
})
