import { htmlToText, textOf } from "../core/index.ts"
import type { Entity } from "../structured/index.ts"
import {
  type Heading,
  headingEnds,
  isQuestion,
  maxQuestionChars,
  Outline,
  questionsInRow,
} from "./outline.ts"

export type FaqSource = Entity["format"] | "details" | "accordion" | "dl" | "heading"

/** A question and its answer as a page shows them, before they are normalized. */
export interface WrittenFaq {
  question: string
  html: string
  source: FaqSource
  /** The id of the element that holds the question. */
  id: string | null
  category: string | null
}

/** Menus and footnotes fold like answers, but are short. */
const shortestFoldedAnswerChars = 20

/** The questions that a page's markup shows, by the surest pattern first. */
export function faqInPage(document: Document): WrittenFaq[] {
  const panels = [...accordionItems(document), ...controlledPanels(document)]
  const details = [...document.querySelectorAll("details")]
  const closed = new Set<Element>([...details, ...document.querySelectorAll("dd, aside")])
  for (const { element, answer: response } of panels) closed.add(element).add(response)
  const outline = new Outline(document, closed)
  return [
    ...details.flatMap((element) => inDetails(element, outline)),
    ...panels.flatMap((panel) => inPanel(panel, outline)),
    ...inDefinitions(document, outline),
    ...underHeadings(outline),
  ]
}

function written(
  element: Element,
  text: string | null,
  html: string,
  source: WrittenFaq["source"],
  category: string | null,
): WrittenFaq[] {
  if (text === null || !/\p{L}/u.test(text) || text.length > maxQuestionChars) return []
  return [{ question: text, html, source, id: element.id || null, category }]
}

function inDetails(details: Element, outline: Outline): WrittenFaq[] {
  const summary = [...details.children].find((child) => child.localName === "summary")
  if (!summary || outline.isApart(details)) return []
  const html = [...details.childNodes]
    .filter((node) => node !== summary)
    .map(htmlOf)
    .join("")
  const text = htmlToText(html) ?? ""
  // Menus and filters do not speak in sentences.
  if (text.length < shortestFoldedAnswerChars || !/[.!?。！？:;]/.test(text)) return []
  return written(details, textOf(summary), html, "details", outline.categoryOf(details))
}

/** Comments are left out. */
function htmlOf(node: Node): string {
  if (node.nodeType === 1) return (node as Element).outerHTML
  return node.nodeType === 3 ? (node.textContent ?? "").replaceAll("<", "&lt;") : ""
}

/** Parts of accordions: the container of one question, its question, its answer. */
const accordions: [item: string, question: string, response: string][] = [
  [".schema-faq-section", ".schema-faq-question", ".schema-faq-answer"],
  [".rank-math-list-item", ".rank-math-question", ".rank-math-answer"],
  [
    ".elementor-accordion-item, .elementor-toggle-item",
    ".elementor-tab-title",
    ".elementor-tab-content",
  ],
  [".et_pb_toggle", ".et_pb_toggle_title", ".et_pb_toggle_content"],
  [
    ".accordion-item",
    ".accordion-header, .accordion-title, .accordion-button",
    ".accordion-body, .accordion-content, .accordion-collapse",
  ],
  [
    ".faq-item, .faq__item, .c-faq__item",
    "[class*=question], [class*=title], h2, h3, h4, h5, button",
    "[class*=answer], [class*=content], [class*=body], [class*=text]",
  ],
  [".toggle", ".toggle-title, .toggler, h3, h4", ".toggle-content, .togglecontainer"],
  [".card", ".card-header", ".collapse .card-body"],
]

/** A question that opens its answer. */
interface Panel {
  element: Element
  title: Element
  answer: Element
}

function accordionItems(document: Document): Panel[] {
  return accordions.flatMap(([item, question, text]) =>
    [...document.querySelectorAll(item)].flatMap((element) => {
      const title = element.querySelector(question)
      const response = element.querySelector(text)
      return title && response && !response.contains(title)
        ? [{ element, title, answer: response }]
        : []
    }),
  )
}

function controlledPanels(document: Document): Panel[] {
  const controls = [...document.querySelectorAll("[aria-expanded][aria-controls]")]
  if (controls.length === 0) return []
  const byId = new Map<string, Element>()
  for (const element of document.querySelectorAll("[id]")) {
    if (!byId.has(element.id)) byId.set(element.id, element)
  }
  return controls.flatMap((control) => {
    const response = byId.get(control.getAttribute("aria-controls")!)
    return response && !response.contains(control)
      ? [{ element: control, title: control, answer: response }]
      : []
  })
}

function inPanel({ element, title, answer: response }: Panel, outline: Outline): WrittenFaq[] {
  const text = textOf(title)
  if (text === null || outline.isApart(element)) return []
  if (!isQuestion(text) && !outline.isInFaq(element)) return []
  return written(element, text, response.innerHTML, "accordion", outline.categoryOf(element))
}

function inDefinitions(document: Document, outline: Outline): WrittenFaq[] {
  return [...document.querySelectorAll("dl > dt, dl > div > dt")].flatMap((term) => {
    const text = textOf(term)
    if (text === null || outline.isApart(term)) return []
    if (!isQuestion(text) && !outline.isInFaq(term)) return []
    return written(term, text, definitionOf(term), "dl", outline.categoryOf(term))
  })
}

function definitionOf(term: Element): string {
  const parts: Element[] = []
  for (
    let next = term.nextElementSibling;
    next?.localName === "dd";
    next = next.nextElementSibling
  ) {
    parts.push(next)
  }
  return parts.length === 1 ? parts[0]!.innerHTML : parts.map((part) => part.outerHTML).join("")
}

function underHeadings(outline: Outline): WrittenFaq[] {
  const inRow = questionsInRow(outline.headings)
  const ends = headingEnds(outline.headings)
  return outline.headings.flatMap((heading) => {
    const { element, level, text, asks: isQuestion } = heading
    if (!isQuestion || !(inRow.has(heading) || outline.isInFaq(element))) return []
    const html = answerBelow(heading, ends.get(heading))
    return written(element, text, html, "heading", outline.categoryOf(element, level))
  })
}

/** Returns the content after a heading, up to the next one of its level or above. */
function answerBelow({ element, text }: Heading, end: Heading | undefined): string {
  const around = new Set<Element>()
  for (let ancestor = end?.element ?? null; ancestor; ancestor = ancestor.parentElement)
    around.add(ancestor)
  let start = element
  for (;;) {
    let html = ""
    for (let next = start.nextElementSibling; next; next = next.nextElementSibling) {
      if (around.has(next)) break
      html += next.outerHTML
    }
    const parent: Element | null = start.parentElement
    // A heading alone in its wrapper: the answer follows the wrapper.
    if (!parent || around.has(parent) || hasWords(html) || textOf(parent) !== text) return html
    start = parent
  }
}

const hasWords = (html: string) => /[\p{L}\p{N}]/u.test(html.replace(/<[^<>]+>/g, ""))
