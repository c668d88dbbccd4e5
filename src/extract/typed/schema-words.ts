import { wordSet } from "../core/index.ts"

/** A schema that is not supported, with the path and the reason. */
export class SchemaError extends Error {
  constructor(
    readonly place: string,
    reason: string,
  ) {
    super(`${place}: ${reason}`)
  }
}

export const limits = {
  depth: 10,
  fields: 200,
  choices: 200,
  alternatives: 10,
  nameChars: 100,
  labelChars: 100,
  selectorChars: 10_000,
}

export const keywords = wordSet(`
  type properties items required enum const format title description nullable anyOf oneOf allOf
  $ref $defs definitions minimum maximum minLength maxLength minItems maxItems x-selector x-jsonld
  x-labels
`)

/** Keywords of schema generators that change nothing here. */
export const silentKeywords = wordSet(`
  $schema $id $comment $anchor default example examples deprecated readOnly writeOnly
  additionalProperties unevaluatedProperties pattern uniqueItems multipleOf exclusiveMinimum
  exclusiveMaximum contentEncoding contentMediaType propertyOrdering
`)

/** Formats that a value is brought into, or judged by; any other changes nothing. */
export function readFormat(written: Record<string, unknown>, place: string): string | null {
  const { format } = written
  if (format === undefined || format === null) return null
  if (typeof format !== "string") throw new SchemaError(`${place}.format`, "it must be a text.")
  return format === "url" || format === "uri-reference" || format === "iri" ? "uri" : format
}
