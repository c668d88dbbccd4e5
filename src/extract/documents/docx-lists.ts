import { decodeEntities } from "../core/index.ts"
import { type NumberFormat, numberIn } from "./list-labels.ts"

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
  /** The level's paragraph style, or its number format as `withNumberFormats` writes it. */
  paragraphStyleId?: string | null
}

/** Private-use characters around the number of an item, until its list is written. */
const [before, after] = ["\uf8f4", "\uf8f5"]
const listParts = new RegExp(`<(/?)(?:ol|ul)>|<li>${before}(\\d{1,7})${after}`, "g")
const numbers = new RegExp(`${before}\\d{1,7}${after}`, "g")

/** The number format of a level. */
interface LevelFormat {
  start: number
  format: NumberFormat | undefined
  text: string
}

/**
 * Returns a document whose lists begin at level 0 and skip no level, because mammoth writes an empty item
 * for each level that has none. Ordered items have their number in their text until `withStarts`.
 */
export const withNumberedLists = (
  document: DocumentElement,
  formatsByStyle: ReadonlyMap<string, LevelFormat>,
): DocumentElement => new ListNumbers(formatsByStyle).read(document)

/**
 * Returns the HTML of such a document. A list ends at an item whose number does not follow the one
 * before, and lists have their first numbers.
 */
export function withStarts(html: string): string {
  const open: { next: number }[] = []
  return html
    .replace(listParts, (part, slash: string | undefined, written: string | undefined) => {
      if (written === undefined) {
        if (slash === "/") open.pop()
        else open.push({ next: 1 })
        return part
      }
      const number = Number(written)
      const list = open.at(-1)
      if (!list) return part
      const isNext = number === list.next
      list.next = number + 1
      return isNext ? part : `</ol><ol start="${number}">${part}`
    })
    .replaceAll("<ol></ol>", "")
    .replaceAll('<ol start="1">', "<ol>")
    .replace(numbers, "")
}

const maxLevels = 9
const levelOf = ({ level }: Level) =>
  Math.min(Math.max(0, Number.parseInt(level, 10) || 0), maxLevels - 1)

class ListNumbers {
  /** Numbers of the last items, by level. */
  private readonly counts = Array.from({ length: maxLevels }, () => new Map<Level, number>())

  constructor(private readonly formatsByStyle: ReadonlyMap<string, LevelFormat>) {}

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
      const label = numbering.isOrdered ? labelOf(this.formatOf(numbering), number) : null
      const isOrdered = numbering.isOrdered && label === null
      const own = { ...numbering, isOrdered, level: String(levels.length - 1) }
      const text = label ?? (isOrdered ? `${before}${number}${after}` : "")
      const texts = text === "" ? [] : [{ type: "text", value: text }]
      return { ...child, numbering: own, children: [...texts, ...(child.children ?? [])] }
    })
    return { ...element, children }
  }

  /** Returns the number of the next item; an item restarts the levels below its own. */
  private next(numbering: Level): number {
    const level = levelOf(numbering)
    for (const below of this.counts.slice(level + 1)) below.clear()
    const counts = this.counts[level]!
    const number = (counts.get(numbering) ?? (this.formatOf(numbering)?.start ?? 1) - 1) + 1
    counts.set(numbering, number)
    return number
  }

  private formatOf({ paragraphStyleId }: Level): LevelFormat | undefined {
    const style = paragraphStyleId ?? ""
    return style.startsWith(formatMark) ? formatIn(style) : this.formatsByStyle.get(style)
  }
}

/** A private-use character before a number format in the attribute of a paragraph style. */
const formatMark = "\uf8f3"
const formats: Record<string, NumberFormat> = {
  lowerLetter: "a",
  upperLetter: "A",
  lowerRoman: "i",
  upperRoman: "I",
}

function formatIn(written: string): LevelFormat {
  const [start, name = "", text = ""] = written.slice(1).split(formatMark)
  return { start: Number(start), format: formats[name], text: decodeEntities(text) }
}

/** Returns the text before an item whose list has letters or Roman numbers; null for other lists. */
function labelOf(levelFormat: LevelFormat | undefined, number: number): string | null {
  const { format, text = "" } = levelFormat ?? {}
  if (!format) return null
  const written = numberIn(format, number)
  const isOwn = text.split("%").length === 2
  return `${isOwn ? text.replace(/%\d/, written) : `${written}.`} `
}

const levelDefinition =
  /(<((?:\w{1,20}:)?)lvl\s[^<>]{0,1000}>)((?:(?!<\/?(?:\w{1,20}:)?lvl[\s>])[\s\S]){0,20000}?)<\/\2lvl>/g

function valueIn(level: string, name: string): string | undefined {
  const value = new RegExp(`<(?:\\w{1,20}:)?${name}\\s[^<>]{0,1000}?\\bval="([^"<>]{0,200})"`)
  return value.exec(level)?.[1]
}

/** Returns the number format of a level, or null if its items are 1, 2, 3. */
function writtenFormat(level: string): string | null {
  const first = Number.parseInt(valueIn(level, "start") ?? "1", 10)
  const format = valueIn(level, "numFmt") ?? ""
  const isPlain = first === 1 && !Object.hasOwn(formats, format)
  if (isPlain || !(first >= 0)) return null
  return formatMark + [first, format, valueIn(level, "lvlText") ?? ""].join(formatMark)
}

/**
 * Returns the numbering part of a document with the start and the format of each level in the attribute
 * of its paragraph style, because mammoth keeps only this attribute. Levels of styles stay as they are.
 */
export const withNumberFormats = (xml: string): string =>
  xml.replace(levelDefinition, (whole, start: string, prefix: string, content: string) => {
    const written = writtenFormat(content)
    if (written === null || valueIn(content, "pStyle") !== undefined) return whole
    return `${start}<${prefix}pStyle ${prefix}val="${written}"/>${content}</${prefix}lvl>`
  })

/** Returns the number formats of the levels that belong to paragraph styles, by the IDs of the styles. */
export function formatsOfStyles(xml: string): Map<string, LevelFormat> {
  const byStyle = new Map<string, LevelFormat>()
  for (const [, , , content = ""] of xml.matchAll(levelDefinition)) {
    const style = valueIn(content, "pStyle")
    const written = style === undefined ? null : writtenFormat(content)
    if (written !== null) byStyle.set(decodeEntities(style!), formatIn(written))
  }
  return byStyle
}

/** Maximum number of restarted lists, and of characters of their definitions together. */
const maxCopies = 500
const maxCopiedChars = 10_000_000
const tag =
  /<(\/?)(?:\w{1,20}:)?(abstractNum|num|abstractNumId|lvlOverride|startOverride)(?=[\s/>])[^<>]{0,2000}>/g
const idOf = (text: string) => /\b(?:abstractNumId|val)="([^"<>]{1,40})"/.exec(text)?.[1] ?? ""

/** Returns the numbering part of a document with a definition of its own for each restarted list. */
export function withRestartedLists(xml: string): string {
  const definitions = new Map<string, string>()
  let start = 0
  let reference = { at: 0, text: "" }
  let level = ""
  /** First numbers of the restarted levels. */
  let starts = new Map<string, string>()
  const edits: { at: number; text: string; id: string; starts: Map<string, string> }[] = []
  for (const { 0: text, 1: slash, 2: name, index: at } of xml.matchAll(tag)) {
    const isEnd = slash === "/"
    if (name === "abstractNum" && !isEnd) start = at
    else if (name === "abstractNum") {
      const definition = xml.slice(start, at + text.length)
      definitions.set(idOf(definition), definition)
    } else if (name === "abstractNumId") reference = { at, text }
    else if (name === "lvlOverride") level = /\bilvl="(\d{1,2})"/.exec(text)?.[1] ?? level
    else if (name === "startOverride") starts.set(level, idOf(text))
    else if (isEnd) {
      if (starts.size > 0 && edits.length < maxCopies)
        edits.push({ ...reference, id: idOf(reference.text), starts })
      starts = new Map()
    }
  }
  let from = 0
  const pieces: string[] = []
  const copies: string[] = []
  let copied = 0
  for (const { at, text, id, starts: own } of edits) {
    const definition = definitions.get(id)
    if (definition === undefined || at < from) continue
    copied += definition.length
    if (copied > maxCopiedChars) break
    const copy = `${id}-${copies.length + 1}`
    copies.push(
      definition
        .replace(/abstractNumId="[^"<>]*"/, `abstractNumId="${copy}"`)
        .replace(/<(?:\w{1,20}:)?pStyle\b[^<>]*>/g, "")
        .replace(levelDefinition, (whole, start: string) => withStart(whole, start, own)),
    )
    pieces.push(xml.slice(from, at), text.replace(/\bval="[^"<>]*"/, `val="${copy}"`))
    from = at + text.length
  }
  const rest = xml.slice(from)
  const end = rest.lastIndexOf("</")
  return pieces.join("") + rest.slice(0, end) + copies.join("") + rest.slice(end)
}

/** Returns the definition of a level with the first number that its list overrides. */
function withStart(definition: string, tag: string, starts: Map<string, string>): string {
  const number = starts.get(/\bilvl="(\d{1,2})"/.exec(tag)?.[1] ?? "")
  if (number === undefined || !/^\d{1,7}$/.test(number)) return definition
  return definition.replace(/(<(?:\w{1,20}:)?start\s[^<>]{0,200}?\bval=)"[^"<>]*"/, `$1"${number}"`)
}
