import { elementsNamed, isHidden, textOf, titleOrNull } from "../core/index.ts"
import {
  documentTitle,
  headingText,
  metaContent,
  plainText,
  sharedWords,
  shareOfWords,
  withoutSiteName,
} from "../page/index.ts"
import { textAt } from "../structured/index.ts"
import type { PageSources } from "./page-sources.ts"

/** The title of a page: as its data, its metas and its `<title>` state it, and as its readers see it. */
export function titleOf(sources: PageSources, siteName: string | null): string | null {
  const { document, meta, pageUrl } = sources
  const own = (title: string | null) => title && withoutSiteName(title, siteName, pageUrl)
  const written = documentTitle(document)
  const shared =
    titleOrNull(metaContent(meta, "og:title")) ?? titleOrNull(metaContent(meta, "twitter:title"))
  const stated = own(nodeTitle(sources, written, shared) ?? shared ?? written)
  if (stated === null) return own(textOf(document.querySelector("h1")))
  const heading = visibleHeading(document, siteName)
  if (heading && startsWithSign.test(stated)) return heading
  const titles = [own(written), own(shared)].filter((title) => title !== null)
  const isOne = titles.every((title) => plainText(title) === plainText(stated))
  if (heading && isOne && isHeadlineOf(sources, heading, stated)) return heading
  const others = [own(written), heading].filter((title) => title !== null)
  return ofAddress(others, stated, pageUrl) ?? stated
}

/** Only the site's name is left of such a title: "| Site". */
const startsWithSign = /^\s*[|\-–—·•:»›~]\s/

/** A node may be about a part of the page: its title then shares few words with the page's. */
function nodeTitle(
  { main, structured }: PageSources,
  written: string | null,
  shared: string | null,
): string | null {
  if (!main) return null
  const headline = textAt(structured, main, "headline")
  const name = textAt(structured, main, "name")
  const best =
    headline && name && sharedWords(name, written) > sharedWords(headline, written)
      ? name
      : (headline ?? name)
  const isOfOther =
    best &&
    shared &&
    !unspaced.test(best) &&
    shareOfWords(best, written) < 1 / 3 &&
    shareOfWords(shared, written) > 1 / 2
  return isOfOther ? null : best
}

/** Scripts such as Chinese, in which words are not separated. */
const unspaced = /\p{Lo}/u

const maxHeadings = 50

/** Returns the page's only main heading; null if it has several, or if it is the site's name. */
function visibleHeading(document: Document, siteName: string | null): string | null {
  const headings = elementsNamed(document, "h1")
  if (headings.length > maxHeadings) return null
  const visible = headings.filter((heading) => headingText(heading) !== "" && !isAside(heading))
  const [heading] = visible
  if (visible.length !== 1 || heading!.closest("a[href]") || heading!.querySelector("a[href]")) {
    return null
  }
  const text = titleOrNull(headingText(heading!))
  return text === null || plainText(text) === plainText(siteName ?? "") ? null : text
}

function isAside(heading: Element): boolean {
  for (let at: Element | null = heading; at; at = at.parentElement) {
    if (isHidden(at) || outside.has(at.localName)) return true
  }
  return false
}

const outside = new Set(["nav", "aside", "footer", "dialog"])

/**
 * A title that data, metas and `<title>` of an article share is often written for search engines, and not
 * the headline. A heading with the same words and more contains a label or a button.
 */
function isHeadlineOf({ main, structured }: PageSources, heading: string, stated: string): boolean {
  if (!main || textAt(structured, main, "headline") === null) return false
  if (plainText(heading).includes(plainText(stated))) return false
  return shareOfWords(heading, stated) >= 1 / 3
}

/** Returns the title that matches the page's URL, if the stated one is the same on all pages. */
function ofAddress(others: string[], stated: string, pageUrl: string): string | null {
  const parts = addressParts(pageUrl)
  const [last] = parts
  if (last === undefined || parts.some((part) => sharedWords(part, stated) > 0)) return null
  const isOfPage = (title: string) =>
    shareOfWords(last, title) >= 1 / 2 && shareOfWords(title, stated) < 1 / 2
  return others.find(isOfPage) ?? null
}

/** The words of each part of the path, the last one first. */
function addressParts(pageUrl: string): string[] {
  const parts = new URL(pageUrl).pathname.split("/").reverse()
  return parts.map(wordsOfPart).filter((words) => words !== "")
}

function wordsOfPart(part: string): string {
  let text = part.replace(/\.\w{2,5}$/, "")
  try {
    text = decodeURIComponent(text)
  } catch {
    // Not of this encoding: taken as it is written.
  }
  return (text.match(/\p{L}{3,}/gu) ?? []).join(" ")
}
