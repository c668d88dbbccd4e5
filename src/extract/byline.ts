import { nameWords } from "./boilerplate.ts"
import { blocksAfter, blocksBefore, leafBlocks, mainHeading, withText } from "./main-heading.ts"
import { lineText } from "./page-text.ts"
import { isPersonName, namesIn } from "./person-names.ts"
import { dateInText } from "./visible-date.ts"

/** Authors whom only readers see named: in elements called after them, or in a line of text. */

const authorWords = new Set([
  "author", "authors", "autor", "autoren", "autora", "autores", "auteur", "auteurs", "autore",
  "autori", "byline", "bylines", "writer", "writers", "wrote", "redakteur", "verfasser",
]) // biome-ignore format: a list reads better dense
const otherWords = new Set([
  "bio",
  "biography",
  "avatar",
  "image",
  "img",
  "photo",
  "count",
  "comment",
])

/** Comments, navigation and lists of other articles have authors of their own. */
export const aboutOthers =
  "nav, footer, #comments, .comments, .comment, .comment-list, .comments-area, .related, .references, [itemprop~=citation], [itemprop~=comment], [itemtype*=Comment], [role=complementary]"

const longestByline = 120

/** The first elements of a page that are named after authors, those of one byline together. */
export function namedElements(document: Document): Element[] {
  const found: Element[] = []
  for (const element of document.body.querySelectorAll("[class], [id]")) {
    const words = nameWords(element).flat()
    if (!words.some((word) => authorWords.has(word))) continue
    if (words.some((word) => otherWords.has(word)) || element.closest(aboutOthers)) continue
    const text = lineText(element)
    if (text !== "" && text.length <= longestByline && namesIn(text).length > 0) found.push(element)
  }
  const inner = found.filter((one) => !found.some((other) => other !== one && one.contains(other)))
  return cluster(inner)
}

/** Of elements in document order, the first and those that stand beside it. */
export function cluster(elements: Element[]): Element[] {
  const [first] = elements
  if (!first) return []
  const parent = first.parentElement
  return elements.filter(
    (one) =>
      one.parentElement === parent ||
      (parent !== null &&
        one.parentElement?.parentElement === parent.parentElement &&
        parent.localName !== "body"),
  )
}

const blocksLookedAt = 15
const blocksToTheEnd = 400

const ownLine =
  /^(?:(?:by|von|par|por|di|da|door|af|av)\s+|(?:text(?: von| by)?|autor(?:in|en)?|author|auteure?|autore|words by|story by|written by|posted by|geschrieben von|verfasst von|publié par|escrito por|scritto da)\s*:?\s+|posted on .{6,30} by\s+|(?:veröffentlicht|publiziert|gepostet) .{4,40} von\s+)(\p{Lu}.{2,70})$/u
const capitalised = (text: string) => text.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())

/** The names in a line such as "Von Ann Lee" or "Ann Lee, 4.5.2021" near the heading or at the end. */
export function bylineInText(document: Document): string[] {
  const { body } = document
  const heading = mainHeading(body)
  const first = body.firstElementChild
  if (!first) return []
  const ways = heading
    ? [blocksAfter(heading, body), blocksBefore(heading, body)]
    : [leafBlocks(body)]
  for (const blocks of ways) {
    const names = firstNames(blocks)
    if (names.length > 0) return names
  }
  return []
}

function firstNames(blocks: Iterable<Element>): string[] {
  let looked = 0
  for (const { element, text } of withText(blocks, blocksToTheEnd)) {
    const isNear = ++looked <= blocksLookedAt
    if (text.length > longestByline || element.closest(aboutOthers)) continue
    const isProfile = isNear && isProfileLink(element, text)
    const names = isProfile ? namesIn(text) : lineNames(text, isNear)
    if (names.length > 0) return names
  }
  return []
}

const profileAddress =
  /\/(?:profile?|people|person(?:en)?|\w*team|staff|user|members?|autor\w*|author\w*)\//i

/** A name alone in its line that links to a page about the person. */
function isProfileLink(block: Element, text: string): boolean {
  const links = [...block.querySelectorAll("a[href]")]
  const names = namesIn(text)
  return (
    names.length > 0 &&
    names.every(isPersonName) &&
    links.some((link) => profileAddress.test(link.getAttribute("href")!))
  )
}

function lineNames(text: string, isNear: boolean): string[] {
  const line = ownLine.exec(capitalised(text))
  if (line) {
    const people = namesIn(line[1]!).filter(isPersonName)
    if (people.length > 0) return people
  }
  if (!isNear || dateInText(text, null) === null) return []
  const parts = text.split(/\s*[|,•·–—]\s*|\s+-\s+/).map((part) => part.trim())
  const people = parts.filter((part) => isPersonName(part) && dateInText(part, null) === null)
  return people.length === 1 ? people : []
}
