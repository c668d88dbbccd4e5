/** An element of a document as mammoth reads it. */
interface DocumentElement {
  type: string
  children?: DocumentElement[]
  styleName?: string | null
  /** The level of a list; mammoth uses one object for all items of the level. */
  numbering?: Level | null
  value?: string
}

interface Level {
  isOrdered: boolean
  level: string
}

/** Private-use characters around the number of an item, until its list is written. */
const [before, after] = ["\uf8f4", "\uf8f5"]
const numberOfFirst = new RegExp(`<ol>(<li>)${before}(\\d{1,7})${after}`, "g")
const numbers = new RegExp(`${before}\\d{1,7}${after}`, "g")

/**
 * Returns a document whose lists begin at level 0 and skip no level, because mammoth writes an empty item
 * for each level that has none. Ordered items have their number in their text until `withStarts`.
 */
export const withNumberedLists = (document: DocumentElement): DocumentElement =>
  new ListNumbers().read(document)

/** Returns the HTML of such a document, with the first number of lists that continue others. */
export const withStarts = (html: string): string =>
  html.replace(numberOfFirst, '<ol start="$2">$1').replace(numbers, "")

const maxLevels = 9
const levelOf = ({ level }: Level) =>
  Math.min(Math.max(0, Number.parseInt(level, 10) || 0), maxLevels - 1)

class ListNumbers {
  /** Numbers of the last items, by level. */
  private readonly counts = Array.from({ length: maxLevels }, () => new Map<Level, number>())

  read(element: DocumentElement): DocumentElement {
    if (!element.children) return element
    let levels: number[] = []
    const children = element.children.map((child) => {
      const { numbering } = child
      const number = numbering ? this.next(numbering) : 0
      // A numbered heading is not an item, so the list after it begins again.
      if (!numbering || /^(?:heading \d|title)$/i.test(child.styleName ?? "")) {
        levels = []
        return this.read(child)
      }
      const level = levelOf(numbering)
      levels = [...levels.filter((other) => other < level), level]
      const item = { ...child, numbering: { ...numbering, level: String(levels.length - 1) } }
      if (!numbering.isOrdered || number === 1) return item
      const text = { type: "text", value: `${before}${number}${after}` }
      return { ...item, children: [text, ...(child.children ?? [])] }
    })
    return { ...element, children }
  }

  /** Returns the number of the next item; an item restarts the levels below its own. */
  private next(numbering: Level): number {
    const level = levelOf(numbering)
    for (const below of this.counts.slice(level + 1)) below.clear()
    const counts = this.counts[level]!
    const number = (counts.get(numbering) ?? 0) + 1
    counts.set(numbering, number)
    return number
  }
}

/** Maximum number of restarted lists, and of characters of their definitions together. */
const maxCopies = 500
const maxCopiedChars = 10_000_000
const tag =
  /<(\/?)(?:\w{1,20}:)?(abstractNum|num|abstractNumId|startOverride)(?=[\s/>])[^<>]{0,2000}>/g
const idOf = (text: string) => /\b(?:abstractNumId|val)="([^"<>]{1,40})"/.exec(text)?.[1] ?? ""

/** Returns the numbering part of a document with a definition of its own for each restarted list. */
export function withRestartedLists(xml: string): string {
  const definitions = new Map<string, string>()
  let start = 0
  let reference = { at: 0, text: "" }
  let isRestarted = false
  const edits: { at: number; text: string; id: string }[] = []
  for (const { 0: text, 1: slash, 2: name, index: at } of xml.matchAll(tag)) {
    const isEnd = slash === "/"
    if (name === "abstractNum" && !isEnd) start = at
    else if (name === "abstractNum") {
      const definition = xml.slice(start, at + text.length)
      definitions.set(idOf(definition), definition)
    } else if (name === "abstractNumId") reference = { at, text }
    else if (name === "startOverride") isRestarted = true
    else if (isEnd) {
      if (isRestarted && edits.length < maxCopies)
        edits.push({ ...reference, id: idOf(reference.text) })
      isRestarted = false
    }
  }
  let from = 0
  const pieces: string[] = []
  const copies: string[] = []
  let copied = 0
  for (const { at, text, id } of edits) {
    const definition = definitions.get(id)
    if (definition === undefined || at < from) continue
    copied += definition.length
    if (copied > maxCopiedChars) break
    const own = `${id}-${copies.length + 1}`
    copies.push(
      definition
        .replace(/abstractNumId="[^"<>]*"/, `abstractNumId="${own}"`)
        .replace(/<(?:\w{1,20}:)?pStyle\b[^<>]*>/g, ""),
    )
    pieces.push(xml.slice(from, at), text.replace(/\bval="[^"<>]*"/, `val="${own}"`))
    from = at + text.length
  }
  const rest = xml.slice(from)
  const end = rest.lastIndexOf("</")
  return pieces.join("") + rest.slice(0, end) + copies.join("") + rest.slice(end)
}
