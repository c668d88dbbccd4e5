import { elementsNamed, elementsWhere, isUnseen } from "../core/index.ts"

/** The footnotes of a page whose marks and texts are both in the converted part. */
export interface Footnotes {
  /** Marks in the text, with their Markdown: `[^1]`. */
  marks: Map<Element, string>
  /** The labels of notes by the element that holds their text. */
  texts: Map<Element, string>
  /** Backlinks from notes to their marks. */
  returns: Set<Element>
}

const maxMarks = 2000
/** Letters of a raised text that is nothing but marks. */
const maxMark = 100
/** Maximum depth of a backlink within the element of its note. */
const deepestLink = 8
const visibleMark = /^[[(]?\s*(?:\p{L}{1,5} ?)?(?:\p{N}{1,4}|\p{L}|[*†‡§¶]{1,4})\s*[\])]?$/u
const noteName =
  /(?:^|[-_ ])(?:doc-)?(?:foot|end|side|cite_?)?(?:notes?|fn|cite)(?:ref)?(?=$|[-_: \d])|footnote|reference/i
const returnName = /back-?(?:link|ref)|reversefootnote|return/i
const raised = new Set(["sup", "span", "em", "b", "i", "strong", "small"])
const noteBlocks = new Set(["li", "p", "div", "aside", "section", "dd"])

interface Mark {
  link: Element
  note: Element
}

export function footnotesIn(root: Node): Footnotes | null {
  const links = elementsNamed(root, "a").filter((link) => fragmentOf(link) !== "")
  const visible = links.filter(isVisibleMark)
  if (visible.length === 0) return null
  const wanted = new Set(visible.map(fragmentOf))
  const isLink = new Set(visible)
  const inOrder = elementsWhere(
    root,
    (element) => isLink.has(element) || wanted.has(nameOf(element)),
  )
  const targets = new Map(inOrder.toReversed().map((element) => [nameOf(element), element]))
  const positions = new Map(inOrder.map((element, index) => [element, index]))
  const unseen = new Map<Element, boolean>()
  const pairs = visible.slice(0, maxMarks).flatMap((link) => {
    const target = targets.get(fragmentOf(link))
    const note = target && positions.get(link)! < positions.get(target)! ? noteAround(target) : null
    return note && !note.contains(link) && !isWithinUnseen(note, unseen) ? [{ link, note }] : []
  })
  const inside = linksInside(new Set(pairs.map(({ note }) => note)), links)
  const marks = pairs.filter((pair) => isMark(pair, inside.get(pair.note) ?? []))
  return marks.length > 0 ? footnotes(marks, inside) : null
}

/** Returns whether an element or one of its ancestors is hidden. */
function isWithinUnseen(element: Element, known: Map<Element, boolean>): boolean {
  const path: Element[] = []
  let around: Element | null = element
  while (around && !known.has(around)) {
    path.push(around)
    if (isUnseen(around)) break
    around = around.parentElement
  }
  const unseen = around !== null && (known.get(around) ?? true)
  for (const step of path) known.set(step, unseen)
  return unseen
}

/** Returns the links in each note, found from below because notes may be nested. */
function linksInside(notes: Set<Element>, links: Element[]): Map<Element, Element[]> {
  const inside = new Map<Element, Element[]>()
  for (const link of links) {
    let element = link.parentElement
    for (let step = 0; element && step < deepestLink && !notes.has(element); step++) {
      element = element.parentElement
    }
    if (!element || !notes.has(element)) continue
    const own = inside.get(element)
    if (own) own.push(link)
    else inside.set(element, [link])
  }
  return inside
}

/** Returns the fragment of a link within the page; "" for any other link. */
function fragmentOf(link: Element): string {
  const href = link.getAttribute("href") ?? ""
  if (!href.startsWith("#")) return ""
  try {
    return decodeURIComponent(href.slice(1))
  } catch {
    return href.slice(1)
  }
}

const nameOf = (element: Element) =>
  element.getAttribute("id") || (element.localName === "a" && element.getAttribute("name")) || ""

/** The block that a note's URL stands for: its own, or that of the sign before its text. */
function noteAround(target: Element | undefined): Element | null {
  let element = target ?? null
  if (target?.localName === "dt") return definitionOf(target)
  for (let step = 0; element && step < 3; step++) {
    const isTableOfNote = element.localName === "table" && noteName.test(saysOf(element))
    if (noteBlocks.has(element.localName) || isTableOfNote) return element
    element = element.parentElement
  }
  return null
}

/** Returns the definition after a mark that is a term. */
function definitionOf(term: Element): Element | null {
  const next = term.nextElementSibling
  return next?.localName === "dd" && visibleMark.test(term.textContent!.trim()) ? next : null
}

const saysOf = (element: Element | null) =>
  element === null
    ? ""
    : `${element.getAttribute("class") ?? ""} ${element.getAttribute("role") ?? ""} ${element.id}`

/**
 * A mark looks like one, and links to a list item or an element named as a note. Any other link counts if
 * the note links back to it.
 */
function isMark({ link, note }: Mark, inside: Element[]): boolean {
  const text = link.textContent!.trim()
  const looksLikeMark =
    /^[[(*†‡]/.test(text) ||
    link.closest("sup") !== null ||
    link.firstElementChild?.localName === "sup" ||
    noteName.test(saysOf(link)) ||
    noteName.test(saysOf(link.parentElement))
  const isCalledNote = noteName.test(saysOf(note.localName === "dd" ? note.parentElement : note))
  if (looksLikeMark && (note.localName === "li" || isCalledNote)) return true
  return inside.some((inner) => leadsTo(inner, link))
}

/** Returns whether a link leads to another link, or to an element right around it. */
function leadsTo(from: Element, link: Element): boolean {
  const name = fragmentOf(from)
  let element: Element | null = link
  for (let step = 0; element && step < 3; step++) {
    if (nameOf(element) === name) return true
    element = element.parentElement
  }
  return false
}

function footnotes(marks: Mark[], inside: Map<Element, Element[]>): Footnotes {
  const texts = new Map<Element, string>()
  const used = new Set<string>()
  for (const { link, note } of marks) {
    if (texts.has(note)) continue
    const label = freeLabel(labelOf(link.textContent!), used)
    used.add(label)
    texts.set(note, label)
  }
  const written = new Map<Element, string>()
  for (const { link, note } of marks) {
    const wrapper = wrapperOf(link, isVisibleMark)
    written.set(wrapper, `${written.get(wrapper) ?? ""}[^${texts.get(note)}]`)
  }
  return { marks: written, texts, returns: returnsIn([...texts.keys()], marks, inside) }
}

const labelOf = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")

function freeLabel(wanted: string, used: Set<string>): string {
  const base = wanted || String(used.size + 1)
  let label = base
  for (let count = 2; used.has(label); count++) label = `${base}-${count}`
  return label
}

/** The outermost raised element that holds nothing but such links, and brackets and signs around them. */
function wrapperOf(link: Element, isSuch: (inner: Element) => boolean): Element {
  let element = link
  for (let step = 0; step < 3; step++) {
    const parent = element.parentElement
    if (!parent || !raised.has(parent.localName)) break
    if (parent.textContent!.length > maxMark) break
    let rest = parent.textContent!
    const own = elementsWhere(parent, ({ localName }) => localName === "a")
    for (const inner of own) rest = rest.replace(inner.textContent!, "")
    if (!own.every(isSuch) || /[\p{L}\p{N}]/u.test(rest)) break
    element = parent
  }
  return element
}

const isVisibleMark = (link: Element) => visibleMark.test(link.textContent!.trim())

/** Returns the links from notes to their marks, with the elements that only wrap these links. */
function returnsIn(notes: Element[], marks: Mark[], inside: Map<Element, Element[]>): Set<Element> {
  const names = new Set(
    marks
      .flatMap(({ link }) => [link, link.parentElement, link.parentElement?.parentElement])
      .map((element) => (element ? nameOf(element) : ""))
      .filter((name) => name !== ""),
  )
  // A mark outside of this part of the page is identified by the name of its backlink.
  const isReturn = (link: Element) =>
    names.has(fragmentOf(link)) ||
    returnName.test(`${saysOf(link)} ${link.getAttribute("rev") ?? ""}`) ||
    returnName.test(saysOf(link.closest("span")))
  const returns = notes.flatMap((note) => (inside.get(note) ?? []).filter(isReturn))
  const terms = notes.flatMap(({ localName, previousElementSibling: term }) =>
    localName === "dd" && term?.localName === "dt" ? [term] : [],
  )
  return new Set([...returns.map((link) => wrapperOf(link, isReturn)), ...terms])
}
