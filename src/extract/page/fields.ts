import {
  absoluteUrl,
  checkSelector,
  dateIn,
  Finder,
  foldSpace,
  isBlock,
  parseDocument,
  SelectorError,
} from "../core/index.ts"
import { type Locale, numberIn, placeOfPage } from "../price/index.ts"

/** One field of a page, as `name: selector @attribute` defines it. */
export interface FieldDefinition {
  name: string
  /** `[]name`: all matches instead of the first. */
  isList: boolean
  /** "" is the root element. */
  selector: string
  /** An attribute, or one of the pseudo attributes. */
  attribute: string
  /** The type of its value. */
  type: FieldType
  /** `name: selector { … }`: an object for each match, of fields that are looked for within it. */
  columns?: FieldDefinition[]
}

type FieldType = "text" | "number" | "date"

/** A line that is not a field definition; the message quotes it. */
export class FieldError extends Error {}

const maxFields = 200
/** Maximum length of all definitions: selectors are compiled on the thread of the API. */
const maxCharacters = 10_000
const nameForm = /^(\[\])?((?!__proto__$)[A-Za-z_][\w-]*)$/
const pseudoAttributes = new Set(["text", "html", "outerhtml", "owntext", "count"])

/**
 * Parses field definitions, one a line. Blank lines and those that start with `#` are ignored.
 *
 * @throws FieldError that names the line and the fix
 *
 * @example
 * ```ts
 * parseFields(["title: h1", "[]links: a @href"]).map(({ name, isList }) => [name, isList]) // [["title", false], ["links", true]]
 * ```
 */
export function parseFields(lines: readonly string[]): FieldDefinition[] {
  if (lines.reduce((total, line) => total + line.length, 0) > maxCharacters) {
    throw new FieldError(`At most ${maxCharacters} characters are allowed in all.`)
  }
  const fields: FieldDefinition[] = []
  const known = new Set<string>()
  for (const [index, line] of lines.flatMap((entry) => entry.split(/\r?\n/)).entries()) {
    const text = line.trim()
    if (text === "" || text.startsWith("#")) continue
    const fail = (reason: string) => new FieldError(`Line ${index + 1} ("${text}"): ${reason}`)
    const field = parseField(text, fail)
    if (known.has(field.name))
      throw fail(`the name "${field.name}" is already used; choose another.`)
    known.add(field.name)
    fields.push(field)
  }
  if (fields.length === 0) throw new FieldError('Write at least one field as "name: selector".')
  if (fields.length > maxFields) throw new FieldError(`At most ${maxFields} fields are allowed.`)
  return fields
}

function parseField(text: string, fail: (reason: string) => FieldError): FieldDefinition {
  const colon = text.indexOf(":")
  if (colon < 0) throw fail('write it as "name: selector".')
  const name = nameForm.exec(text.slice(0, colon).trim())
  if (!name) {
    throw fail(
      "start the name with a letter, and use letters, digits, _ and - only; put [] before it for lists.",
    )
  }
  const definition = text.slice(colon + 1).trim()
  const rows = rowForm.exec(definition)
  if (rows) return rowField(name[2]!, rows[1]!.trim(), rows[2]!, fail)
  const typed = splitAttribute(definition)
  const type = fieldTypes[typed.attribute?.toLowerCase() ?? ""]
  const { selector, attribute } = type ? splitAttribute(typed.selector) : typed
  if (/^xpath:|^\.?\/\/|\/@[\w:-]+$/i.test(definition)) {
    throw fail('XPath is not supported; write an attribute as "a @href".')
  }
  if (selector === "" && attribute === null && !type)
    throw fail('add a selector after the colon, for example "title: h1".')
  const field = { name: name[2]!, isList: name[1] !== undefined, selector }
  return { ...field, attribute: attribute?.toLowerCase() ?? "text", type: type ?? "text" }
}

const fieldTypes: Record<string, FieldType | undefined> = { number: "number", date: "date" }
/** `selector { name: selector, name: selector }` */
const rowForm = /^([^{}]*)\{([^{}]*)\}$/s

function rowField(
  name: string,
  selector: string,
  inner: string,
  fail: (reason: string) => FieldError,
): FieldDefinition {
  if (selector === "")
    throw fail('add the selector of a row, for example "rows: .card { name: h3 }".')
  const columns = partsOf(inner).map((part) => parseField(part, fail))
  if (columns.length === 0)
    throw fail('name the fields of a row, for example "{ name: h3, price: .cost }".')
  const known = new Set<string>()
  for (const column of columns) {
    if (column.columns) throw fail("rows within rows are not supported.")
    if (known.has(column.name))
      throw fail(`the name "${column.name}" is already used; choose another.`)
    known.add(column.name)
  }
  return { name, isList: true, selector, attribute: "text", type: "text", columns }
}

/** The start of a field after a comma: a name and a colon, but not a selector with a pseudo-class. */
const fieldStart =
  /^\s*(?:\[\])?[A-Za-z_][\w-]*\s*:(?!:|(?:not|is|where|has|first|last|nth|only|empty|root|contains|checked|disabled|enabled|link|any-link|lang|scope)\b)/

/** Splits fields at the commas and semicolons that begin another. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    const isEnd = at === text.length
    const isBreak =
      text[at] === ";" || (text[at] === "," && fieldStart.test(text.slice(at + 1, at + 200)))
    if (!isEnd && !isBreak) continue
    parts.push(text.slice(from, at).trim())
    from = at + 1
  }
  return parts.filter((part) => part !== "")
}

export type SelectorForm = Pick<FieldDefinition, "selector" | "attribute">

/** `selector @attribute` of one value, outside a list of fields. @throws FieldError */
export function readSelector(text: string): SelectorForm {
  const field = parseField(`value: ${text}`, (reason) => new FieldError(reason))
  try {
    if (field.selector !== "") checkSelector(field.selector, parseDocument(""))
  } catch (error) {
    if (error instanceof SelectorError) throw new FieldError(error.message)
    throw error
  }
  return field
}

/** Returns the value that a field's definition selects in an element. */
export function attributeOf(element: Element, form: SelectorForm, base: string): string | null {
  return elementValue(element, form, base)
}

/** Splits off the last `@word` or `::attr(word)` outside of brackets and quotes. */
function splitAttribute(text: string): { selector: string; attribute: string | null } {
  const scrapy = /^(.*?)\s*::\s*(?:attr\(\s*([\w:.-]+)\s*\)|(text))$/s.exec(text)
  if (scrapy) return { selector: scrapy[1]!, attribute: scrapy[2] ?? "text" }
  const at = lastPlainAt(text)
  const word = at < 0 ? "" : text.slice(at + 1).trim()
  if (!/^[\w:.-]+$/.test(word)) return { selector: text, attribute: null }
  return { selector: text.slice(0, at).trim(), attribute: word }
}

function lastPlainAt(text: string): number {
  let quote = ""
  let depth = 0
  let position = -1
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    if (quote !== "") {
      if (char === "\\") index++
      else if (char === quote) quote = ""
    } else if (char === '"' || char === "'") quote = char
    else if (char === "[" || char === "(") depth++
    else if (char === "]" || char === ")") depth--
    else if (char === "@" && depth === 0) position = index
  }
  return position
}

/**
 * Tries each selector on an empty page. @throws FieldError naming an invalid selector's field.
 */
export function checkSelectors(fields: readonly FieldDefinition[], emptyPage: Document): void {
  for (const { name, selector, columns } of fields) {
    naming(name, () => {
      if (selector !== "") checkSelector(selector, emptyPage)
    })
    if (columns) checkSelectors(columns, emptyPage)
  }
}

function naming<R>(field: string, read: () => R): R {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    throw new FieldError(`Field "${field}": ${error.message}`)
  }
}

type CellValue = string | number | null | (string | number)[]
type FieldValue = CellValue | Record<string, CellValue>[]

export interface FieldData {
  data: Record<string, FieldValue>
  /** Names of single fields that nothing matched; of a row's, `rows[2].price`. */
  missing: string[]
  /** Doubts about the values. */
  warnings: string[]
}

/**
 * The fields of a page; URLs in attributes are made absolute against `base`.
 * @throws FieldError naming the field whose selector takes too long, or gives too much.
 */
export function readFields(
  fields: readonly FieldDefinition[],
  document: Document,
  base: string,
): FieldData {
  return dataOf(fields, document, pageOf(document, base))
}

/**
 * The fields of each row that a selector finds; their own selectors count within it. @throws FieldError
 * as `readFields`
 */
export function readRowFields(
  rows: string,
  fields: readonly FieldDefinition[],
  document: Document,
  base: string,
): FieldData[] {
  const page = pageOf(document, base)
  const rowElements = naming("rows", () => page.finder.find(document, rows, maxRows))
  return rowElements.map((row) => dataOf(fields, row, page))
}

const maxRows = 10_000

interface PageOfFields {
  base: string
  finder: Finder
  locale: Locale
}

const pageOf = (document: Document, base: string): PageOfFields => ({
  base,
  finder: new Finder(),
  locale: placeOfPage(document, base),
})

function dataOf(
  fields: readonly FieldDefinition[],
  root: Document | Element,
  page: PageOfFields,
): FieldData {
  const data: Record<string, FieldValue> = {}
  const missing: string[] = []
  for (const field of fields) {
    const { name, columns } = field
    data[name] = naming(name, () =>
      columns ? readRows(field, columns, { root, page, missing }) : readField(field, root, page),
    )
    if (data[name] === null) missing.push(name)
  }
  return { data, missing: missing.slice(0, maxMissing), warnings: shiftedLists(fields, data) }
}

const maxMissing = 500

interface RowsOf {
  root: Document | Element
  page: PageOfFields
  missing: string[]
}

function readRows(
  { name, selector }: FieldDefinition,
  columns: readonly FieldDefinition[],
  { root, page, missing }: RowsOf,
): Record<string, CellValue>[] {
  return page.finder.find(root, selector, maxRows).map((row, index) => {
    const cells: Record<string, CellValue> = {}
    for (const column of columns) {
      cells[column.name] = readField(column, row, page)
      if (cells[column.name] === null && missing.length < maxMissing) {
        missing.push(`${name}[${index}].${column.name}`)
      }
    }
    return cells
  })
}

/** Lists of different lengths: who puts them together as columns gets rows that are shifted. */
function shiftedLists(
  fields: readonly FieldDefinition[],
  data: Record<string, FieldValue>,
): string[] {
  const lists = fields.filter(({ isList, columns }) => isList && !columns)
  const lengths = lists.map(({ name }) => ({ name, length: (data[name] as string[]).length }))
  const filled = lengths.filter(({ length }) => length > 1)
  const shortest = Math.min(...filled.map(({ length }) => length))
  const longest = Math.max(...filled.map(({ length }) => length))
  if (filled.length < 2 || shortest === longest) return []
  const counts = filled.map(({ name, length }) => `${name} ${length}`).join(", ")
  const inner = filled.map(({ name }) => `${name}: …`).join(", ")
  return [
    `The lists differ in length (${counts}): do not read them as the columns of one table. Take rows instead: "rows: <selector of a row> { ${inner} }".`,
  ]
}

function readField(
  field: FieldDefinition,
  root: Document | Element,
  { base, finder, locale }: PageOfFields,
): CellValue {
  const elements = matches(field, root, finder)
  if (field.attribute === "count") return String(elements.length)
  const read = (element: Element) => {
    const value = elementValue(element, field, base)
    const read =
      value === null ? null : typed(finder.read(value, field.selector), field.type, locale)
    return read ?? declaredTime(element, field)
  }
  if (field.isList) return elements.map(read).filter((value) => value !== null)
  const first = elements[0]
  return first ? read(first) : null
}

/** The text of a `time` element may be "yesterday": its attribute has the date. */
function declaredTime(element: Element, { type, attribute }: FieldDefinition): string | null {
  if (type !== "date" || attribute !== "text") return null
  return dateIn(element.getAttribute("datetime") ?? "")
}

const maxTyped = 500

function typed(text: string, type: FieldType, locale: Locale): string | number | null {
  if (type === "text") return text
  const short = foldSpace(text)
  if (short.length > maxTyped) return null
  return type === "number" ? numberIn(short, locale) : dateIn(short)
}

function matches(
  { selector, isList, attribute }: FieldDefinition,
  root: Document | Element,
  finder: Finder,
): Element[] {
  if (selector === "") return ["documentElement" in root ? root.documentElement : root]
  return finder.find(root, selector, isList || attribute === "count" ? undefined : 1)
}

const addressAttributes = new Set([
  "href",
  "src",
  "action",
  "poster",
  "data-src",
  "srcset",
  "cite",
  "formaction",
])

function elementValue(element: Element, { attribute }: SelectorForm, base: string): string | null {
  if (pseudoAttributes.has(attribute)) return pseudoValue(element, attribute)
  const written = element.getAttribute(attribute)
  if (written === null || !addressAttributes.has(attribute)) return written
  if (attribute === "srcset") return absoluteSet(written, base)
  return absoluteUrl(written, base) ?? written.trim()
}

function pseudoValue(element: Element, attribute: string): string {
  switch (attribute) {
    case "html":
      return element.innerHTML
    case "outerhtml":
      return element.outerHTML
    case "owntext": {
      const own = [...element.childNodes].filter((node) => node.nodeType === 3)
      return foldSpace(own.map((node) => node.nodeValue ?? "").join(" "))
    }
    default:
      return elementText(element)
  }
}

const silent = new Set(["script", "style", "template"])

/** All text of an element on one line, hidden parts included; blocks and breaks set it apart. */
function elementText(element: Element): string {
  const pieces: string[] = []
  collectText(element, pieces)
  return foldSpace(pieces.join(""))
}

function collectText(parent: Node, pieces: string[]): void {
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3) pieces.push(child.nodeValue ?? "")
    if (child.nodeType !== 1) continue
    const element = child as Element
    if (silent.has(element.localName)) continue
    const apart = element.localName === "br" || isBlock(element)
    if (apart) pieces.push(" ")
    collectText(element, pieces)
    if (apart) pieces.push(" ")
  }
}

function absoluteSet(set: string, base: string): string {
  return set
    .split(/,\s+/)
    .map((entry) => {
      const [url, ...size] = entry.trim().split(/\s+/)
      return [absoluteUrl(url, base) ?? url, ...size].join(" ")
    })
    .join(", ")
}
