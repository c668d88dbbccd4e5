import { textOf, words } from "../core/index.ts"
import { documentTitle, headingText } from "../page/index.ts"
import { faqNames } from "./words.ts"

const faqName = new RegExp(words(faqNames), "iu")
const faqMark = /(?:^|[-_\s])faqs?(?:[-_\s]|$)|accordion-faq|faqpage/i

const question = /[?？؟]\s*$/
/** A Greek question ends in a semicolon. */
const greekQuestion = /[\u0370-\u03ff][^;]*;\s*$/
export const maxQuestionChars = 400

/** Bold paragraphs rank below all headings. */
const boldLevel = 7
/** Headings that are questions outside an FAQ count if this many follow each other. */
const minInRow = 3

const elsewhere =
  "nav, header, footer, form, [role=navigation], [role=menu], [role=dialog], [class*=cookie], " +
  "[class*=consent], [id*=cookie], [id*=consent], [class*=cmplz]"

export const isQuestion = (text: string) =>
  text.length <= maxQuestionChars && (question.test(text) || greekQuestion.test(text))

/** A heading that is not a question, with the headings above it. */
interface Section {
  level: number
  text: string
  /** Whether it, or a heading above it, names an FAQ. */
  isFaq: boolean
  above: Section | null
}

/** An element's position; elements in the same position share one. */
interface Position {
  section: Section | null
  /** Within an element that is marked as an FAQ. */
  marked: boolean
  /** Within menus, banners and the like. */
  apart: boolean
}

/** A heading, or a bold paragraph used as one. */
export interface Heading {
  element: Element
  /** 1 to 6; 7 for a bold paragraph. */
  level: number
  text: string
  asks: boolean
}

/** The headings of a page and the content under them, read in one pass. */
export class Outline {
  /** In document order, without those of menus, banners and the like. */
  readonly headings: Heading[] = []
  private readonly positions = new Map<Element, Position>()
  private readonly apart: Set<Element>
  private readonly isFaq: boolean

  /** Headings within the `closed` elements count for nothing that comes after these. */
  constructor(
    document: Document,
    private readonly closed: Set<Element>,
  ) {
    const titles = [documentTitle(document), textOf(document.querySelector("h1"))]
    this.isFaq = titles.some((title) => title !== null && faqName.test(title))
    this.apart = new Set(
      [...document.querySelectorAll(elsewhere)].filter((element) => !holdsPage(element)),
    )
    this.read(document.documentElement, { section: null, marked: false, apart: false })
  }

  isApart(element: Element): boolean {
    return this.positionOf(element)?.apart ?? false
  }

  /** Returns whether an element is in or below the page's FAQ section. */
  isInFaq(element: Element): boolean {
    if (this.isFaq) return true
    const position = this.positionOf(element)
    return position !== undefined && (position.marked || position.section?.isFaq === true)
  }

  /** The heading above an element; for a heading, the nearest of a higher level. */
  categoryOf(element: Element, level = boldLevel): string | null {
    const nearest = this.positionOf(element)?.section ?? null
    let section = nearest
    while (section && section.level > level) section = section.above
    return (section ?? nearest)?.text ?? null
  }

  private positionOf(element: Element): Position | undefined {
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
      const position = this.positions.get(ancestor)
      if (position) return position
    }
  }

  /** Reads an element; returns the section of the content after it. */
  private read(element: Element, around: Position): Section | null {
    let position = around
    const isApart = this.apart.has(element)
    const isMarked = faqMark.test(`${element.getAttribute("class") ?? ""} ${element.id}`)
    if (isApart || isMarked) {
      position = { ...around, marked: around.marked || isMarked, apart: around.apart || isApart }
    }
    this.positions.set(element, position)
    const level = levelOf(element)
    if (level !== null) return this.readHeading(element, level, position)
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
      const section = this.read(child, position)
      if (section !== position.section) position = { ...position, section }
    }
    const isClosed = this.closed.has(element) || (isApart && element.localName !== "header")
    return isClosed ? around.section : position.section
  }

  private readHeading(element: Element, level: number, position: Position): Section | null {
    const text = headingText(element) || textOf(element)
    if (text === null) return position.section
    const asks = level > 1 && isQuestion(text)
    if (!position.apart) this.headings.push({ element, level, text, asks })
    const namesFaq = faqName.test(text)
    const isTitle = asks || level === boldLevel || isControl(element)
    // "Frequently asked questions?" asks nothing; within an FAQ it would.
    if (isTitle && (!namesFaq || position.section?.isFaq)) return position.section
    let above = position.section
    while (above && above.level >= level) above = above.above
    return { level, text, isFaq: namesFaq || above?.isFaq === true, above }
  }
}

/** Some pages are one form, and some have the class of a cookie notice on their body. */
function holdsPage(element: Element): boolean {
  if (/^(?:html|body|main)$/.test(element.localName)) return true
  return element.localName === "form" && element.querySelector("h1") !== null
}

/** Returns whether a heading opens a panel. */
function isControl(heading: Element): boolean {
  return heading.hasAttribute("aria-expanded") || heading.querySelector("[aria-expanded]") !== null
}

function levelOf(element: Element): number | null {
  const name = element.localName
  if (name.length === 2 && /^h[1-6]$/.test(name)) return Number(name[1])
  if (name !== "p") return null
  const only = element.firstElementChild
  const isBold = only !== null && /^(?:strong|b)$/.test(only.localName)
  return isBold && textOf(only) === textOf(element) ? boldLevel : null
}

/** Returns, for each heading, the next one that is not below it. */
export function headingEnds(headings: Heading[]): Map<Heading, Heading> {
  const ends = new Map<Heading, Heading>()
  const open: Heading[] = []
  for (const heading of headings) {
    while (open.length > 0 && open.at(-1)!.level >= heading.level) ends.set(open.pop()!, heading)
    open.push(heading)
  }
  return ends
}

/** Questions that follow each other in sufficient number, with only answers between them. */
export function questionsInRow(headings: Heading[]): Set<Heading> {
  const matched = new Set<Heading>()
  /** The open rows, by level. */
  const rows: Heading[][] = Array.from({ length: boldLevel + 1 }, () => [])
  for (const heading of headings) {
    for (let level = heading.level + 1; level <= boldLevel; level++) rows[level] = []
    const row = rows[heading.level]!
    if (!heading.asks || isTeaser(heading.element)) rows[heading.level] = []
    else if (row.push(heading) === minInRow) for (const question of row) matched.add(question)
    else if (row.length > minInRow) matched.add(heading)
  }
  return matched
}

/** A headline that leads to its story. */
const isTeaser = (heading: Element) =>
  heading.querySelector('a[href]:not([href^="#"])') !== null || heading.closest("a[href]") !== null
