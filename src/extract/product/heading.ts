import { elementsWhere, foldSpace, textOf } from "../core/index.ts"
import { documentTitle, sharedWords, withoutSiteName } from "../page/index.ts"
import { marksOf } from "./text/page-text.ts"

/** The `h1` that shares most words with the page's title; else a lesser one near its beginning. */
export function productHeading(document: Document): Element | null {
  const title = documentTitle(document)
  let best: Element | null = null
  let max = -1
  for (const heading of document.getElementsByTagName("h1")) {
    const text = textOf(heading)
    const shared = sharedWords(text ?? "", title)
    if (text === null || shared <= max) continue
    best = heading
    max = shared
  }
  return best ?? lesserHeading(document, title)
}

/** Words such as "Buy" before the name in the page's title, in characters. */
const maxBefore = 10
const isName = (text: string, title: string) => {
  const at = title.indexOf(text)
  return at === 0 || (at > 0 && at <= maxBefore && text.length > title.length / 3)
}
const lesserNames = new Set(["h2", "h3", "h4"])
const isNameMark = (mark: string) => mark === "title" || mark === "name"

function lesserHeading(document: Document, title: string | null): Element | null {
  if (!title) return null
  const candidates = elementsWhere(
    document,
    (element) => lesserNames.has(element.localName) || marksOf(element).some(isNameMark),
  )
  for (const element of candidates) {
    const text = textOf(element)
    if (text !== null && text.length > 5 && isName(text, title)) return element
  }
  return null
}

/** Marks of layout that shops write into names: `Vacuum clean<wbr/>er`. */
const breaks = /<br\b[^<>]{0,20}>/gi
const marks = /<\/?(?:wbr|b|i|em|strong|span|sup|sub)\b[^<>]{0,100}>/gi

/** The name of a product without marks of layout, and without its shop's name at the end. */
export function productName(name: string, siteName: string | null, pageUrl: string): string {
  const plain = foldSpace(name.replace(breaks, " ").replace(marks, ""))
  return withoutSiteName(plain === "" ? name : plain, siteName, pageUrl)
}
