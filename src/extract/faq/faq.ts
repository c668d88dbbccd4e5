import {
  absoluteUrl,
  baseUrl,
  cutElements,
  foldSpace,
  htmlToText,
  integerOrNull,
  isoDate,
  parseDocument,
  textOf,
  unseenElements,
  words,
} from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import {
  isOfType,
  nodesAt,
  type SchemaNode,
  type StructuredData,
  textAt,
  valuesOf,
  valueUrl,
} from "../structured/index.ts"
import { type FaqSource, faqInPage, type WrittenFaq } from "./page.ts"
import { readMore } from "./words.ts"

export interface Faq {
  question: string
  /** Plain text; paragraphs and list items on lines of their own. */
  answer: string
  answerHtml: string | null
  source: FaqSource
  questionUrl: string | null
  answerLinks: { url: string; text: string }[]
  upvoteCount: number | null
  answerCount: number | null
  author: string | null
  date: string | null
  /** The heading above its group. */
  category: string | null
}

/**
 * Returns the questions and answers of a page, each question once: those of its data first, then, with
 * heuristics, those of its markup.
 *
 * @example
 * ```ts
 * const html = "<h2>FAQ</h2><details><summary>How far is it?</summary>It is a walk of ten minutes.</details>"
 * const [document, url] = [parseDocument(html), "https://a.example/"]
 * readFaqs(document, url, readStructuredData(document, url), true)[0].question // "How far is it?"
 * ```
 */
export function readFaqs(
  document: Document,
  pageUrl: string,
  data: StructuredData,
  heuristics: boolean,
): Faq[] {
  const base = baseUrl(document, pageUrl)
  const faqs = new Map<string, Faq>()
  for (const faq of structuredFaqs(data, base)) {
    const key = questionKey(faq.question)
    if (!faqs.has(key)) faqs.set(key, faq)
  }
  if (heuristics) {
    for (const written of faqInPage(document)) {
      const faq = completed(written, pageUrl, base)
      if (!faq) continue
      const key = questionKey(faq.question)
      const known = faqs.get(key)
      if (!known) faqs.set(key, faq)
      else if (completes(faq, known)) {
        Object.assign(known, {
          answer: faq.answer,
          answerHtml: faq.answerHtml,
          answerLinks: faq.answerLinks,
        })
      }
    }
  }
  return [...faqs.values()]
}

/** Two spellings of a question are one when only signs and white space differ. */
const questionKey = (question: string) => question.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** The end of a teaser: dots, or the text of the link to the whole answer. */
const teaserEnd = new RegExp(String.raw`(?:\.{3}|…).*$|\b(?:${words(readMore)})\W*$`, "isu")

/**
 * Data may be truncated: the page's own answer is at least twice as long and starts the same way. Text
 * under a heading may extend beyond the answer, so it only replaces an obvious teaser.
 */
function completes(visible: Faq, known: Faq): boolean {
  if (!isStructured(known.source)) return false
  if (visible.source === "heading" && !teaserEnd.test(known.answer)) return false
  const beginning = questionKey(known.answer.replace(teaserEnd, "")).slice(0, 20)
  if (beginning === "" || visible.answer.length < known.answer.length * 2) return false
  return questionKey(visible.answer).startsWith(beginning)
}

const isStructured = (source: FaqSource) =>
  source === "json-ld" || source === "microdata" || source === "rdfa"

function structuredFaqs(data: StructuredData, base: string): Faq[] {
  const faqs: Faq[] = []
  for (const entity of [...data.jsonLd, ...data.microdata, ...data.rdfa]) {
    for (const node of findObjects(entity.data, (object) => isOfType(object, "Question"))) {
      const faq = structuredFaq(data, node, entity.format, base)
      if (faq) faqs.push(faq)
    }
  }
  return faqs
}

function structuredFaq(
  data: StructuredData,
  node: SchemaNode,
  source: FaqSource,
  base: string,
): Faq | null {
  const question = plain(rawText(data, node, "name") ?? rawText(data, node, "text"))
  const answers = [
    ...nodesAt(data, node, "acceptedAnswer"),
    ...nodesAt(data, node, "suggestedAnswer"),
  ]
  const response = answers.find((candidate) => answerHtml(data, candidate) !== null)
  const html = response
    ? answerHtml(data, response)
    : (rawText(data, node, "acceptedAnswer") ?? rawText(data, node, "suggestedAnswer"))
  const text = plainLines(html)
  if (question === null || text === null) return null
  const dated = response ?? node
  return {
    question,
    answer: text,
    answerHtml: withoutScripts(html!),
    source,
    questionUrl: absoluteUrl(valueUrl(valuesOf(data, node, "url")[0] ?? node["@id"] ?? null), base),
    answerLinks: linksIn(html!, base),
    upvoteCount: integerOrNull(
      textAt(data, dated, "upvoteCount") ?? textAt(data, node, "upvoteCount"),
    ),
    answerCount: integerOrNull(textAt(data, node, "answerCount")),
    author: textAt(data, dated, "author"),
    date: isoDate(textAt(data, dated, "dateCreated") ?? textAt(data, dated, "datePublished")),
    category: null,
  }
}

const answerHtml = (data: StructuredData, response: SchemaNode) =>
  rawText(data, response, "text") ??
  rawText(data, response, "description") ??
  rawText(data, response, "name") ??
  data.elements.get(response)?.innerHTML ??
  null

/** A text as the data holds it, with its markup; markup that JSON-LD escaped is unescaped. */
function rawText(data: StructuredData, node: SchemaNode, property: string): string | null {
  for (const value of valuesOf(data, node, property)) {
    if (typeof value !== "string" || value.trim() === "") continue
    const element = data.elements.get(node)
    if (element) return markupOf(element, property, value) ?? value
    return !value.includes("<") && /&lt;\/?[a-z]+[^&]*&gt;/i.test(value) ? decoded(value) : value
  }
  return null
}

/** The markup of the element within a microdata or RDFa scope that has this text as a property. */
function markupOf(scope: Element, property: string, text: string): string | null {
  for (const element of scope.querySelectorAll("[itemprop], [property]")) {
    const names = `${element.getAttribute("itemprop") ?? ""} ${element.getAttribute("property") ?? ""}`
    if (!names.split(/\s+/).some((name) => name.replace(/^.*[/:#]/, "") === property)) continue
    if (foldSpace(element.textContent ?? "") === text) return contentMarkup(element.innerHTML)
  }
  return null
}

/** Line breaks in a page's source are none for its readers; plainLines would keep them. */
const contentMarkup = (html: string) => (hasMarkup(html) ? html : foldSpace(html))

const hasMarkup = (html: string) => /<[a-z/][^<>]*>/i.test(html)

function completed(written: WrittenFaq, pageUrl: string, base: string): Faq | null {
  const question = foldSpace(written.question)
  const response = plainLines(contentMarkup(written.html))
  if (question === "" || response === null) return null
  return {
    question,
    answer: response,
    answerHtml: withoutScripts(written.html),
    source: written.source,
    questionUrl: written.id ? `${pageUrl}#${encodeURIComponent(written.id)}` : null,
    answerLinks: linksIn(written.html, base),
    upvoteCount: null,
    answerCount: null,
    author: null,
    date: null,
    category: written.category,
  }
}

/** Every character reference that HTML knows, decoded. */
function decoded(text: string): string {
  if (!text.includes("&")) return text
  const { body } = parseDocument(`<p>${text.replaceAll("<", "&lt;")}</p>`)
  return body.textContent ?? text
}

function plain(html: string | null): string | null {
  const text = htmlToText(html)
  return text === null ? null : foldSpace(decoded(text)) || null
}

/** Paragraphs and list items on lines; text that holds no markup keeps its own lines. */
function plainLines(html: string | null): string | null {
  if (html === null) return null
  const marked = hasMarkup(html) ? html : html.trim().replace(/\r?\n/g, "<br>")
  const text = htmlToText(marked)
  return text === null
    ? null
    : decoded(text)
        .replace(/\n{2,}/g, "\n")
        .replace(/[^\S\n]+/g, " ")
        .trim() || null
}

const withoutScripts = (html: string) => cutElements(html, unseenElements).trim() || null

function linksIn(html: string, base: string): { url: string; text: string }[] {
  if (!/<a\s/i.test(html)) return []
  const links = new Map<string, string>()
  for (const anchor of parseDocument(html).querySelectorAll("a[href]")) {
    const url = absoluteUrl(anchor.getAttribute("href"), base)
    if (url !== null && !links.has(url)) links.set(url, textOf(anchor) ?? "")
  }
  return [...links].map(([url, text]) => ({ url, text }))
}
