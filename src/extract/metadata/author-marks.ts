import { lineText } from "../core/index.ts"
import {
  documentTitle,
  leafBlocks,
  mainHeading,
  metaContent,
  nameWords,
  withText,
} from "../page/index.ts"
import { typesOf } from "../structured/index.ts"
import { ofTheAuthor } from "./byline-words.ts"
import { othersOn } from "./other-articles.ts"
import type { PageSources } from "./page-sources.ts"
import { isOrganisation, isPerson, isPersonName, namesIn } from "./person-names.ts"
import { creditNames } from "./words.ts"

/** Rarer signs of the author than a byline; each gives names, `[]` where the page has none. */

/** Whom the head of the article credits; elsewhere these words belong to pictures. */
export function creditedInHeader({ document }: PageSources): string[] {
  const header = mainHeading(document.body)?.closest("header")
  for (const element of header?.querySelectorAll("[class]") ?? []) {
    if (element.closest("figure") || element.localName === "img") continue
    const words = nameWords(element).flat()
    const names = words.some((word) => creditNames.has(word)) ? namesIn(lineText(element)) : []
    if (names.length > 0 && names.every((name) => isPersonName(name) || isOrganisation(name))) {
      return names
    }
  }
  return []
}

/** Links examined: limits the work on one page. */
const mostLinks = 3
/** How far above its link "More from the author" the author's name may stand. */
const cardHeight = 3

/** The one name beside a link to more from "the author". */
export function besideAuthorLink({ document, pageUrl }: PageSources): string[] {
  const isAboutOthers = othersOn(document, pageUrl)
  let looked = 0
  for (const link of document.body.querySelectorAll("a[href]")) {
    if (!ofTheAuthor.test(lineText(link)) || isAboutOthers(link)) continue
    if (++looked > mostLinks) break
    let card: Element | null = link
    for (let height = 0; height < cardHeight && card; height++) {
      card = card.parentElement
      const names = card ? distinctPeople(card) : []
      if (names.length === 1) return names
      if (names.length > 1) break
    }
  }
  return []
}

const blocksOfCard = 20

function distinctPeople(card: Element): string[] {
  const texts = [...withText(leafBlocks(card), blocksOfCard)].map(({ text }) => text)
  return [...new Set(texts.filter(isPerson))]
}

const longParagraphChars = 200
const blocksRead = 400
const rightAligned = /(?:^|;)\s*text-align:\s*(?:right|end)/i
const rightClasses = ["text-right", "text-end", "align-right", "alignright", "has-text-align-right"]

/** The only name on its own right-aligned line under a paragraph, as in a signed letter. */
export function signature({ document, pageUrl }: PageSources): string[] {
  const names = new Set<string>()
  const isAboutOthers = othersOn(document, pageUrl)
  let afterProse = false
  for (const { element, text } of withText(leafBlocks(document.body), blocksRead)) {
    if (afterProse && isPerson(text) && isAtRight(element) && !isAboutOthers(element)) {
      names.add(text)
    }
    afterProse = text.length >= longParagraphChars && !element.closest("blockquote, li, figure")
  }
  return names.size === 1 ? [...names] : []
}

const isAtRight = (block: Element) =>
  !block.querySelector("a") &&
  (block.getAttribute("align")?.toLowerCase() === "right" ||
    rightAligned.test(block.getAttribute("style") ?? "") ||
    rightClasses.some((name) => block.classList.contains(name)))

/** Who licenses the site's content, as Creative Commons marks it; pictures credit other sites. */
export function licensor({ document, pageUrl }: PageSources): string[] {
  const host = new URL(pageUrl).hostname
  for (const element of document.querySelectorAll(
    '[rel~="cc:attributionURL"], [property~="cc:attributionName"]',
  )) {
    const address = element.getAttribute("href") ?? element.getAttribute("resource")
    if (address && URL.canParse(address, pageUrl) && new URL(address, pageUrl).hostname === host) {
      const names = namesIn(lineText(element)).filter(isPerson)
      if (names.length > 0) return names
    }
  }
  return []
}

/** With a year or the word; a sign and a name alone credit a picture. */
const year = String.raw`(?:19|20)\d\d(?:\s*[-–]\s*\d{2,4})?`
const copyrightSign = String.raw`(?:©|\(c\))`
const copyrightLine = new RegExp(
  [
    String.raw`(?:${copyrightSign}\s*${year}|copyright(?:\s*${copyrightSign})?(?:\s*${year})?)`,
    String.raw`(?:\s*[,-]|\s+(?:by|bei|von|par|por))?\s+`,
    String.raw`(\p{Lu}[^|•·,.©\d]{3,40}?)\s*(?:$|[|•·,.©])`,
  ].join(""),
  "iu",
)
const longestLineChars = 200
const articleType = /(?:Article|BlogPosting)$/

/**
 * The owner of a personal site: an article whose title and copyright line both name one person, in
 * the spelling of the title.
 */
export function copyrightHolder({ document, meta, main }: PageSources): string[] {
  const isArticle =
    typesOf(main ?? {}).some((type) => articleType.test(type)) ||
    metaContent(meta, "og:type")?.toLowerCase() === "article"
  const title = documentTitle(document)
  if (!isArticle || title === null) return []
  for (const block of leafBlocks(document.body)) {
    if (block.closest("figure") || (block.textContent ?? "").length > longestLineChars) continue
    const name = copyrightLine.exec(lineText(block))?.[1] ?? ""
    const at = isPerson(name) ? title.toLowerCase().indexOf(name.toLowerCase()) : -1
    if (at >= 0) return [title.slice(at, at + name.length)]
  }
  return []
}
