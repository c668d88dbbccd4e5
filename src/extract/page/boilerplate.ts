import { Memo } from "../../base/memo.ts"
import { elementsNamed, isBlock, wordSet } from "../core/index.ts"
import { namesOf, splitNames, wordsOfName } from "./name-words.ts"

/** Words of class names and ids that name a part of the page which is not its content. */
const partWords = wordSet(`
  ad ads adv advert adverts advertisement advertising adsense adslot adunit banner banners dfp gpt
  sponsor sponsored promo promos promoted promotion promotions outbrain taboola teads revcontent
  mgid zergnet affiliate disclaimer
  share shares sharing sharethis sharedaddy sharebar addthis addtoany social socials socialbar
  whatsapp
  breadcrumb breadcrumbs pagination pager paging navigation nav navbar menu toolbar
  related relatedposts recommend recommended recommendation recommendations recirc
  mostread readmore
  newsletter newsletters signup subscribe subscription paywall registration login cta
  comment comments disqus respond replies
  cookie cookies consent gdpr popup modal
  sidebar footer
`)

/** Words that name a line about the content: who wrote it, when, where it is filed. */
const lineWords = wordSet(`
  author authors authorbox bio biography byline bylines vcard contributor contributors
  date dates dateline datetime timestamp time published publish posted updated modified meta metadata
  postmeta postinfo postdate submitted
  caption captions credit credits copyright attribution
  tag tags taglist keywords category categories filed
  rating ratings vote votes print email views counter follow like likes tools utility permalink
  readtime more-on read-more see-also
`)

/** Words that name lists of other articles, and sometimes the beginning of this one. */
const listWords = wordSet("teaser teasers recent latest similar popular trending")
const listLinks = 0.3

/** Words that name the content itself, or mean nothing. */
const contentWords = wordSet(`
  article articles body bodytext content contents entry main post page story text copy wrapper wrap
  container inner outer column col columns row section block area
`)

/** Limits chosen by hand; `test/quality.ts` tells what a change of them does. */
const longestLineChars = 300
const largeShare = 0.2
const longParagraphChars = 80
/** Frames of a layout are named after their smaller part: `with-sidebar`. */
const proseShare = 0.4

type Role = "part" | "list" | "line"

const roleOfName = new Memo((name) => roleOfWords(wordsOfName(name)) ?? "none")

/** Content outweighs all, a part the others; of list and line the first counts. */
const roleOfNames = new Memo((names): Role | "none" => {
  let role: Role | null = null
  for (const name of splitNames(names)) {
    const own = roleOfName.of(name)
    if (own === "content") return "none"
    if (own === "part") role = "part"
    else if (own !== "none") role ??= own
  }
  return role ?? "none"
})

/** What the names of an element say that it is; null when they say nothing, or that it is content. */
function roleOf(element: Element): Role | null {
  const names = namesOf(element)
  const role = names === " " ? "none" : roleOfNames.of(names)
  return role === "none" ? null : role
}

function roleOfWords(words: readonly string[]): Role | "content" | null {
  if (words.length > 0 && words.every((word) => contentWords.has(word))) return "content"
  if (words.some((word) => partWords.has(word))) return "part"
  if (words.some((word) => listWords.has(word))) return "list"
  const pairs = words.slice(1).map((word, index) => `${words[index]}-${word}`)
  return [...words, ...pairs].some((word) => lineWords.has(word)) ? "line" : null
}

/** Whether an element's names mark it as boilerplate. */
export function isBoilerplate(element: Element): boolean {
  const role = roleOf(element)
  return role === "part" || role === "line"
}

/** Removes elements whose names mark them as boilerplate, unless they are much of the page. */
export function dropBoilerplate(document: Document): void {
  new Sweeper(document.body).sweep(document.body)
}

const navigation = new Set(["navigation", "search", "menu", "menubar"])

class Sweeper {
  private readonly total: number
  private readonly prose: Map<Element, number>
  private readonly allProse: number

  constructor(body: Element) {
    this.total = body.textContent!.length
    this.prose = proseLengths(body)
    this.allProse = this.prose.get(body) ?? 0
  }

  sweep(parent: Element): void {
    let next = parent.firstElementChild
    while (next) {
      const element = next
      next = element.nextElementSibling
      if (protectedNames.has(element.localName)) continue
      if (this.isBoilerplate(element)) element.remove()
      else this.sweep(element)
    }
  }

  private isBoilerplate(element: Element): boolean {
    const role = roleOf(element)
    if (role === null) return isNavigation(element) && !hasTitle(element)
    const length = element.textContent!.trim().length
    if (length > this.total * largeShare) return false
    if ((this.prose.get(element) ?? 0) > this.allProse * proseShare) return false
    if (role === "line" && (length > longestLineChars || !standsAlone(element))) return false
    if (role === "list" && linkedLength(element) < length * listLinks) return false
    return !hasTitle(element) && !isEmbeddedPost(element)
  }
}

/** Within these a name means something else: `comment` of code, `date` of a table's column. */
const protectedNames = new Set(["pre", "code", "blockquote", "table", "svg"])

const hasTitle = (element: Element) => elementsNamed(element, "h1").length > 0

const isNavigation = (element: Element) =>
  element.localName === "nav" || navigation.has(element.getAttribute("role") ?? "")

/** The length of the paragraphs in an element, the short ones left out. */
export const proseLength = (element: Element) => proseLengths(element).get(element) ?? 0

/** The same of each element. */
function proseLengths(body: Element): Map<Element, number> {
  const lengths = new Map<Element, number>()
  for (const paragraph of elementsNamed(body, "p")) {
    const { length } = paragraph.textContent!
    if (length < longParagraphChars) continue
    for (let at = paragraph.parentElement; at; at = at.parentElement) {
      lengths.set(at, (lengths.get(at) ?? 0) + length)
      if (at === body) break
    }
  }
  return lengths
}

const postNames = /(?:^|\s)(?:twitter-tweet|instagram-media)\s/

/** Whether an element is there for posts of a social network that an article quotes. */
export function isEmbeddedPost(element: Element): boolean {
  let quoted = 0
  const quotes =
    element.localName === "blockquote" ? [element] : elementsNamed(element, "blockquote")
  for (const quote of quotes) {
    if (postNames.test(namesOf(quote))) quoted += quote.textContent!.length
  }
  return quoted > 0 && quoted >= element.textContent!.length / 2
}

/** Whether there is no text beside an element in its line: a date within a sentence is part of it. */
export function standsAlone(element: Element): boolean {
  if (isBlock(element)) return true
  return endsLine(element, "previousSibling") && endsLine(element, "nextSibling")
}

function endsLine(element: Element, side: "previousSibling" | "nextSibling"): boolean {
  for (let node = element[side]; node; node = node[side]) {
    if (node.nodeType === 3 && node.nodeValue!.trim() !== "") return false
    if (node.nodeType !== 1) continue
    const beside = node as Element
    return isBlock(beside) || beside.localName === "br" || beside.textContent!.trim().length < 3
  }
  return true
}

/** Characters of the links in an element. */
export function linkedLength(element: Element): number {
  let length = 0
  for (const link of elementsNamed(element, "a")) length += link.textContent!.trim().length
  return length
}
