import { elementsNamed, isHidden } from "../core/index.ts"
import { headingText } from "./headings.ts"
import { isHeadline, mainHeading } from "./main-heading.ts"
import { documentTitle, shareOfWords } from "./title.ts"

/** Headings examined: limits the work on one page. */
const maxHeadings = 200

/** Returns the page's own first heading: of several, the one that matches its title best. */
export function pageHeading(document: Document, title: string | null): string | null {
  const whole = plainText(documentTitle(document) ?? "")
  let looked = 0
  const isHeading = (element: Element) =>
    isHeadline(element) && ++looked <= maxHeadings && isVisible(element)
  const isFirst = (element: Element) => isHeading(element) && whole.startsWith(plainOf(element))
  const best = mainHeading(document.body, isHeading)
  if (best === null) return null
  // "Page - Site", and both are headings.
  looked = 0
  const first = whole.endsWith(plainOf(best)) ? mainHeading(document.body, isFirst) : null
  const heading = first ?? best
  return isOfSite(heading, whole, plainText(title ?? "")) ? null : headingText(heading)
}

/** Returns whether a text is one of the page's `h1` elements and matches its title. */
export function isOwnHeading(text: string, document: Document): boolean {
  if (shareOfWords(text, documentTitle(document)) < 1 / 2) return false
  const headings = elementsNamed(document, "h1").slice(0, maxHeadings)
  return headings.some((heading) => plainOf(heading) === plainText(text))
}

function isVisible(heading: Element): boolean {
  if (plainOf(heading) === "") return false
  for (let at: Element | null = heading; at; at = at.parentElement) if (isHidden(at)) return false
  return true
}

/**
 * Some sites have their own name, which leads to their first page, in the `h1` of each page, and
 * before or after the page's title in `<title>`.
 */
function isOfSite(heading: Element, whole: string, title: string): boolean {
  const site = plainOf(heading)
  if (title === "" || (whole !== title + site && whole !== site + title)) return false
  return heading.closest("a[href]") !== null || heading.querySelector("a[href]") !== null
}

const plainOf = (heading: Element) => plainText(headingText(heading))

/** Letters and digits alone, to compare texts by. */
export const plainText = (text: string): string =>
  text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")
