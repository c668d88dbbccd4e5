import { absoluteUrl, lineText } from "../core/index.ts"
import { documentTitle, mainHeading, nameWords } from "../page/index.ts"
import { isPersonName } from "./person-names.ts"
import { authorNames, otherArticles } from "./words.ts"

/** Comments, navigation and lists of other articles have authors of their own. */
const aboutOthers =
  "nav, .menu, [role=navigation], #comments, .comments, .comment, .comment-list, " +
  ".comments-area, .related, .references, [itemprop~=citation], [itemprop~=comment], " +
  "[itemtype*=Comment], [role=complementary]"

/** "By" and what somebody is may stand beside the name in a link to a person. */
const longestRoleChars = 30

/** Limit the work on one page: ancestors examined, and headings in one teaser. */
const mostAncestors = 40
const mostHeadings = 10

/** Tells whether an element is about other articles or people than the page's own. */
export function othersOn(document: Document, pageUrl: string): (element: Element) => boolean {
  let page: { title: string; heading: Element | null } | undefined
  return (element) => {
    if (element.closest(aboutOthers) !== null || isInPageFooter(element)) return true
    page ??= {
      title: (documentTitle(document) ?? "").toLowerCase(),
      heading: mainHeading(document.body),
    }
    return isAmongOthers(element, page.heading) || isInTeaser(element, page.title, pageUrl)
  }
}

/** Articles have footers of their own. */
const isInPageFooter = (element: Element) =>
  element.closest("footer") !== null && element.closest("article footer, main footer") === null

/** Parts of the page that are named after other articles and do not hold the page's heading. */
function isAmongOthers(element: Element, heading: Element | null): boolean {
  for (const at of ancestors(element)) {
    if (heading && at.contains(heading)) return false
    const words = nameWords(at).flat()
    if (words.some((word) => authorNames.has(word))) continue
    if (words.some((word) => otherArticles.has(word))) return true
  }
  return false
}

/**
 * A teaser is one link around all of it, or has nothing but linked headings, which are those of
 * other pages.
 */
function isInTeaser(element: Element, title: string, pageUrl: string): boolean {
  const link = element.closest("a[href]")
  if (link && lineText(link).length - lineText(element).length > longestRoleChars) return true
  const headings = nearestHeadings(element)
  if (headings.length === 0 || headings.length > mostHeadings) return false
  return headings.every((heading) => isOfOther(heading, element, title, pageUrl))
}

/** The headings of the smallest part of the page that holds an element and has any. */
function nearestHeadings(element: Element): Element[] {
  for (const at of ancestors(element)) {
    const headings = at === element ? [] : [...at.querySelectorAll("h1, h2, h3, h4")]
    if (headings.length > 0) return headings
  }
  return []
}

/** An element and what holds it, up to the body. */
function* ancestors(element: Element): Generator<Element> {
  let at: Element | null = element
  for (let seen = 0; seen < mostAncestors && at && at.localName !== "body"; seen++) {
    yield at
    at = at.parentElement
  }
}

/** Headings may be the page's own, linked to itself, or the name of the author. */
function isOfOther(heading: Element, element: Element, title: string, pageUrl: string): boolean {
  if (heading.contains(element) || element.contains(heading)) return false
  const link = heading.closest("a[href]") ?? heading.querySelector("a[href]")
  const address = absoluteUrl(link?.getAttribute("href"), pageUrl)
  if (address === null || pathOf(address) === pathOf(pageUrl)) return false
  const text = lineText(heading)
  return text !== "" && !isPersonName(text) && !title.includes(text.toLowerCase())
}

const pathOf = (address: string) => new URL(address).pathname.replace(/\/$/, "")
