import { describe, expect, test } from "bun:test"
import { readArticle } from "../../../src/extract/article/index.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { readSources } from "../../../src/extract/metadata/index.ts"

const title = "The lamp by the water"
const sentence = (about: string) =>
  `The ${about} stood by the water for many years, and nobody, as far as one knows, ever asked who had put it there.`
const lines = ["lamp", "crane", "bench", "tower"].map(sentence)
const html = lines.map((line) => `<p>${line}</p>`).join("")
const other = {
  title: "Ten shops for boots",
  slug: "boots",
  body: `<p>${sentence("boot").repeat(30)}</p>`,
}

const textOf = (script: string, url = "https://site.example/a/lamp") => {
  const page = `<html><head><title>${title} | Site</title></head><body><div id="app">Loading</div>${script}</body></html>`
  return readArticle(readSources(parseDocument(page), url)).text
}
const json = (value: unknown, id = "__NEXT_DATA__") =>
  `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>`
const next = (pageProps: object) => json({ props: { pageProps } })
const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] })

describe("an article that is only in a page's script data is found", () => {
  test.each([
    ["as HTML", next({ post: { title, body: html }, related: [other] })],
    ["as plain text", next({ article: { headline: title, articleBody: lines.join("\n\n") } })],
    [
      "rendered, as WordPress has it",
      next({ post: { title: { rendered: title }, content: { rendered: html } } }),
    ],
    ["by its address alone", next({ post: { slug: "lamp", content: html }, more: [other] })],
    [
      "in blocks of ProseMirror",
      next({ post: { title, content: { type: "doc", content: lines.map(paragraph) } } }),
    ],
    [
      "in blocks of Sanity",
      next({
        post: {
          title,
          body: lines.map((text) => ({
            _type: "block",
            style: "normal",
            children: [{ _type: "span", text }],
          })),
        },
      }),
    ],
    [
      "in rich text of Contentful",
      next({
        post: {
          fields: {
            title,
            body: {
              nodeType: "document",
              content: lines.map((value) => ({
                nodeType: "paragraph",
                content: [{ nodeType: "text", value }],
              })),
            },
          },
        },
      }),
    ],
    [
      "in an Apollo cache, whose objects refer to each other",
      `<script>window.__APOLLO_STATE__ = ${JSON.stringify({
        ROOT_QUERY: { post: { __ref: "Post:1" } },
        "Post:1": {
          title,
          'content({"full":true})': {
            bodyModel: { paragraphs: lines.map((_, at) => ({ __ref: `Paragraph:${at}` })) },
          },
        },
        ...Object.fromEntries(lines.map((text, at) => [`Paragraph:${at}`, { type: "P", text }])),
      })};</script>`,
    ],
    [
      "in the flat list of Nuxt 3",
      json(
        [["Reactive", 1], { data: 2 }, { post: 3 }, { title: 4, body: 5 }, title, html],
        "__NUXT_DATA__",
      ),
    ],
    [
      "in a store that is written out",
      `<script>window.__INITIAL_STATE__ = JSON.parse(${JSON.stringify(JSON.stringify({ story: { title, body: html } })).replaceAll("<", "\\u003c")})</script>`,
    ],
  ])("%s", (_, script) => {
    expect(textOf(script).split("\n")).toEqual(lines)
  })

  test("but not that of another article, nor one with only the site's name in common", () => {
    expect(
      textOf(next({ related: [other], site: { name: "Site", content: other.body } })),
    ).not.toContain("boot")
  })

  test("and only if the page shows none", () => {
    const visible = `<article><h1>${title}</h1>${lines.map((line) => `<p>${line} Shown.</p>`).join("")}</article>`
    expect(textOf(visible + next({ post: { title, body: html + html } }))).toContain("Shown.")
  })

  test("with its images, and its own markup as text", () => {
    const lead = { title, body: lines.map((line) => `${line} 1 < 2 & 3 > 2`).join("\n") }
    expect(textOf(next({ lead }))).toContain("1 < 2 & 3 > 2")
  })
})

test("a state that is made deep, wide or cyclic ends", () => {
  const deep = `${'{"title":"The lamp by the water","content":'.repeat(20_000)}"x"${"}".repeat(20_000)}`
  const wide = { title, blocks: Array.from({ length: 80_000 }, () => ({ content: [{}] })) }
  const round = json([{ title: 1, body: 2 }, title, [2, 0]], "__NUXT_DATA__")
  const many = `<script>${"window.__NUXT__={".repeat(20_000)}</script>`
  const refs = {
    ROOT_QUERY: {},
    big: { text: `<p>${"<b></b>".repeat(20_000)}` },
    ...Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`Post:${at}`, { title, body: { __ref: "big" } }]),
    ),
  }
  const post = '{"content":"x","author":"a","date":"2024-05-04","replies":['
  const answered = `${post.repeat(20_000)}${"]}".repeat(20_000)}`
  // A post with two replies, each of which has the same data as the post itself.
  const crossed = [1, { content: 2, author: 2, date: 3, replies: 4 }, "x", "2024-05-04", [1, 1]]
  const started = process.cpuUsage()
  const scripts = [
    `<script>window.__APOLLO_STATE__=${JSON.stringify(refs)}</script>`,
    `<script type="application/json">${deep}</script>`,
    next(wide),
    round,
    many,
  ]
  for (const script of scripts) expect(textOf(script).length).toBeLessThan(250)
  expect(textOf(`<script type="application/json">${answered}</script>`).length).toBeLessThan(1_000)
  expect(textOf(json(crossed, "__NUXT_DATA__")).length).toBeLessThan(250)
  const { user } = process.cpuUsage(started)
  expect(user / 1e6).toBeLessThan(5)
})

describe("all posts of a thread that is only in a page's script data are found", () => {
  const day = (at: number) => `2024-05-0${at + 1}T10:00:00.000Z`
  const names = ["ann", "ben", "cem", "dee"]
  const attribute = (name: string, value: unknown) =>
    `<div id="state" ${name}="${JSON.stringify(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></div>`
  const discourse = {
    site: JSON.stringify({ categories: [{ name: "Boats", description: sentence("boat") }] }),
    topic_12: JSON.stringify({
      title,
      post_stream: {
        posts: lines.map((line, at) => ({
          id: at,
          username: names[at],
          created_at: day(at),
          cooked: `<p>${line}</p>`,
        })),
      },
      suggested_topics: [{ title: "Ten shops for boots", excerpt: sentence("boot") }],
    }),
  }
  const flarum = {
    apiDocument: {
      data: { type: "discussions", attributes: { title } },
      included: [
        { type: "users", id: "1", attributes: { username: "ann" } },
        ...lines.map((line, at) => ({
          type: "posts",
          relationships: { user: { data: { type: "users", id: "1" } } },
          attributes: { number: at + 1, createdAt: day(at), contentHtml: `<p>${line}</p>` },
        })),
      ],
    },
  }
  const nodebb = {
    title,
    posts: lines.map((line, at) => ({
      content: `<p>${line}</p>`,
      timestampISO: day(at),
      user: { username: names[at] },
    })),
  }
  const [opening, ...answers] = lines
  const lemmy = {
    routeData: {
      postRes: {
        state: "success",
        data: {
          post_view: {
            post: { name: title, body: opening, published: day(0) },
            creator: { name: "ann" },
          },
        },
      },
      commentsRes: {
        data: {
          comments: answers.map((content, at) => ({
            comment: { content, published: day(at + 1), path: `0.${at}` },
            creator: { name: names[at + 1] },
          })),
        },
      },
    },
  }
  const vanilla = [
    {
      type: "discussion",
      payload: {
        discussion: {
          name: title,
          body: opening,
          dateInserted: day(0),
          insertUser: { name: "ann" },
        },
        comments: answers.map((body, at) => ({
          ...{ body, dateInserted: day(at + 1), insertUser: { name: names[at + 1] } },
        })),
      },
    },
  ]
  const stated = (type: string, at: number, more = {}) => ({
    ...{ "@type": type, text: lines[at], datePublished: day(at), author: { name: names[at] } },
    ...more,
  })
  const answered = stated("DiscussionForumPosting", 0, {
    comment: [stated("Comment", 1, { comment: [stated("Comment", 2)] }), stated("Comment", 3)],
  })
  const questioned = {
    "@type": "QAPage",
    mainEntity: stated("Question", 0, {
      acceptedAnswer: stated("Answer", 1),
      suggestedAnswer: [stated("Answer", 2), stated("Answer", 3)],
    }),
  }
  const linked = (value: unknown) =>
    `<script type="application/ld+json">${JSON.stringify(value)}</script>`
  const shuffled = {
    apiDocument: { ...flarum.apiDocument, included: [...flarum.apiDocument.included].reverse() },
  }
  test.each([
    ["of Discourse", attribute("data-preloaded", discourse)],
    ["of Flarum", json(flarum, "flarum-json-payload")],
    ["of Flarum in another order", json(shuffled, "flarum-json-payload")],
    ["of NodeBB", json(nodebb, "ajaxify-data")],
    ["of Lemmy", `<script>window.isoData = ${JSON.stringify(lemmy)}</script>`],
    ["of Vanilla", `<script>window.__ACTIONS__=${JSON.stringify(vanilla)};</script>`],
    ["of JSON-LD, as XenForo writes it, with answers to answers", linked(answered)],
    ["of a question in JSON-LD", linked(questioned)],
  ])("%s", (_, script) => {
    const text = textOf(script, "https://forum.example/t/lamp/12")
    const positions = lines.map((line) => text.indexOf(line))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    expect(text).not.toContain("boot")
  })
  test("with author and time of each", () => {
    const text = textOf(attribute("data-preloaded", discourse), "https://forum.example/t/lamp/12")
    expect(text).toContain("ben, 2024-05-02")
    const named = textOf(json(flarum, "flarum-json-payload"), "https://forum.example/d/12-lamp")
    expect(named).toContain("ann, 2024-05-02")
  })
  test("and articles in the properties of a component, in parts", () => {
    const props = { project: { title, steps: lines.map((line) => ({ text: `<p>${line}</p>` })) } }
    const text = textOf(attribute("data-react-props", props), "https://site.example/diy/12")
    for (const line of lines) expect(text).toContain(line)
  })
  test("and next to a list of 200,000 numbers", () => {
    const state = {
      ...discourse,
      votes: JSON.stringify(Array.from({ length: 200_000 }, (_, at) => at)),
    }
    const text = textOf(attribute("data-preloaded", state), "https://forum.example/t/lamp/12")
    expect(text).toContain(lines[3]!)
  })
})
