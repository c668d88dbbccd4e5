import type { WrittenFaq } from "./faq.ts"
import { textOf } from "./html.ts"
import { foldSpace } from "./text.ts"
import { documentTitle } from "./title.ts"

/** What a list of questions is called. */
const faqName =
  /\bfaqs?\b|frequently asked|häufige (?:fragen|gestellte)|häufig gestellte|fragen (?:und|&) antworten|questions? (?:fréquentes|fréquemment)|foire aux questions|preguntas frecuentes|domande frequenti|perguntas frequentes|veelgestelde vragen|часто задаваемые|часті питання|najczęściej zadawane|časté (?:dotazy|otázky)|vanliga frågor|よくある(?:質問|ご質問)|常见问题|常見問題|자주 묻는/iu
const faqMark = /(?:^|[-_\s])faqs?(?:[-_\s]|$)|accordion-faq|faqpage/i

const question = /[?？؟]\s*$/
/** A Greek question ends in a semicolon. */
const greekQuestion = /[\u0370-\u03ff][^;]*;\s*$/

const shortestAnswer = 20
/** Questions among headings that stand without an FAQ around them count from this many in a row. */
const leastInRow = 3
const elsewhere =
  "nav, header, footer, form, [role=navigation], [role=menu], [role=dialog], [class*=cookie], [class*=consent], [id*=cookie], [id*=consent], [class*=cmplz]"

/** The questions that a page's markup shows, by the surest pattern first. */
export function faqInPage(document: Document): WrittenFaq[] {
  const context = new FaqContext(document)
  return [
    ...inDetails(document),
    ...inAccordions(document, context),
    ...inDefinitions(document, context),
    ...underHeadings(document, context),
  ]
}

/** Whether an element stands within what a page calls its FAQ. */
class FaqContext {
  private readonly pageIsFaq: boolean
  constructor(document: Document) {
    const titles = [documentTitle(document), textOf(document.querySelector("h1"))]
    this.pageIsFaq = titles.some((title) => title !== null && faqName.test(title))
  }

  holds(element: Element): boolean {
    if (this.pageIsFaq) return true
    let heading: Element | null = null
    for (let one: Element | null = element; one; one = one.parentElement) {
      if (faqMark.test(`${one.getAttribute("class") ?? ""} ${one.id}`)) return true
      heading ??= headingBefore(one)
    }
    return heading !== null && faqName.test(textOf(heading) ?? "")
  }
}

const isHeading = (element: Element) => /^h[1-6]$/.test(element.localName)
const isQuestion = (text: string) => question.test(text) || greekQuestion.test(text)

/** The nearest heading among the elements before this one, or within them. */
function headingBefore(element: Element): Element | null {
  for (let left = element.previousElementSibling; left; left = left.previousElementSibling) {
    if (isHeading(left)) return left
    const inner = left.querySelectorAll("h1, h2, h3, h4, h5, h6")
    if (inner.length > 0) return inner[inner.length - 1]!
  }
  return null
}

/** The heading of the group that an element is in; none that is a question itself. */
function categoryOf(element: Element): string | null {
  for (let one: Element | null = element; one; one = one.parentElement) {
    for (let left = one.previousElementSibling; left; left = left.previousElementSibling) {
      const text = isHeading(left) ? textOf(left) : null
      if (text !== null && !isQuestion(text)) return text
    }
  }
  return null
}

function written(
  element: Element,
  text: string | null,
  html: string,
  source: WrittenFaq["source"],
): WrittenFaq[] {
  const bare = foldSpace(html.replace(/<[^>]+>/g, " "))
  if (text === null || !/\p{L}/u.test(text) || text.length > 400) return []
  if (bare.length < shortestAnswer) return []
  return [{ question: text, html, source, id: element.id || null, category: categoryOf(element) }]
}

function inDetails(document: Document): WrittenFaq[] {
  return [...document.querySelectorAll("details")].flatMap((details) => {
    const summary = [...details.children].find((child) => child.localName === "summary")
    if (!summary || details.closest(elsewhere)) return []
    const html = [...details.childNodes]
      .filter((node) => node !== summary)
      .map(htmlOf)
      .join("")
    // Menus and filters fold in the same way, but do not speak in sentences.
    if (!/[.!?。！？:;]/.test(html.replace(/<[^>]+>/g, ""))) return []
    return written(details, textOf(summary), html, "details")
  })
}

const htmlOf = (node: Node) =>
  node.nodeType === 1
    ? (node as Element).outerHTML
    : (node.textContent ?? "").replaceAll("<", "&lt;")

/** Parts of accordions: what holds one question, its question, its answer. */
const accordions: [item: string, question: string, answer: string][] = [
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

function inAccordions(document: Document, context: FaqContext): WrittenFaq[] {
  const found: WrittenFaq[] = []
  const add = (element: Element, title: Element | null, answer: Element | null) => {
    if (!title || !answer || element.closest(elsewhere) || answer.contains(title)) return
    const text = textOf(title)
    if (text === null || !(isQuestion(text) || context.holds(element))) return
    found.push(...written(element, text, answer.innerHTML, "accordion"))
  }
  for (const [item, title, answer] of accordions) {
    for (const element of document.querySelectorAll(item)) {
      add(element, element.querySelector(title), element.querySelector(answer))
    }
  }
  for (const control of document.querySelectorAll("[aria-expanded][aria-controls]")) {
    const target = document.getElementById(control.getAttribute("aria-controls")!)
    add(control, control, target)
  }
  return found
}

function inDefinitions(document: Document, context: FaqContext): WrittenFaq[] {
  return [...document.querySelectorAll("dl > dt, dl > div > dt")].flatMap((term) => {
    const text = textOf(term)
    if (text === null || term.closest(elsewhere) || !(isQuestion(text) || context.holds(term)))
      return []
    let html = ""
    for (
      let next = term.nextElementSibling;
      next?.localName === "dd";
      next = next.nextElementSibling
    ) {
      html += next.innerHTML
    }
    return written(term, text, html, "dl")
  })
}

interface Asked {
  element: Element
  level: number
}

/** Bold paragraphs rank below all headings. */
const boldLevel = 7

function levelOf(element: Element): number | null {
  if (isHeading(element)) return Number(element.localName[1])
  if (element.localName !== "p") return null
  const [only] = element.children
  const isBold = only !== undefined && /^(?:strong|b)$/.test(only.localName)
  return isBold && textOf(only) === textOf(element) ? boldLevel : null
}

function underHeadings(document: Document, context: FaqContext): WrittenFaq[] {
  const asked: Asked[] = []
  for (const element of document.querySelectorAll("h2, h3, h4, h5, h6, p")) {
    const level = levelOf(element)
    if (level === null || element.closest(elsewhere)) continue
    if (isQuestion(textOf(element) ?? "")) asked.push({ element, level })
  }
  const inRow = new Map<Element, number>()
  for (const { element, level } of asked) {
    const alike = asked.filter(
      (one) => one.level === level && one.element.parentElement === element.parentElement,
    )
    inRow.set(element, alike.length)
  }
  return asked.flatMap(({ element, level }) => {
    if (inRow.get(element)! < leastInRow && !context.holds(element)) return []
    return written(element, textOf(element), answerAfter(element, level), "heading")
  })
}

/** What follows a heading, up to the next one of its level or above. */
function answerAfter(heading: Element, level: number): string {
  let html = ""
  let start: Element = heading
  // A heading alone in its wrapper: the answer follows the wrapper.
  while (
    !start.nextElementSibling &&
    start.parentElement &&
    start.parentElement.children.length === 1
  ) {
    start = start.parentElement
  }
  for (let next = start.nextElementSibling; next; next = next.nextElementSibling) {
    const nextLevel = levelOf(next)
    if (nextLevel !== null && nextLevel <= level) break
    if (next.querySelector(`h${Math.min(level, 6)}`) && level < boldLevel) break
    html += next.outerHTML
  }
  return html
}
