import { nearest } from "../../base/nearest.ts"
import { FieldError, readSelector, type SelectorForm } from "../page/index.ts"
import { keywords, limits, readFormat, SchemaError, silentKeywords } from "./schema-words.ts"

export type Kind = "object" | "array" | "string" | "number" | "integer" | "boolean" | "any"

/** One place of a caller's JSON Schema, as far as it is read here. */
export interface Field {
  kind: Kind
  nullable: boolean
  /** For an object. */
  properties: [name: string, field: Field][]
  required: readonly string[]
  /** For an array. */
  items: Field | null
  /** From `enum` and `const`. */
  choices: readonly unknown[] | null
  format: string | null
  minimum: number | null
  maximum: number | null
  /** The alternatives of `anyOf`, tried in this order. */
  others: readonly Field[]
  title: string | null
  selector: SelectorForm | null
  jsonLd: readonly string[] | null
  labels: readonly string[]
}

type Json = Record<string, unknown>

/**
 * A caller's schema, checked and bounded: it is read on the thread that answers, and each page takes
 * time by its size. @throws SchemaFault naming the place
 */
export function readSchema(written: unknown): Field {
  const reader = new SchemaReader(written)
  const root = reader.read(written, "schema", 0)
  if (root.kind !== "object" || root.properties.length === 0) {
    throw new SchemaError(
      "schema",
      'it must be of type "object" with properties; put a list under one of them.',
    )
  }
  return root
}

class SchemaReader {
  private fields = 0
  private selectorChars = 0
  private readonly definitions: Json

  constructor(root: unknown) {
    const { $defs, definitions } = isObject(root) ? root : {}
    this.definitions = {
      ...(isObject(definitions) ? definitions : {}),
      ...(isObject($defs) ? $defs : {}),
    }
  }

  read(written: unknown, place: string, depth: number): Field {
    if (!isObject(written)) throw new SchemaError(place, "it must be a JSON object.")
    if (depth > limits.depth) {
      throw new SchemaError(place, `it nests deeper than ${limits.depth} levels.`)
    }
    if (++this.fields > limits.fields) {
      throw new SchemaError(place, `a schema has at most ${limits.fields} fields.`)
    }
    refuseUnknown(written, place)
    const { $ref, anyOf, oneOf, allOf, ...own } = written
    if ($ref !== undefined)
      return this.read({ ...this.named($ref, place), ...own }, place, depth + 1)
    if (allOf !== undefined) {
      const [only] = listOf(allOf, `${place}.allOf`, 1)
      return this.read({ ...(isObject(only) ? only : {}), ...own }, `${place}.allOf[0]`, depth + 1)
    }
    const several = anyOf ?? oneOf
    if (several === undefined) return this.plain(written, place, depth)
    const name = anyOf === undefined ? "oneOf" : "anyOf"
    return this.oneOf(listOf(several, `${place}.${name}`, limits.alternatives), own, place, depth)
  }

  private oneOf(list: unknown[], own: Json, place: string, depth: number): Field {
    const isNull = (one: unknown) => isObject(one) && one.type === "null"
    const fields = list
      .filter((one) => !isNull(one))
      .map((one) => this.read(isObject(one) ? { ...one, ...own } : one, place, depth + 1))
    const [first, ...others] = fields
    if (!first) throw new SchemaError(place, "it may be nothing but null.")
    return { ...first, others, nullable: first.nullable || list.some(isNull) }
  }

  private named(ref: unknown, place: string): Json {
    const [, name] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(String(ref)) ?? []
    const match = name === undefined ? undefined : this.definitions[name]
    if (name !== undefined && Object.hasOwn(this.definitions, name) && isObject(match)) return match
    throw new SchemaError(`${place}.$ref`, "it must be #/$defs/<name> of this schema.")
  }

  private plain(written: Json, place: string, depth: number): Field {
    const { kinds, nullable } = kindsOf(written, place)
    const [kind, ...more] = kinds
    const field: Field = {
      kind: kind!,
      nullable,
      properties: kind === "object" ? this.properties(written, place, depth) : [],
      required: written.required === undefined ? [] : textsOf(written, "required", place),
      items: kind === "array" ? this.items(written, place, depth) : null,
      choices: choicesOf(written, place),
      format: readFormat(written, place),
      minimum: boundOf(written, ["minimum", "minLength", "minItems"], place),
      maximum: boundOf(written, ["maximum", "maxLength", "maxItems"], place),
      others: [],
      title: typeof written.title === "string" ? written.title.slice(0, limits.labelChars) : null,
      selector: this.selector(written, place),
      jsonLd: jsonLdOf(written, place),
      labels: textsOf(written, "x-labels", place),
    }
    if (kind === "object" && field.properties.length === 0) field.kind = "any"
    return { ...field, others: more.map((other) => ({ ...field, kind: other })) }
  }

  private properties(written: Json, place: string, depth: number): [string, Field][] {
    const { properties = {} } = written
    if (!isObject(properties)) {
      throw new SchemaError(`${place}.properties`, "it must be a JSON object.")
    }
    return Object.keys(properties).map((name) => {
      const inner = `${place}.properties.${name.slice(0, limits.nameChars)}`
      if (name === "" || name.length > limits.nameChars || name === "__proto__") {
        throw new SchemaError(inner, `a name has 1 to ${limits.nameChars} characters.`)
      }
      return [name, this.read(properties[name], inner, depth + 1)]
    })
  }

  /** Selectors are compiled on the thread that answers. */
  private selector(written: Json, place: string): SelectorForm | null {
    const value = written["x-selector"]
    if (value === undefined) return null
    const where = `${place}.x-selector`
    if (typeof value !== "string") throw new SchemaError(where, "it must be a text.")
    this.selectorChars += value.length
    if (this.selectorChars > limits.selectorChars) {
      throw new SchemaError(
        where,
        `selectors have at most ${limits.selectorChars} characters in all.`,
      )
    }
    try {
      return readSelector(value)
    } catch (error) {
      if (error instanceof FieldError) throw new SchemaError(where, error.message)
      throw error
    }
  }

  private items(written: Json, place: string, depth: number): Field {
    return this.read(written.items ?? { type: "string" }, `${place}.items`, depth + 1)
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function refuseUnknown(written: Json, place: string): void {
  for (const name of Object.keys(written)) {
    if (keywords.has(name) || silentKeywords.has(name)) continue
    const near = nearest(name, [...keywords])
    const hint = near ? ` Did you mean "${near}"?` : ` There are ${[...keywords].join(", ")}.`
    throw new SchemaError(`${place}.${name.slice(0, 60)}`, `this keyword is not read here.${hint}`)
  }
}

const kindNames = ["object", "array", "string", "number", "integer", "boolean"]

function kindsOf(written: Json, place: string): { kinds: Kind[]; nullable: boolean } {
  const { type, nullable } = written
  const guessed = isObject(written.properties) ? "object" : isObject(written.items) ? "array" : null
  const named = type === undefined ? [guessed ?? guessedOf(written)] : [type].flat()
  for (const name of named) {
    if (name === "any" || name === "null" || kindNames.includes(String(name))) continue
    throw new SchemaError(`${place}.type`, `it must be one of ${kindNames.join(", ")}, null.`)
  }
  const kinds = named.filter((name) => name !== "null") as Kind[]
  if (kinds.length === 0) throw new SchemaError(`${place}.type`, "it may be nothing but null.")
  return { kinds, nullable: nullable === true || named.includes("null") }
}

/** Returns the type of listed values; any type for a field without hints. */
function guessedOf(written: Json): string {
  const [first] = Array.isArray(written.enum) ? written.enum : [written.const]
  return typeof first === "string" || typeof first === "number" || typeof first === "boolean"
    ? typeof first
    : "any"
}

function choicesOf(written: Json, place: string): readonly unknown[] | null {
  if (written.const !== undefined) return [written.const]
  if (written.enum === undefined) return null
  const list = listOf(written.enum, `${place}.enum`, limits.choices)
  if (list.every((one) => one === null || typeof one !== "object")) return list
  throw new SchemaError(`${place}.enum`, "it must hold texts, numbers, true, false or null.")
}

function boundOf(written: Json, names: string[], place: string): number | null {
  for (const name of names) {
    const value = written[name]
    if (value === undefined || value === null) continue
    if (typeof value === "number" && Number.isFinite(value)) return value
    throw new SchemaError(`${place}.${name}`, "it must be a number.")
  }
  return null
}

/** `offers.price`, or `Event.location.name`, which names the type of the entity first. */
function jsonLdOf(written: Json, place: string): readonly string[] | null {
  const value = written["x-jsonld"]
  if (value === undefined) return null
  const form = /^@?[\w:-]{1,60}(?:(?:\.@?[\w:-]{1,60})|(?:\[\d{1,3}\])){0,9}$/
  if (typeof value === "string" && form.test(value)) {
    return value.replace(/\[(\d+)\]/g, ".$1").split(".")
  }
  throw new SchemaError(
    `${place}.x-jsonld`,
    'it must be a path of names, such as "offers.price" or "Product.offers[0].price".',
  )
}

function textsOf(written: Json, name: string, place: string): readonly string[] {
  const value = written[name]
  if (value === undefined) return []
  const list = listOf(value, `${place}.${name}`, limits.fields)
  const isText = (one: unknown): one is string =>
    typeof one === "string" && one.length <= limits.labelChars
  if (list.every(isText)) return list
  throw new SchemaError(
    `${place}.${name}`,
    `it must be a list of texts of at most ${limits.labelChars} characters.`,
  )
}

function listOf(value: unknown, place: string, max: number): unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= max) return value
  if (Array.isArray(value) && value.length === 0 && place.endsWith("required")) return value
  throw new SchemaError(place, `it must be a list of 1 to ${max} entries.`)
}
