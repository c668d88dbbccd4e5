/** Class names that a build generates, or that describe a passing state of an element. */
const passing =
  /^(?:css|sc|jss|emotion|svelte|ng|v|is|has|js)-|__(?=\w*[a-z])(?=\w*[A-Z])\w{5,}$|^(?:active|selected|current|open|hover|focus|first|last|odd|even)$/
const lasting = /^[a-z][a-z_-]*\d{0,2}$/i
/** Attributes that identify an element. */
const identifying = ["itemprop", "data-testid", "data-test", "data-qa", "name", "property", "rel"]
const maxNames = 6
const maxAncestors = 8

const isLasting = (word: string) => word.length <= 40 && lasting.test(word) && !passing.test(word)

const classesOf = (element: Element) =>
  (element.getAttribute("class") ?? "").split(/\s+/).filter(isLasting)

/** Returns the selectors of an element without its context, the most stable first. */
function namesOf(element: Element): string[] {
  const tag = element.localName
  const id = element.getAttribute("id") ?? ""
  const reported = identifying.flatMap((name) => {
    const value = element.getAttribute(name)
    return value && /^[\w .:/-]{1,60}$/.test(value) ? [`${tag}[${name}="${value}"]`] : []
  })
  const classes = classesOf(element)
  const pair = classes.length > 1 ? [`${tag}.${classes[0]}.${classes[1]}`] : []
  const all = [
    ...(isLasting(id) ? [`#${id}`] : []),
    ...reported,
    ...classes.map((name) => `.${name}`),
  ]
  return [...all, ...pair, tag].slice(0, maxNames)
}

/** Returns the ancestors, nearest first, without the root element. */
function ancestorsOf(element: Element, root?: Element): Element[] {
  const all: Element[] = []
  for (let up = element.parentElement; up && up !== root; up = up.parentElement) {
    if (up.localName === "html" || all.length === maxAncestors) break
    all.push(up)
  }
  return all
}

type Root = ParentNode

/** A page has only one of each of these. */
const single = new Set(["h1", "title", "main"])
const maxProposed = 6

/** Returns the most stable selector whose first match in `within` is this element. */
export const selectorOf = (element: Element, within: Root, root?: Element): string =>
  selectorsOf(element, within, root)[0]!

/**
 * Returns selectors whose first match is this element, the most stable first: its own name, its label,
 * its container, and its position last.
 */
export function selectorsOf(element: Element, within: Root, root?: Element): string[] {
  const matches = (selector: string) => elementsAt(within, selector) ?? []
  const isFirst = (selector: string) => matches(selector)[0] === element
  const isAlone = (selector: string) => isFirst(selector) && matches(selector).length === 1
  const tag = element.localName
  const own = namesOf(element)
  const named = own.filter((name) => name !== tag)
  const holders = ancestorsOf(element, root).flatMap((up) =>
    namesOf(up).filter((name) => name !== up.localName),
  )
  const placed = holders.flatMap((name) => own.map((part) => `${name} ${part}`))
  const label = labelSelectorOf(element)
  // A row is small, so that a tag that occurs once in it is specific enough.
  const mayBeTag = root !== undefined || single.has(tag)
  const ranked = [
    ...named.filter(isAlone),
    ...(mayBeTag && isAlone(tag) ? [tag] : []),
    ...(label && isFirst(label) ? [label] : []),
    ...placed.filter(isAlone),
    ...named.filter(isFirst),
    ...placed.filter(isFirst),
    byPosition(element, within, root),
  ]
  return [...new Set(ranked)].slice(0, maxProposed)
}

/** Returns the label next to an element: the header of its row, its term, or text such as "Price:". */
function labelOf(element: Element): Element | undefined {
  const before = element.previousElementSibling
  if (!before) return undefined
  if (element.localName === "dd") return before.localName === "dt" ? before : undefined
  if (element.localName === "td") {
    if (before.localName === "th") return before
    const isPair = element.parentElement?.children.length === 2
    const hasHead = element.closest("table")?.querySelector("th")
    return isPair && !hasHead ? before : undefined
  }
  return /:\s*$/.test(before.textContent ?? "") ? before : undefined
}

const plainLabel = /^[^"'\\|@:][^"'\\|@]{0,39}$/

function labelSelectorOf(element: Element): string | undefined {
  const label = labelOf(element)
  // With its original spaces, because the service searches for these exact characters.
  const words = label?.textContent?.trim() ?? ""
  if (!label || !plainLabel.test(words) || /\s\s|\n/.test(words)) return undefined
  return `${label.localName}:contains("${words}") + ${element.localName}`
}

/** Returns a selector by position, counted from the nearest ancestor with a selector of its own. */
function byPosition(element: Element, within: Root, root?: Element): string {
  return (
    pathFrom(element, within, root, (up) => namesOf(up).filter((name) => name !== up.localName)) ??
    pathFrom(element, within, root, (up) => [up.localName]) ??
    step(element)
  )
}

function pathFrom(
  element: Element,
  within: Root,
  root: Element | undefined,
  namesFor: (up: Element) => string[],
): string | undefined {
  const steps = [step(element)]
  if (root && within.querySelector(steps[0]!) === element) return steps[0]
  for (let up = element.parentElement; up && up !== root; up = up.parentElement) {
    const path = steps.join(" > ")
    const named = namesFor(up).find((name) => within.querySelector(`${name} > ${path}`) === element)
    if (named) return `${named} > ${path}`
    steps.unshift(step(up))
  }
  return root && steps.join(" > ")
}

function step(element: Element): string {
  const tag = element.localName
  const alike = [...(element.parentElement?.children ?? [])].filter(
    (sibling) => sibling.localName === tag,
  )
  return alike.length < 2 ? tag : `${tag}:nth-of-type(${alike.indexOf(element) + 1})`
}

/** Repeated elements and their selector. */
export interface Rows {
  selector: string
  row: Element
  count: number
}

/** Tags of parts of rows. */
const parts = new Set(["td", "th", "dt", "dd", "option"])

/** Returns the rows that contain an element: the ancestor with the greatest number of similar siblings. */
export function rowsOf(element: Element, page: Document): Rows | undefined {
  const all = [element, ...ancestorsOf(element)].filter(
    ({ localName }) => localName !== "body" && !parts.has(localName),
  )
  const likes = all.map((row) => ({ row, siblings: siblingsOf(row) }))
  const max = Math.max(2, ...likes.map(({ siblings }) => siblings.length))
  const best = likes.find(({ siblings }) => siblings.length === max)
  return best && namedRows(best.row, best.siblings, page)
}

/** Returns the similar siblings of an element, with itself. */
function siblingsOf(row: Element): Element[] {
  const classes = classesOf(row)
  return [...(row.parentElement?.children ?? [])].filter(
    (other) =>
      other.localName === row.localName &&
      (classes.length === 0 || classesOf(other).some((name) => classes.includes(name))),
  )
}

function namedRows(row: Element, siblings: Element[], page: Document): Rows {
  const parent = row.parentElement!
  const classes = classesOf(row)
  const common = classes.filter((name) =>
    siblings.every((other) => classesOf(other).includes(name)),
  )
  const names = [...common.map((name) => `.${name}`), row.localName]
  const parents = [parent, ...ancestorsOf(parent)].flatMap(namesOf)
  const all = [
    ...common.map((name) => `.${name}`),
    ...parents.flatMap((up) => names.map((name) => `${up} > ${name}`)),
    ...parents.flatMap((up) => names.map((name) => `${up} ${name}`)),
  ]
  // A class may occur in several lists of the same kind: their entries are rows, too.
  const isThem = (selector: string) => {
    const selected = [...page.querySelectorAll(selector)]
    return (
      siblings.every((other) => selected.includes(other)) &&
      (selected.length === siblings.length || selector.startsWith(".")) &&
      !selected.some((hit) => hit !== row && (hit.contains(row) || row.contains(hit)))
    )
  }
  const selector = all.find(isThem) ?? `${selectorOf(parent, page)} > ${names[0]}`
  return { selector, row, count: page.querySelectorAll(selector).length }
}

/** Returns the row of a page that contains an element. */
export function rowAround(element: Element, rows: string): Element | undefined {
  return tried(() => element.closest(rows)) ?? undefined
}

const contained = /:contains\((?:"([^"]*)"|'([^']*)'|([^()"']*))\)/g
const mark = "data-trawl-contains"

/**
 * Returns the matches of a selector; undefined if it is invalid. Browsers lack `:contains()`, so elements
 * that contain the text are marked during the search.
 */
export function elementsAt(root: Root, selector: string): Element[] | undefined {
  const texts: string[] = []
  const plain = selector.replace(contained, (_, ...groups: (string | undefined)[]) => {
    texts.push(groups.slice(0, 3).find((text) => text !== undefined) ?? "")
    return `[${mark}~="${texts.length - 1}"]`
  })
  if (texts.length === 0) return tried(() => [...root.querySelectorAll(selector)])
  const page = root.nodeType === 9 ? (root as Document) : root.ownerDocument!
  const marked = [...page.querySelectorAll("*")].flatMap((element) => {
    const text = element.textContent ?? ""
    const those = texts.flatMap((part, at) => (text.includes(part) ? [at] : []))
    if (those.length === 0) return []
    element.setAttribute(mark, those.join(" "))
    return [element]
  })
  try {
    return tried(() => [...root.querySelectorAll(plain)])
  } finally {
    for (const element of marked) element.removeAttribute(mark)
  }
}

function tried<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** Returns the attributes and types that an element offers, most likely first. */
export function takable(element: Element): string[] {
  const all = ["src", "href", "datetime", "content", "value", "alt", "title"]
  const there = all.filter((name) => element.hasAttribute(name))
  const read = typesIn(element)
  const isImage = ["img", "source", "video", "meta", "input"].includes(element.localName)
  if (isImage) return [...there, "text"]
  return read.isLikely ? [...read.types, "text", ...there] : ["text", ...read.types, ...there]
}

const currency = /[€$£¥₹₽₺₩₴]|\b(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF)\b/
const numberNames = /price|cost|amount|rating|score|count|qty|quantity|stock|weight/i

/**
 * Returns the types that a run can read from an element's text, and whether that is the purpose of
 * the element.
 */
function typesIn(element: Element): { types: string[]; isLikely: boolean } {
  const text = textOf(element)
  const isTime = element.localName === "time"
  if (isTime || element.hasAttribute("datetime")) return { types: ["date"], isLikely: true }
  if (text.length > 40 || !/\d/.test(text)) return { types: [], isLikely: false }
  const isNumber = /^\D{0,12}\d[\d.,'’\s]*\D{0,12}$/.test(text)
  const names = [element.getAttribute("itemprop") ?? "", ...classesOf(element)].join(" ")
  const isLikely = isNumber && (currency.test(text) || numberNames.test(names))
  return { types: isNumber ? ["number", "date"] : ["date", "number"], isLikely }
}

const typeNames: Record<string, string> = {
  text: "Text",
  number: "Number",
  date: "Date",
  href: "Link",
  src: "Image",
}

/** Returns the name of an attribute or type for people. */
export const typeName = (attribute: string, element: Element): string =>
  attribute === "number" && currency.test(textOf(element))
    ? "Price"
    : (typeNames[attribute] ?? `@${attribute}`)

/** Returns whether a run reads this from the text; others are attributes. */
export const isType = (attribute: string) => attribute === "number" || attribute === "date"

const silent = "script, style, template, noscript"

/** Returns the value of a field from an element, as the service reads it. */
export function attributeOf(element: Element, attribute: string, base: string): string {
  if (attribute === "text" || isType(attribute)) return textOf(element)
  const written = element.getAttribute(attribute) ?? ""
  const isAddress = attribute === "href" || attribute === "src"
  return isAddress && URL.canParse(written, base) ? new URL(written, base).href : written
}

function textOf(element: Element): string {
  const copy = element.cloneNode(true) as Element
  for (const one of copy.querySelectorAll(silent)) one.remove()
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim()
}

const tagWords: Record<string, string> = {
  h1: "title",
  h2: "heading",
  h3: "heading",
  a: "link",
  img: "picture",
  time: "date",
  p: "text",
  li: "entry",
}

/** Returns the table header of a cell's column. */
function headOf(cell: Element): string | undefined {
  if (cell.localName !== "td") return undefined
  const column = [...(cell.parentElement?.children ?? [])].indexOf(cell)
  const head = cell.closest("table")?.querySelector("tr")?.children[column]
  return head?.localName === "th" ? wordsOf(head) : undefined
}

function wordsOf(label: Element | undefined): string | undefined {
  const plain = label && textOf(label).normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss")
  const words = plain?.match(/[a-z]\w*/gi)
  return words?.slice(0, 4).join("-").toLowerCase()
}

/** Returns whether the service accepts this name. */
export const isName = (name: string) => /^[A-Za-z_][\w-]*$/.test(name)

/** Returns an unused name for a field. */
export function nameFor(element: Element, attribute: string, used: string[]): string {
  const own = [element.getAttribute("itemprop") ?? "", ...classesOf(element)].find((word) =>
    /^[a-z][\w-]*$/i.test(word),
  )
  const last = own?.split(/__|--/).at(-1) ?? wordsOf(labelOf(element)) ?? headOf(element)
  const word =
    attribute === "href"
      ? "link"
      : (last ?? (attribute === "src" ? "picture" : (tagWords[element.localName] ?? "value")))
  const plain = word.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase())
  let name = plain
  for (let count = 2; used.includes(name); count++) name = plain + count
  return name
}
