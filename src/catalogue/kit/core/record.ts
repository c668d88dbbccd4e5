import {
  OptionalKind,
  type Static,
  type TArray,
  type TBoolean,
  type TObject,
  type TOptional,
  type TSchema,
  type TString,
  Type,
} from "@sinclair/typebox"
import {
  booleanOrNull,
  firstAttribute,
  firstText,
  integerOrNull,
  isoDate,
  isoFromUnix,
  numberOrNull,
  parseCount,
  textList,
  textOrNull,
  titleOrNull,
} from "../../../extract/core/index.ts"
import { JsonReader } from "../../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../../extract/markdown/index.ts"
import { Changed } from "./errors.ts"
import { itemObject, nullable } from "./fields.ts"

/** An object of an upstream's JSON. */
export type Row = Record<string, unknown>

/**
 * Source of a value: the path of a JSON key (`user.login`; `tags.*.name` for each entry of a list;
 * `a|b` uses the first that is not empty), or a function of the row: JSON, JsonReader or element.
 */
export type Source<R> = string | ((row: R) => unknown)

/** A field of an item: its schema, and the function that reads it from an upstream's row. */
export interface Field<S extends TSchema, R = unknown, V = Static<S>> {
  readonly schema: S
  /** Returns the field's value. `name` is the field's name, for the error of a missing value. */
  readonly read: (row: R, name: string) => V
}

// biome-ignore lint/suspicious/noExplicitAny: fields of any shape, over rows of any kind
type AnyField = Field<any, any, any>
/** Fields by name. A plain schema reads the row's value of the field's own name. */
type Fields = Record<string, AnyField | TSchema>
type SchemaOf<M> = M extends AnyField ? M["schema"] : M
type Schemas<F extends Fields> = { [K in keyof F]: SchemaOf<F[K]> }
type ValueOf<M> = M extends AnyField ? ReturnType<M["read"]> : M extends TSchema ? Static<M> : never
type OptionalKeys<F> = {
  [K in keyof F]: F[K] extends TOptional<TSchema> ? K : never
}[keyof F]
type Values<F extends Fields> = {
  [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]>
} & { [K in OptionalKeys<F>]?: ValueOf<F[K]> }

type NamedKeys<F> = { [K in keyof F]: F[K] extends AnyField ? never : K }[keyof F]
/** Whether a row may omit a value, which then becomes null or an empty list. */
type Absent<V> = null extends V ? true : V extends readonly unknown[] ? true : false
/** The plain schemas whose values a row may omit. */
type AbsentKeys<F extends Fields> = {
  [K in NamedKeys<F>]: Absent<ValueOf<F[K]>> extends true ? K : never
}[NamedKeys<F>]
/** The values that a row has for plain schemas. */
type Named<F extends Fields> = {
  [K in Exclude<NamedKeys<F>, AbsentKeys<F> | OptionalKeys<F>>]: ValueOf<F[K]>
} & { [K in AbsentKeys<F>]?: ValueOf<F[K]> | null | undefined } & {
  [K in OptionalKeys<F>]?: ValueOf<F[K]> | undefined
}
/** The row that every field of a record can read. */
type ReadableRow<F extends Fields> =
  Extract<F[keyof F], AnyField> extends { read: (row: infer R, name: string) => unknown }
    ? R
    : never
type RowOf<F extends Fields> = [NamedKeys<F>] extends [never]
  ? ReadableRow<F>
  : Known<ReadableRow<F>> & Named<F> & Row
/** Removes `any`, which would hide the types of the values that it is combined with. */
type Known<R> = 0 extends 1 & R ? unknown : R

export interface RecordReader<F extends Fields, R = RowOf<F>> {
  /** The schemas, to be combined with others in the schema of an item. */
  readonly fields: Schemas<F>
  /** Returns the values of a row, in the order of the fields. */
  read(row: R): Values<F>
}

/**
 * Returns a reader of items: each field has its schema, description and source in one place. A
 * plain schema is a field whose value the row has under the field's own name. If the row has no
 * value, the field is null or an empty list, or left out if its schema is optional.
 * @example
 * ```ts
 * const posting = record({
 *   id: required(field.text("id", "ID of the job.")),
 *   title: field.title("title", "Title of the job."),
 *   salary: field.number("pay.min", "Minimum pay a year."),
 *   skills: items.texts("Skills that the text names."),
 * })
 * const item = itemObject({ company: items.text("Name of the company."), ...posting.fields })
 * yield { company, ...posting.read({ ...row, skills: skillsIn(row.text) }) }
 * ```
 */
export function record<const F extends Fields>(fields: F): RecordReader<F> {
  const entries = Object.entries(fields).map(
    ([name, member]) => [name, isField(member) ? member : named(member)] as const,
  )
  return {
    fields: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])) as Schemas<F>,
    read: (row) =>
      Object.fromEntries(
        entries
          .map(([name, { read }]) => [name, read(row, name)])
          .filter(([, value]) => value !== undefined),
      ) as Values<F>,
  }
}

const isField = (member: AnyField | TSchema): member is AnyField =>
  typeof member.read === "function" && "schema" in member

/** Returns the field of a plain schema, read under the field's own name. */
function named(schema: TSchema): AnyField {
  const isNullable = schema.anyOf?.some((member: TSchema) => member.type === "null") ?? false
  return {
    schema,
    read: (row: Row, name) => {
      const value = row[name]
      if (value !== undefined && value !== null) return value
      if (OptionalKind in schema && (value === undefined || !isNullable)) return undefined
      if (isNullable) return null
      if (schema.type === "array") return []
      throw missing(name)
    },
  }
}

const missing = (name: string) => new Changed(`The response has no ${name}.`, { field: name })

/**
 * Returns `record` for rows of one type, so that the sources need no type annotations.
 * @example
 * ```ts
 * interface Parts {
 *   job: JsonReader
 *   page: Document
 * }
 * const posting = recordOf<Parts>()({
 *   id: required(field.text("job.id", "ID of the job.")),
 *   remote: field.flag(({ page }) => page.querySelector(".remote") !== null, "Remote work."),
 * })
 * ```
 */
export const recordOf = <R>() =>
  // biome-ignore lint/suspicious/noExplicitAny: values of any type
  record as <const F extends Record<string, Field<TSchema, R, any> | TSchema>>(
    fields: F,
  ) => RecordReader<F, R & Named<F>>

/** An element, or a row that has it with other parts. */
type Selectable = ParentNode | { document: ParentNode } | { card: ParentNode }

/**
 * Returns a source: the first text that a selector matches in an element, or the first value of an
 * attribute. The row is the element, or has it as `document` or `card`.
 * @example price: field.text(css(".price"), "Price."), url: field.text(css("a", "href"), "URL."),
 */
export const css = (selector: string, attribute?: string) => (row: Selectable) => {
  const root = "document" in row ? row.document : "card" in row ? row.card : row
  return attribute === undefined
    ? firstText(root, selector)
    : firstAttribute(root, selector, attribute)
}

/** Returns the first alternative of a source for which `convert` returns a value. */
function reader<R, V>(
  source: Source<R>,
  convert: (value: unknown) => V | null | undefined,
  isSingle = false,
): (row: R) => V | null {
  if (typeof source === "function") return (row) => convert(source(row)) ?? null
  const paths = source.split("|").map((path) => path.split("."))
  return (row) => {
    for (const path of paths) {
      const value = convert(along(row, path, isSingle))
      if (value !== undefined && value !== null) return value
    }
    return null
  }
}

function along(row: unknown, path: string[], isSingle = false): unknown {
  let value = row
  for (const [depth, step] of path.entries()) {
    if (value instanceof JsonReader) {
      const rest = path.slice(depth)
      // A JsonReader has more information about its data than the keys.
      if (!rest.includes("*")) return isSingle ? value.single(...rest) : value.value(...rest)
      value = value.root
    }
    if (step === "*" && Array.isArray(value)) {
      return value.map((entry) => along(entry, path.slice(depth + 1))).filter(isThere)
    }
    if (typeof value !== "object" || value === null) return undefined
    value = (value as Row)[step]
  }
  return value
}

const isThere = (value: unknown) => value !== undefined && value !== null && value !== ""

/** Returns a kind of field that is null if the upstream has no value. `then` converts the value. */
const kind =
  <S extends TSchema>(
    schema: (description: string | undefined) => S,
    convert: (value: unknown) => Static<S> | null,
  ) =>
  <R = unknown>(
    source: Source<R>,
    description?: string,
    then?: (value: Static<S>) => Static<S> | null,
  ): Field<ReturnType<typeof nullable<S>>, R, Static<S> | null> => {
    const value = reader(source, convert, true)
    return {
      schema: nullable(schema(description)),
      read: (row) => {
        const result = value(row)
        return result === null || !then ? result : then(result)
      },
    }
  }

const described = (description: string | undefined) =>
  description === undefined ? {} : { description }
const string = (description: string | undefined) => Type.String(described(description))

/**
 * The kinds of fields of a record. Each has a source and a description.
 * @example price: field.number("offer.price|price", "Price in the currency of `currency`."),
 */
export const field = {
  /** A text as it is; null if empty. Numbers become texts. */
  text: kind(string, textOrNull),
  /** A text without surrounding white space, for texts that people write. */
  trimmed: kind(string, (value) => textOrNull(value)?.trim() ?? null),
  /** A title or name, with decoded character references and collapsed white space. */
  title: kind(string, titleOrNull),
  /** A number, or a text that is one. */
  number: kind((description) => Type.Number(described(description)), numberOrNull),
  /** A count. Fractions are cut off. */
  integer: kind((description) => Type.Integer(described(description)), integerOrNull),
  /** A count as pages display it: "1.2K", "27,4 M". */
  count: kind((description) => Type.Integer(described(description)), parseCount),
  boolean: kind((description) => Type.Boolean(described(description)), booleanOrNull),
  /** A boolean; false if the upstream has no value. */
  flag<R = unknown>(source: Source<R>, description?: string): Field<TBoolean, R> {
    const value = reader(source, booleanOrNull)
    return { schema: Type.Boolean(described(description)), read: (row) => value(row) ?? false }
  },
  /** A date or time in any form that upstreams use, as ISO 8601. */
  time: kind(string, isoDate),
  /** A Unix time in seconds or milliseconds, as ISO 8601. */
  unixTime: kind(string, isoFromUnix),
  /** HTML as Markdown. Without `page`, the source of the page's URL, relative links become text. */
  markdown<R = unknown>(
    source: Source<R>,
    description: string,
    page?: Source<R>,
  ): Field<ReturnType<typeof nullable<TString>>, R, string | null> {
    const value = reader(source, textOrNull)
    const url = page === undefined ? () => null : reader(page, textOrNull)
    return {
      schema: nullable(Type.String({ description })),
      read: (row) => fragmentMarkdown(value(row), url(row) ?? undefined),
    }
  },
  /** A list of texts; empty if the upstream has none. */
  texts<R = unknown>(source: Source<R>, description?: string): Field<TArray<typeof anyText>, R> {
    const value = reader(source, listOrNull)
    return {
      schema: Type.Array(anyText, described(description)),
      read: (row) => textList(value(row)),
    }
  },
  /** An object within the row; null if the row has none. */
  object<R = unknown, const F extends Fields = Fields>(
    source: Source<R>,
    description: string | undefined,
    fields: F,
  ): Field<ReturnType<typeof nullable<TObject<Schemas<F>>>>, R, Values<F> | null> {
    const value = reader(source, objectOrNull)
    const inner = record(fields)
    return {
      schema: nullable(itemObject(inner.fields, described(description))),
      read: (row) => {
        const result = value(row)
        return result && inner.read(result as RowOf<F>)
      },
    }
  },
  /**
   * A list of objects within the row. Entries without their required fields are ignored. Throws
   * Changed if no entry has them.
   */
  objects<R = unknown, const F extends Fields = Fields>(
    source: Source<R>,
    description: string | undefined,
    fields: F,
  ): Field<TArray<TObject<Schemas<F>>>, R, Values<F>[]> {
    const value = reader(source, listOrNull)
    const inner = record(fields)
    return {
      schema: Type.Array(itemObject(inner.fields), described(description)),
      read: (row) => {
        let failure: Changed | undefined
        const read = (value(row) ?? []).flatMap((entry) => {
          if (!objectOrNull(entry)) return []
          try {
            return [inner.read(entry as RowOf<F>)]
          } catch (error) {
            if (!(error instanceof Changed)) throw error
            failure ??= error
            return []
          }
        })
        if (failure && read.length === 0) throw failure
        return read
      },
    }
  },
  /** A field with a schema of its own. `read` returns a value of that schema. */
  of<S extends TSchema, R = unknown>(schema: S, read: (row: R) => Static<S>): Field<S, R> {
    return { schema, read }
  },
}

const anyText = Type.String()

const listOrNull = (value: unknown): unknown[] | null => (Array.isArray(value) ? value : null)

const objectOrNull = (value: unknown): object | null =>
  typeof value === "object" && !Array.isArray(value) ? value : null

/**
 * Returns a field that several upstreams have in common. Each upstream adds its source.
 * @example const listing = { city: shared(field.title, "City.") } // listing.city("address.city")
 */
export const shared =
  <S extends TSchema, V>(
    kind: <R>(source: Source<R>, description?: string) => Field<S, R, V>,
    description: string,
  ) =>
  <R>(source: Source<R>): Field<S, R, V> =>
    kind(source, description)

type SharedFields = Record<string, (source: () => never) => AnyField>
/** A source of a field of which only the schema is used. */
const nowhere = () => null as never

/**
 * Returns a function that returns the schemas of the named ones of some shared fields, for items that
 * are read by other means.
 * @example const listingFields = schemasOf(listing) // listingFields("city", "state")
 */
export const schemasOf =
  <const F extends SharedFields>(fields: F) =>
  <const N extends keyof F>(...names: N[]) =>
    Object.fromEntries(names.map((name) => [name, fields[name]!(nowhere).schema])) as {
      [K in N]: ReturnType<F[K]>["schema"]
    }

/**
 * Returns a field that every row of this upstream has. Its reader throws Changed for other rows.
 * @example name: required(field.text("name", "Name of the package.")),
 */
export function required<S extends TSchema, R>(
  optional: Field<ReturnType<typeof nullable<S>>, R, Static<S> | null>,
): Field<S, R> {
  return {
    schema: optional.schema.anyOf[0] as S,
    read: (row, name) => {
      const value = optional.read(row, name)
      if (value === null) throw missing(name)
      return value
    },
  }
}
