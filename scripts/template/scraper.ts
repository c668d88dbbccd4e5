import { Type } from "@sinclair/typebox"
import {
  css,
  cursor,
  defineScraper,
  field,
  inputs,
  record,
  required,
} from "../../src/catalogue/kit/index.ts"
import { absoluteUrl, allTexts } from "../../src/extract/core/index.ts"

const site = "https://example.com"
const addressOf = (row: ParentNode) => absoluteUrl(css("h2 a", "href")(row), site)

/** An entry of the list: each field with its source and description. */
const entry = record({
  url: required(field.text(addressOf, "URL of the entry.")),
  title: required(field.title(css("h2"), "Title.")),
  author: field.text(css(".author"), "Author."),
  publishedAt: field.time(css("time", "datetime"), "Time of publication (ISO 8601, UTC)."),
  likesCount: field.count(css(".likes"), "Number of likes."),
  tags: field.texts((row: ParentNode) => allTexts(row, ".tag"), "Tags."),
})

export default defineScraper({
  slug: "template-scraper",
  name: "Template",
  tagline: "The entries of any topic of example.com, page after page.",
  category: "data",
  input: {
    topics: inputs.texts("Topic slugs, for example history.", { max: 100 }),
    limit: inputs.count("Maximum entries", { max: 1000, or: 100 }),
  },
  item: {
    topic: Type.String({ description: "Topic as written in the input." }),
    ...entry.fields,
  },
  example: { topics: ["gardens"], limit: 10 },
  probe: {
    input: { topics: ["gardens"], limit: 5 },
    expect: ["items.length gte 1", "items[*].title share 1", "?items[*].author share 0.8"],
  },
  rateLimit: { "example.com": { perSecond: 1, concurrency: 1 } },
  targets: (input) => input.topics,
  maxItems: (input) => input.limit,

  async *scrape(topic, ctx) {
    const start = `${site}/topics/${encodeURIComponent(topic)}`
    const ask = async (url = start) => {
      const response = await ctx.page(url, { has: "article.entry", what: "the list of entries" })
      const rows = [...response.document.querySelectorAll("article.entry")]
      if (rows.length === 0) throw response.explainMissing("the list of entries")
      const next = css('a[rel="next"]', "href")(response.document)
      return { rows: rows.map(entry.read), next: absoluteUrl(next, response.url) }
    }
    const entries = cursor(ask, { cap: ctx.input.limit, keyOf: ({ url }) => url })
    for await (const one of entries) yield { topic, ...one }
  },
})
