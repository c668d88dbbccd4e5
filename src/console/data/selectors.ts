/** Words that a build makes anew, or that say how an element stands just now. */
const passing =
  /^(?:css|sc|jss|emotion|svelte|ng|v|is|has|js)-|__(?=\w*[a-z])(?=\w*[A-Z])\w{5,}$|^(?:active|selected|current|open|hover|focus|first|last|odd|even)$/
const lasting = /^[a-z][a-z_-]*\d{0,2}$/i
/** Attributes that say what an element is. */
const telling = ["itemprop", "data-testid", "data-test", "data-qa", "name", "property", "rel"]
const mostNames = 6
const mostAncestors = 8

const isLasting = (word: string) => word.length <= 40 && lasting.test(word) && !passing.test(word)

const classesOf = (element: Element) =>
  (element.getAttribute("class") ?? "").split(/\s+/).filter(isLasting)

/** What an element may be called by itself; what is likeliest to stay comes first. */
function namesOf(element: Element): string[] {
  const tag = element.localName
  const id = element.getAttribute("id") ?? ""
  const told = telling.flatMap((name) => {
    const value = element.getAttribute(name)
    return value && /^[\w .:/-]{1,60}$/.test(value) ? [`${tag}[${name}="${value}"]`] : []
  })
  const classes = classesOf(element)
  const pair = classes.length > 1 ? [`${tag}.${classes[0]}.${classes[1]}`] : []
  const all = [...(isLasting(id) ? [`#${id}`] : []), ...told, ...classes.map((name) => `.${name}`)]
  return [...all, ...pair, tag].slice(0, mostNames)
}

/** The nearest first, without the page itself. */
function ancestorsOf(element: Element, root?: Element): Element[] {
  const all: Element[] = []
  for (let up = element.parentElement; up && up !== root; up = up.parentElement) {
    if (up.localName === "html" || all.length === mostAncestors) break
    all.push(up)
  }
  return all
}

type Place = ParentNode

/** A selector by which a place's first match is this element; of those, one that nothing else has. */
export function selectorOf(element: Element, within: Place, root?: Element): string {
  const isFirst = (selector: string) => within.querySelector(selector) === element
  const isAlone = (selector: string) =>
    isFirst(selector) && within.querySelectorAll(selector).length === 1
  const own = namesOf(element)
  const placed = ancestorsOf(element, root).flatMap((up) =>
    namesOf(up)
      .filter((name) => name !== "body" && name !== "div")
      .flatMap((name) => own.map((part) => `${name} ${part}`)),
  )
  return (
    own.find(isAlone) ??
    own.filter((name) => name !== element.localName || /^h1|title$/.test(name)).find(isFirst) ??
    placed.find(isAlone) ??
    own.find(isFirst) ??
    placed.find(isFirst) ??
    byPlace(element, within, root)
  )
}

/** Counted from the nearest ancestor that has a name of its own. */
function byPlace(element: Element, within: Place, root?: Element): string {
  const steps = [step(element)]
  for (let up = element.parentElement; up && up !== root; up = up.parentElement) {
    const path = steps.join(" > ")
    const named = namesOf(up).find((name) => within.querySelector(`${name} > ${path}`) === element)
    if (named) return `${named} > ${path}`
    steps.unshift(step(up))
  }
  return steps.join(" > ")
}

function step(element: Element): string {
  const tag = element.localName
  const alike = [...(element.parentElement?.children ?? [])].filter(
    (beside) => beside.localName === tag,
  )
  return alike.length < 2 ? tag : `${tag}:nth-of-type(${alike.indexOf(element) + 1})`
}

/** Elements that come again and again, and how they are found. */
export interface Rows {
  selector: string
  row: Element
  count: number
}

/** They are parts of rows. */
const parts = new Set(["td", "th", "dt", "dd", "option"])

/** The rows that an element is in: of its ancestors, the one that has most of its like beside it. */
export function rowsOf(element: Element, page: Document): Rows | undefined {
  const all = [element, ...ancestorsOf(element)].filter(
    ({ localName }) => localName !== "body" && !parts.has(localName),
  )
  const likes = all.map((row) => ({ row, beside: besideOf(row) }))
  const most = Math.max(2, ...likes.map(({ beside }) => beside.length))
  const best = likes.find(({ beside }) => beside.length === most)
  return best && namedRows(best.row, best.beside, page)
}

/** Itself and its like, in the same place. */
function besideOf(row: Element): Element[] {
  const classes = classesOf(row)
  return [...(row.parentElement?.children ?? [])].filter(
    (other) =>
      other.localName === row.localName &&
      (classes.length === 0 || classesOf(other).some((name) => classes.includes(name))),
  )
}

function namedRows(row: Element, beside: Element[], page: Document): Rows {
  const parent = row.parentElement!
  const classes = classesOf(row)
  const common = classes.filter((name) => beside.every((other) => classesOf(other).includes(name)))
  const names = [...common.map((name) => `.${name}`), row.localName]
  const parents = [parent, ...ancestorsOf(parent)].flatMap(namesOf)
  const all = [
    ...common.map((name) => `.${name}`),
    ...parents.flatMap((up) => names.map((name) => `${up} > ${name}`)),
    ...parents.flatMap((up) => names.map((name) => `${up} ${name}`)),
  ]
  // A class may stand in several lists of the same kind: they are rows, too.
  const isThem = (selector: string) => {
    const found = [...page.querySelectorAll(selector)]
    return (
      beside.every((other) => found.includes(other)) &&
      (found.length === beside.length || selector.startsWith(".")) &&
      !found.some((hit) => hit !== row && (hit.contains(row) || row.contains(hit)))
    )
  }
  const selector = all.find(isThem) ?? `${selectorOf(parent, page)} > ${names[0]}`
  return { selector, row, count: page.querySelectorAll(selector).length }
}

/** Which of a page's rows an element is in. */
export function rowAround(element: Element, rows: string): Element | undefined {
  return tried(() => element.closest(rows)) ?? undefined
}

/** What a selector finds; undefined where it is none. */
export const found = (place: Place, selector: string): Element[] | undefined =>
  tried(() => [...place.querySelectorAll(selector)])

function tried<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** What is worth taking of an element, the likeliest first. */
export function takable(element: Element): string[] {
  const all = ["src", "href", "datetime", "content", "value", "alt", "title"]
  const there = all.filter((name) => element.hasAttribute(name))
  const isPicture = ["img", "source", "video", "meta", "input"].includes(element.localName)
  return isPicture ? [...there, "text"] : ["text", ...there]
}

const silent = "script, style, template, noscript"

/** What a field takes of an element, as the service does it. */
export function takenOf(element: Element, taken: string, base: string): string {
  if (taken === "text") return textOf(element)
  const written = element.getAttribute(taken) ?? ""
  const isAddress = taken === "href" || taken === "src"
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

/** What the head of a table says of a cell's column. */
function headOf(cell: Element): string | undefined {
  if (cell.localName !== "td") return undefined
  const column = [...(cell.parentElement?.children ?? [])].indexOf(cell)
  const head = cell.closest("table")?.querySelector("tr")?.children[column]
  const words =
    head?.localName === "th"
      ? textOf(head)
          .match(/[a-z]\w*/gi)
          ?.slice(0, 4)
      : undefined
  return words?.join("-").toLowerCase()
}

/** As the service takes them. */
export const isName = (name: string) => /^[A-Za-z_][\w-]*$/.test(name)

/** A name for a field, which none has yet. */
export function nameFor(element: Element, taken: string, used: string[]): string {
  const own = [element.getAttribute("itemprop") ?? "", ...classesOf(element)].find((word) =>
    /^[a-z][\w-]*$/i.test(word),
  )
  const last = own?.split(/__|--/).at(-1) ?? headOf(element)
  const word =
    taken === "href"
      ? "link"
      : (last ?? (taken === "src" ? "picture" : (tagWords[element.localName] ?? "value")))
  const plain = word.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase())
  let name = plain
  for (let count = 2; used.includes(name); count++) name = plain + count
  return name
}
