import { baseUrl, parseDocument } from "../../../extract/core/index.ts"
import {
  checkSelectors,
  FieldError,
  parseFields,
  readFields,
  readRowFields,
} from "../../../extract/page/index.ts"

/** A page's HTML, and the elements that a user picked in it. */
export interface PickedSource {
  html: string
  url: string
  fields: readonly { name: string; take: string }[]
  /** Selector of the rows; "" for the whole page. */
  rows: string
}

/** The value of a field on the page, as a run would return it. */
interface PickedField {
  count: number
  /** The first values. */
  values: string[]
}

export interface Picked {
  fields: Record<string, PickedField>
  /** The error of a field, as a sentence. */
  issue?: string
}

const maxValues = 3
const maxValue = 300

/** Returns the values of the fields, read like the web scraper. */
export function readPicked({ html, url, fields, rows }: PickedSource): Picked {
  const document = parseDocument(html)
  try {
    const values = rows ? ofRows(document, url, fields, rows) : ofPage(document, url, fields)
    return { fields: Object.fromEntries(values) }
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    return { fields: {}, issue: error.message }
  }
}

type Fields = PickedSource["fields"]
type NamedFields = [name: string, field: PickedField][]

function ofPage(document: Document, url: string, fields: Fields): NamedFields {
  const lists = definitions(fields, "[]")
  const { data } = readFields(lists, document, baseUrl(document, url))
  return fields.map(({ name }) => [name, summary([data[name]!].flat())])
}

function ofRows(document: Document, url: string, fields: Fields, rows: string): NamedFields {
  definitions([{ name: "rows", take: rows }], "")
  const read = readRowFields(rows, definitions(fields, ""), document, baseUrl(document, url))
  return fields.map(({ name }) => [
    name,
    summary(read.flatMap<unknown>(({ data }) => data[name] ?? [])),
  ])
}

/** @throws FieldError */
function definitions(fields: Fields, mark: "" | "[]") {
  const read = parseFields(fields.map(({ name, take }) => `${mark}${name}: ${take}`))
  checkSelectors(read, parseDocument(""))
  return read
}

const summary = (values: readonly unknown[]): PickedField => ({
  count: values.length,
  values: values.slice(0, maxValues).map((value) => String(value).slice(0, maxValue)),
})
