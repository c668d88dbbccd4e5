import { baseUrl, blockText, elementsWhere, foldSpace, textLines } from "../core/index.ts"
import { dropBoilerplate, mainHeading, proseLength } from "../page/index.ts"
import { cleanCopy, contentCopy } from "./content-copy.ts"
import { dropLabelLines, dropOrphanHeadings } from "./content-lines.ts"
import { dropHeading, findLead } from "./lead.ts"
import { dropLinkBlocks, dropMenus } from "./link-blocks.ts"
import { findListing, type Listing, outweighs } from "./listing.ts"
import { isOrdinary } from "./ordinary.ts"
import { type PageKind, pageKind } from "./page-kind.ts"
import { Reader } from "./reader.ts"
import type { PageType } from "./reading/page-type.ts"
import { chosenContent } from "./reading/reading.ts"
import { StatedSteps } from "./stated-steps.ts"

export interface MainContent extends ContentByRules {
  pageType: PageType | null
}

interface ContentByRules {
  /** In a copy of the page, so it may be changed; links and pictures are absolute. */
  root: Element
  /** Where it was found; `body` is the whole page without navigation. */
  source: "blocks" | "readability" | "container" | "listing" | "body"
}

/** An article with less is looked for in the page's container as well; chosen by hand. */
const leastTextChars = 250

/** The blocks of a page that it is about, wherever they stand. */
export function mainContent(document: Document, pageUrl: string): MainContent {
  const byRules = contentByRules(document, pageUrl)
  const steps = new StatedSteps(document)
  const { root, pageType } = chosenContent(document, pageUrl, byRules, steps)
  if (!root) return { ...byRules, pageType }
  cleanCopy(root, document, baseUrl(document, pageUrl))
  dropOrphanHeadings(root)
  return { root, source: "blocks", pageType }
}

/** What rules find: a page's article, its list, or all of it but the navigation. */
export function contentByRules(document: Document, pageUrl: string): ContentByRules {
  const copy = contentCopy(document, pageUrl)
  const kind = pageKind(document)
  const found = findContent(document, copy, kind)
  if (!found) return wholeBody(copy)
  const listing = !kind.isAboutOne && isOrdinary(copy.body) ? findListing(copy.body) : null
  return listing && outweighs(listing, lengthOf(found.root)) ? listingPage(listing, copy) : found
}

/** The article, or the page's own container if it is much longer; null if neither is long. */
function findContent(document: Document, copy: Document, kind: PageKind): ContentByRules | null {
  const swept = sweptCopy(copy)
  const rough = roughSize(containerOf(swept))
  const isRead = isOrdinary(swept.body)
  const article = isRead ? findArticle(swept, copy) : null
  // Readability takes the page apart that it reads.
  const whole = () => (isRead ? sweptCopy(copy) : swept)
  if (article) tidy(article)
  const lines = article ? textLines(article) : []
  const size = article ? { text: lines.join("\n").length, prose: proseLength(article) } : nothing
  if (!article || size.text < leastTextChars) return betterContainer(whole(), size, kind)
  const steps = new StatedSteps(document)
  const holder = steps.holder(lines.join(" "), copy.body)
  if (holder) return withSteps(holder, steps)
  if (!isLittle(size, rough, kind)) return withLead(article, lines, copy)
  return betterContainer(whole(), size, kind) ?? { root: article, source: "readability" }
}

function sweptCopy(copy: Document): Document {
  const swept = copy.cloneNode(true) as Document
  dropBoilerplate(swept)
  return swept
}

/** A page that is made of a list: its container, else what holds the list and the page's heading. */
function listingPage({ holder }: Listing, copy: Document): ContentByRules {
  const container = containerOf(copy)
  const root = container?.contains(holder) ? container : withHeading(holder, copy.body)
  dropAround(root, holder)
  dropMenus(root, holder)
  return { root, source: "listing" }
}

function withHeading(holder: Element, body: Element): Element {
  const heading = mainHeading(body)
  let root = holder
  while (heading && root !== body && !root.contains(heading)) root = root.parentElement!
  return root
}

function withSteps(holder: Element, steps: StatedSteps): ContentByRules {
  dropAround(holder)
  tidy(holder, steps)
  return { root: holder, source: "container" }
}

/** The article with what stands between the page's heading and its beginning. */
function withLead(article: Element, lines: string[], copy: Document): ContentByRules {
  const heading = mainHeading(copy.body)
  if (heading) {
    const text = dropHeading(heading, article) ? textLines(article) : lines
    for (const lead of findLead(heading, copy.body, text).toReversed()) {
      article.insertBefore(lead.cloneNode(true), article.firstChild)
    }
  }
  return { root: article, source: "readability" }
}

/** Characters of a part of a page, and of the paragraphs in it. */
interface Size {
  text: number
  prose: number
}

const nothing: Size = { text: 0, prose: 0 }

const roughSize = (element: Element | null): Size =>
  element ? { text: foldSpace(element.textContent!).length, prose: proseLength(element) } : nothing

const lengthOf = (element: Element) => blockText(element).length

const shortArticleChars = 1_000
const muchProseChars = 1_000
/**
 * How many times as long as the article the container may be. Of the 624 articles of the quality
 * sets (2026-11), 17 short ones are within 20 % of 1.5, 4 long ones within 20 % of 3, and 10 by
 * their prose: the first is the one that a change moves.
 */
const timesIfShort = 1.5
const timesIfLong = 3
const timesInProse = 3

/** Whether an article is too small a part of the page's container to be what the page is about. */
const isLittle = (article: Size, container: Size, kind: PageKind) =>
  container.text >
    article.text *
      (kind.isOther || article.text < shortArticleChars ? timesIfShort : timesIfLong) ||
  container.prose > Math.max(article.prose * timesInProse, muchProseChars)

function findArticle(swept: Document, copy: Document): Element | null {
  try {
    return new Reader(swept, () => sweptCopy(copy).body).parse()?.content ?? null
  } catch (error) {
    // Millions of nodes side by side are more than the DOM can move at once.
    if (error instanceof RangeError) return null
    throw error
  }
}

function tidy(root: Element, kept?: StatedSteps): void {
  dropLinkBlocks(root, kept)
  dropLabelLines(root)
  dropOrphanHeadings(root)
}

/** How a page names the container of its content, the surest first. */
const containerTests: ((element: Element) => boolean)[] = [
  (element) => element.getAttribute("itemprop")?.split(/\s+/).includes("articleBody") ?? false,
  (element) => element.localName === "main",
  (element) => element.getAttribute("role") === "main",
  (element) => element.localName === "article",
  (element) => element.id === "content",
]
const navigation =
  "nav, header, footer, aside, form, dialog, [role=navigation], [role=banner], " +
  "[role=contentinfo], [role=search], [role=menu], [role=dialog]"

/** The one element that the page itself names as the container of its content. */
function containerOf(page: Document): Element | null {
  const elements = elementsWhere(page.body, () => true)
  for (const test of containerTests) {
    const [first, second] = elements.filter(test)
    if (first && !second) return first
  }
  return null
}

/** The page's own container, where it says much more than an article of some length. */
function betterContainer(swept: Document, article: Size, kind: PageKind): ContentByRules | null {
  const container = containerOf(swept)
  if (!container) return null
  dropAround(container)
  tidy(container)
  const found = { text: lengthOf(container), prose: proseLength(container) }
  const isBetter =
    article.text < leastTextChars ? found.text > article.text : isLittle(article, found, kind)
  return isBetter ? { root: container, source: "container" } : null
}

/** All of a page but its navigation. */
function wholeBody(copy: Document): ContentByRules {
  dropAround(copy.body)
  return { root: copy.body, source: "body" }
}

/**
 * Removes navigation, but none within a list of entries, which may have headers of their own; a form
 * or header that holds most of the page is what it is about.
 */
function dropAround(root: Element, list?: Element): void {
  const total = lengthOf(root)
  for (const element of [...root.querySelectorAll(navigation)]) {
    if (list?.contains(element) || isOfEntry(element) || !root.contains(element)) continue
    if (lengthOf(element) <= total / 2) element.remove()
  }
}

/** The header or footer of one of several entries. */
function isOfEntry(element: Element): boolean {
  if (element.localName !== "header" && element.localName !== "footer") return false
  const entry = element.closest("li, article")
  return (
    entry !== null &&
    [entry.previousElementSibling, entry.nextElementSibling].some(
      (sibling) => sibling?.localName === entry.localName,
    )
  )
}
