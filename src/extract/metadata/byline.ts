import { lineText, words } from "../core/index.ts"
import {
  blocksAfter,
  blocksBefore,
  leafBlocks,
  mainHeading,
  nameWords,
  withText,
} from "../page/index.ts"
import { authorLabel, ownLine, pressRoles } from "./byline-words.ts"
import { othersOn } from "./other-articles.ts"
import { isAuthorName, isCaseless, isPerson, isPersonName, namesIn } from "./person-names.ts"
import { dateInText } from "./visible-date.ts"
import { authorNames, besideAuthors, profileFolders } from "./words.ts"

/** Authors named only in visible text: in elements named after authors, or in a line. */

const longestBylineChars = 120
/** Elements examined: limits the work on one page. */
export const mostElements = 100

/** The first elements of a page that are named after authors, those of one byline together. */
export function namedElements(document: Document, pageUrl: string): Element[] {
  const found: Element[] = []
  const isAboutOthers = othersOn(document, pageUrl)
  let looked = 0
  for (const element of document.body.querySelectorAll(namedSelector)) {
    if (!isNamedAfterAuthor(element)) continue
    if (++looked > mostElements) break
    const text = lineText(element)
    if (text === "" || text.length > longestBylineChars || !namesIn(text).some(isAuthorName))
      continue
    // In letters without case a weekday is like a name.
    if (/\d/.test(text) && namesIn(text).every(isCaseless)) continue
    if (!isOwnAnchor(element, text) && !isAboutOthers(element)) found.push(element)
  }
  const inner = found.filter(
    (element) => !found.some((other) => other !== element && element.contains(other)),
  )
  return cluster(inner)
}

/** Attributes for tests and scripts name the parts of a page as well. */
const nameAttributes = ["data-testid", "data-test", "data-component", "data-qa"]
const namedSelector = ["[class]", "[id]", ...nameAttributes.map((name) => `[${name}]`)].join()

/** A quick test that rules out most elements before their names are split. */
const mayHoldAuthorWord = new RegExp([...authorNames].join("|"), "i")

function isNamedAfterAuthor(element: Element): boolean {
  const names = ["class", "id", ...nameAttributes].map((name) => element.getAttribute(name) ?? "")
  if (!mayHoldAuthorWord.test(names.join(" "))) return false
  const words = nameWords(element).flat()
  for (const name of nameAttributes) words.push(...wordsOf(element.getAttribute(name) ?? ""))
  return (
    words.some((word) => authorNames.has(word)) && !words.some((word) => besideAuthors.has(word))
  )
}

/** "AuthorName" and "author-name" have the same words. */
const wordsOf = (name: string) =>
  (name.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase())

/** A heading's id is made from its text: `<h3 id="site_author">site_author`. */
const isOwnAnchor = (element: Element, text: string) =>
  element.id.toLowerCase().replace(/[^a-z]+/g, "") === text.toLowerCase().replace(/[^a-z]+/g, "") &&
  element.id !== ""

/** Of elements in document order, the first and those that stand beside it. */
export function cluster(elements: Element[]): Element[] {
  const [first] = elements
  if (!first) return []
  const parent = first.parentElement
  return elements.filter(
    (element) =>
      element.parentElement === parent ||
      (parent !== null &&
        element.parentElement?.parentElement === parent.parentElement &&
        parent.localName !== "body"),
  )
}

const blocksLookedAt = 15
const blocksToTheEnd = 400

/** The names in a line such as "Von Ann Lee" or "Ann Lee, 4.5.2021" near the heading or at the end. */
export function bylineInText(document: Document, pageUrl: string): string[] {
  const { body } = document
  const heading = mainHeading(body)
  const isAboutOthers = othersOn(document, pageUrl)
  if (!body.firstElementChild) return []
  const ways = heading
    ? [blocksAfter(heading, body), blocksBefore(heading, body)]
    : [leafBlocks(body)]
  for (const blocks of ways) {
    const names = firstNames(blocks, isAboutOthers)
    if (names.length > 0) return names
  }
  return []
}

function firstNames(
  blocks: Iterable<Element>,
  isAboutOthers: (element: Element) => boolean,
): string[] {
  let looked = 0
  let isLabelled = false
  for (const { element, text } of withText(blocks, blocksToTheEnd)) {
    const isNear = ++looked <= blocksLookedAt
    if (text.length > longestBylineChars) {
      isLabelled = false
      continue
    }
    const names =
      isLabelled || (isNear && isProfileLink(element))
        ? peopleOnly(namesIn(text))
        : lineNames(text, isNear)
    if (names.length > 0 && !isAboutOthers(element)) return names
    isLabelled = authorLabel.test(text)
  }
  return []
}

/** The names where all of them are those of people. */
const peopleOnly = (names: string[]) => (names.every(isPerson) ? names : [])

const profileAddress = new RegExp(String.raw`\/(?:${words(profileFolders)})\/`, "i")

/** A line that links, or is in a link, to a page about a person. */
function isProfileLink(block: Element): boolean {
  const around = block.closest("a[href]")
  const links = around ? [around] : [...block.querySelectorAll("a[href]")]
  return links.some((link) => profileAddress.test(link.getAttribute("href")!))
}

/** Separators of a line such as "Ann Lee | 4.5.2021". */
const lineParts = /\s*[|,•·∙–—]\s*|\s+-\s+/

function lineNames(text: string, isNear: boolean): string[] {
  const line = ownLine.exec(text)
  if (line) {
    const people = namesIn(line[1]!).filter(isPerson)
    if (people.length > 0) return people
  }
  if (!isNear) return []
  const beside = namesBesideDate(text)
  return beside.length > 0 ? beside : nameWithRole(text)
}

/** "Ann Lee, Staff Writer". */
function nameWithRole(text: string): string[] {
  const [name, role] = text.split(lineParts)
  return name && role && isPersonName(name) && pressRoles.test(role.trim()) ? [name] : []
}

/** "The Senate" is not a name, but "Staff Example" beside a date is. */
const article = /^(?:the|die|der|das|la|le|el|il|los|les)\s/i

/** "Von Ann Lee | 4.5.2021", "4.5.2021, 16:20 von annlee". */
function namesBesideDate(text: string): string[] {
  if (dateInText(text, null) === null) return []
  const parts = text.split(lineParts).map((part) => part.trim())
  const people = parts
    .filter((part) => dateInText(part, null) === null)
    .flatMap((part) => namesIn(part).filter((name) => isPersonName(name) && !article.test(name)))
  if (people.length === 1) return people
  const [, before, after] = /^(.*\d.*?)\s(?:by|von|par|por|door|af|av):?\s(.+)$/u.exec(text) ?? []
  if (!before || !after || dateInText(before, null) === null) return []
  return /\s/.test(after) ? peopleOnly(namesIn(after)) : namesIn(after)
}
