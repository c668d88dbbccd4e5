/** Fills a caller's JSON Schema from a page's structured data, labels and lists. */
import { Page } from "./page.ts"
import type { Evidence } from "./read.ts"
import { Reader } from "./reader.ts"
import type { Field } from "./schema.ts"

export { fitted, issueOf, missingIn } from "./check.ts"
export { type Field, readSchema } from "./schema.ts"
export { SchemaError } from "./schema-words.ts"
export { unsupportedIn } from "./support.ts"

export interface Typed {
  data: Record<string, unknown>
  /** Paths of missing values: `price`, `reviews[].author`, `reviews[3].date`. */
  missing: string[]
  evidence: Record<string, Evidence>
}

const maxMissing = 500

/**
 * Returns the values of a schema's fields on a page, with the source of each.
 *
 * @throws FieldError that names a selector that takes too long
 *
 * @example
 * ```ts
 * const schema = readSchema({ type: "object", properties: { price: { type: "number" } } })
 * readTyped(parseDocument("<h1>Lamp</h1><b>Price:</b> 12.50 EUR"), "https://a.example/", schema).data // { price: 12.5 }
 * ```
 */
export function readTyped(document: Document, url: string, schema: Field): Typed {
  const reader = new Reader(new Page(document, url))
  reader.wrapping(schema)
  const { value, missing, evidence } = reader.root(schema)
  if (value === undefined) return emptyOf(schema)
  return {
    data: value as Record<string, unknown>,
    missing: missing.slice(0, maxMissing),
    evidence: Object.fromEntries(evidence),
  }
}

function emptyOf({ properties }: Field): Typed {
  const nulls = properties.flatMap(([name, { nullable }]) => (nullable ? [[name, null]] : []))
  return {
    data: Object.fromEntries(nulls),
    missing: properties.map(([name]) => name),
    evidence: {},
  }
}
