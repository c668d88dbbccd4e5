import { isoDate, lineText } from "../core/index.ts"
import { blocksAfter, blocksBefore, mainHeading, nameWords, withText } from "../page/index.ts"
import { dateNames } from "./words.ts"

/** Dates only in visible text: beside the heading, or in elements named after dates. */

const blocksLookedAt = 12
const longestDateLineChars = 200

const elsewhere =
  "nav, aside, footer, li a, .related, .comments, .comment, #comments, [role=complementary], " +
  ".teaser, .swiper-slide"

export function visibleDate(document: Document): string | null {
  const language = document.documentElement.getAttribute("lang")
  return (
    besideHeading(document, language) ??
    inNamedElement(document, language) ??
    atBeginning(document, language)
  )
}

const paragraphsLookedAt = 40
const dateLineChars = 26

/** A paragraph that begins with its date: "27.1.2022 - …", "(21. November 2022) …". */
function atBeginning(document: Document, language: string | null): string | null {
  const paragraphs = [...document.body.querySelectorAll("p")].slice(0, paragraphsLookedAt)
  for (const paragraph of paragraphs) {
    const text = lineText(paragraph)
    if (!/^\W?\d/.test(text) || paragraph.closest(elsewhere)) continue
    const date = dateInText(text.slice(0, dateLineChars), language)
    if (date !== null) return date
  }
  return null
}

function besideHeading(document: Document, language: string | null): string | null {
  const heading = mainHeading(document.body)
  if (!heading) return null
  const own = dateInText(lineText(heading.querySelector("small, time") ?? heading), language)
  if (own !== null && heading.querySelector("small, time")) return own
  for (const blocks of [blocksAfter, blocksBefore]) {
    for (const { element, text } of withText(blocks(heading, document.body), blocksLookedAt)) {
      const date = element.closest(elsewhere) ? null : lineDate(element, text, language)
      if (date !== null) return date
    }
  }
  return null
}

/** A date in a short line, or at the very beginning of a paragraph. */
function lineDate(block: Element, text: string, language: string | null): string | null {
  const machine = block.closest("time")?.getAttribute("datetime")
  const stated = machine ?? block.querySelector("time[datetime]")?.getAttribute("datetime")
  const date = stated ? isoDate(stated) : null
  if (date !== null) return date
  return dateInText(
    text.length <= longestDateLineChars ? text.slice(0, 100) : text.slice(0, 30),
    language,
  )
}

function inNamedElement(document: Document, language: string | null): string | null {
  for (const element of document.body.querySelectorAll("[class], [id], time")) {
    const named =
      element.localName === "time" ||
      nameWords(element).some((words) => words.some((word) => dateNames.has(word)))
    if (!named || element.closest(elsewhere)) continue
    const text = lineText(element)
    if (text === "" || text.length > longestDateLineChars) continue
    const date = lineDate(element, text, language)
    if (date !== null) return date
  }
  return null
}

const numeric = /(?<![\d.,/])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d|\d\d)(?![\d/])/
const isoForm =
  /(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/
const dayFirst =
  /(?<!\d)\d{1,2}(?:st|nd|rd|th|er|º|\.)?\s(?:de\s|of\s)?\p{L}{3,12}\.?,?\s(?:de\s|del\s)?(?:19|20)\d\d/u
const monthFirst = /\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d/u

/** Two digits are a year only at the end of a line or its part. */
const shortYear = /(?<!\d)(\d{1,2})[.\s]\s?(\p{L}{3,12})[.\s]\s?(\d\d)(?=\s*(?:$|[|,;)–-]))/u

/** The first date in a text: 27.1.2022, 23 mai 2019, December 29th 2019. */
export function dateInText(text: string, language: string | null): string | null {
  const folded = text.replace(/\s+/g, " ")
  const iso = isoForm.exec(folded)
  if (iso) return isoDate(iso[0])
  for (const form of [dayFirst, monthFirst]) {
    const match = form.exec(folded)
    const date = match && isoDate(match[0].replace(/(\d),\s/, "$1, ").replace(/(\p{L}),/u, "$1"))
    if (date) return date
  }
  const short = shortYear.exec(folded)
  const shortDate = short && isoDate(`${short[1]} ${short[2]} 20${short[3]}`)
  if (shortDate) return shortDate
  const match = numeric.exec(folded)
  return match ? numericDate(match, language) : null
}

/** Day before month, but with slashes in American pages. */
function numericDate(match: RegExpExecArray, language: string | null): string | null {
  const [first, second] = [Number(match[1]), Number(match[3])]
  const american = match[2] === "/" && /^en(?:-us)?$/i.test(language ?? "")
  const [day, month] = (american && first <= 12) || second > 12 ? [second, first] : [first, second]
  const year = match[4]!.length === 2 ? `20${match[4]}` : match[4]!
  return isoDate(`${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`)
}
