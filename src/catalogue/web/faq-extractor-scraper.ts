import { Type } from "@sinclair/typebox"
import { baseUrl, round } from "../../extract/core/index.ts"
import { type Faq, readFaqs } from "../../extract/faq/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { documentTitle } from "../../extract/page/index.ts"
import {
  nodesOfType,
  readStructuredData,
  type StructuredData,
  typesOf,
} from "../../extract/structured/index.ts"
import {
  Changed,
  defineScraper,
  inputs,
  itemObject,
  items,
  pageUrls,
  readOnce,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import { linkFields, onePageEach, openPage, requireWhole } from "./page/open.ts"

const href = {
  url: items.requiredText("URL of the input, with https:// added if it has no scheme."),
  finalUrl: items.requiredText("URL after redirects."),
}

const faqItem = record({
  type: Type.Literal("faq", { description: "Kind of item: a question with its answer." }),
  ...href,
  question: items.requiredText("The question as plain text."),
  answer: items.requiredText(
    "Answer as plain text, with paragraphs and list items on their own lines.",
  ),
  answerHtml: items.text("Answer as HTML, without scripts."),
  answerMarkdown: items.text("Answer as Markdown."),
  source: items.requiredText(
    "Source on the page: json-ld, microdata, rdfa, details, accordion, dl or heading.",
  ),
  position: items.requiredInteger("Position on the page, from 1."),
  questionUrl: items.text("URL of the question on the page."),
  answerLinks: items.objects("Links in the answer.", linkFields),
  upvoteCount: items.integer("Votes for the answer, on question-and-answer pages."),
  answerCount: items.integer("Number of answers, on question-and-answer pages."),
  author: items.text("Author of the answer."),
  date: items.text("Time of the answer."),
  category: items.text("Heading above the group of questions."),
})

const summaryItem = record({
  type: Type.Literal("summary", { description: "Kind of item: the summary of a page." }),
  ...href,
  statusCode: items.requiredInteger("HTTP status of the response."),
  title: items.text("Title of the page."),
  faqCount: items.requiredInteger("Number of questions on the page."),
  sources: items.countsByName("Number of questions by source."),
  hasFaqSchema: items.requiredBoolean(
    "Whether the page's data has an FAQPage, a QAPage or a Question.",
  ),
  schemaErrors: items.texts(
    "Errors in the structured data: JSON-LD that is not JSON or needed a repair, or an FAQPage without questions.",
  ),
  averageAnswerWords: items.number("Average number of words per answer."),
})

const visibleCharacters = 200

export default defineScraper({
  slug: "faq-extractor-scraper",
  name: "FAQ Extractor",
  tagline: "Questions and answers from FAQ pages, structured or not.",
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  input: {
    urls: pageUrls(500),
    includeSummary: inputs.flag("Add a summary item per page after its questions.", true),
    heuristics: inputs.flag(
      "Also look in accordions, lists and headings, not only in the page's structured data.",
      true,
    ),
  },
  item: Type.Union([itemObject(faqItem.fields), itemObject(summaryItem.fields)]),
  example: { urls: ["https://www.python.org/about/help/"] },
  probe: {
    expect: [
      "items.length gte 1",
      'items[*].url matches "^https://www.python.org/"',
      "?items[*].question share 0.5",
    ],
  },
  ...onePageEach,

  async *scrape(target, ctx) {
    const faqsOf = readOnce((response) =>
      readFaqs(response.document, response.url, dataOf(response), ctx.input.heuristics),
    )
    const { url, response } = await openPage(target, ctx, {
      has: (response) => faqsOf(response).length > 0,
      what: "a question",
    })
    const data = dataOf(response)
    const faqs = faqsOf(response)
    if (faqs.length === 0) {
      requireWhole(response)
      requireTypes(data, response)
    }
    const page = { url, finalUrl: response.url }
    const base = baseUrl(response.document, response.url)
    for (const [index, faq] of faqs.entries()) {
      const answerMarkdown = fragmentMarkdown(faq.answerHtml, base)
      yield faqItem.read({ type: "faq", ...page, ...faq, answerMarkdown, position: index + 1 })
    }
    if (ctx.input.includeSummary) {
      yield summaryItem.read({ type: "summary", ...page, ...summary(response, faqs, data) })
    } else if (faqs.length === 0) ctx.log(`${url} has no questions and answers.`)
  },
})

const dataOf = readOnce(({ document, url }) => readStructuredData(document, url))

/** Throws Changed if JSON-LD has no types: data in an unknown form is not an empty result. */
function requireTypes(data: StructuredData, response: UpstreamResponse): void {
  const nodes = data.jsonLd.map((entity) => entity.data)
  if (nodes.length === 0 || nodes.some((node) => typesOf(node).length > 0)) return
  throw new Changed("The page's JSON-LD has no types.", { response })
}

function summary(response: UpstreamResponse, faqs: Faq[], data: StructuredData) {
  const sources: Record<string, number> = {}
  for (const { source } of faqs) sources[source] = (sources[source] ?? 0) + 1
  const words = faqs.reduce((sum, { answer }) => sum + answer.split(/\s+/).length, 0)
  return {
    statusCode: response.status,
    title: documentTitle(response.document),
    faqCount: faqs.length,
    sources,
    hasFaqSchema: nodesOfType(data, "FAQPage", "QAPage", "Question").length > 0,
    schemaErrors: schemaErrors(data),
    averageAnswerWords: faqs.length === 0 ? null : round(words / faqs.length, 1),
  }
}

function schemaErrors(data: StructuredData): string[] {
  const errors = data.unreadable.map((block) => `not JSON: ${block.slice(0, visibleCharacters)}`)
  const has = (type: string) => nodesOfType(data, type).length > 0
  if (data.jsonLd.some((entity) => !entity.valid)) errors.push("JSON-LD that needed a repair")
  if (has("FAQPage") && !has("Question")) errors.push("FAQPage without questions")
  return errors
}
