import { elementsAmong, factOf, lineText, originalOf } from "../core/index.ts"
import { documentTitle, sharedWords } from "./title.ts"

/** Returns the first-level heading or candidate that matches the title best; others may name the site. */
export function mainHeading(
  page: Element,
  isCandidate: (element: Element) => boolean = isHeadline,
): Element | null {
  return isCandidate === isHeadline && page.localName === "body"
    ? factOf(page.ownerDocument, isHeadline, () => bestHeading(page, isCandidate))
    : bestHeading(page, isCandidate)
}

function bestHeading(page: Element, isCandidate: (element: Element) => boolean): Element | null {
  const title = documentTitle(originalOf(page.ownerDocument))
  let best: Element | null = null
  let max = -1
  for (const heading of elementsAmong(page, headlines, isCandidate)) {
    const shared = sharedWords(lineText(heading), title)
    if (shared > max) [best, max] = [heading, shared]
  }
  return best
}

const headlines = { names: ["h1"], attributes: ["itemprop"] }

export const isHeadline = (element: Element): boolean =>
  element.localName === "h1" ||
  (element.getAttribute("itemprop")?.split(/\s+/).includes("headline") ?? false)
