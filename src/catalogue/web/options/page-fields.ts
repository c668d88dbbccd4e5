import { type TSchema, Type } from "@sinclair/typebox"
import { parseDocument } from "../../../extract/core/index.ts"
import {
  checkSelectors,
  type FieldData,
  type FieldDefinition,
  FieldError,
  parseFields,
} from "../../../extract/page/index.ts"
import { itemObject, namingInput, nullable, type OwnField } from "../../kit/index.ts"

/** A value of a field, or of a column of rows. */
export const cellSchema = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Null(),
  Type.Array(Type.Union([Type.String(), Type.Number()])),
])

const fieldSchemas = {
  text: Type.String(),
  number: Type.Number(),
  date: Type.String({ format: "date" }),
}

/** Returns the JSON Schema of a field's values. */
function fieldSchema({ isList, type, columns }: FieldDefinition): TSchema {
  if (columns) {
    const cells = columns.map((column) => [column.name, fieldSchema(column)])
    return Type.Array(itemObject(Object.fromEntries(cells)))
  }
  return isList ? Type.Array(fieldSchemas[type]) : nullable(fieldSchemas[type])
}

/**
 * Returns the fields that the lines define. If `mayBeEmpty` is set, there may be no lines. Throws
 * BadInput with the invalid line; `input` is the input's name.
 */
export function checkedFields(
  lines: readonly string[],
  { mayBeEmpty = false, input = "fields" } = {},
): FieldDefinition[] {
  if (mayBeEmpty && lines.length === 0) return []
  return namingFields(() => {
    const fields = parseFields(lines)
    checkSelectors(fields, parseDocument(""))
    return fields
  }, input)
}

export const namingFields = <R>(read: () => R, input = "fields") =>
  namingInput(input, read, FieldError)

export const isEmpty = (data: FieldData["data"]) =>
  Object.values(data).every(
    (value) => value === null || value === "0" || (typeof value !== "number" && value.length === 0),
  )

/** Returns the fields of the pages of the input. Throws BadInput. */
export const fieldsOfList = (
  {
    fields,
    rows,
    detail,
  }: { fields: readonly string[]; rows?: string | undefined; detail?: unknown },
  hasExtraction: boolean,
) => checkedFields(fields, { mayBeEmpty: hasExtraction && rows === undefined && !detail })

/** Returns a row without a link, with the fields of its detail page empty and listed as missing. */
export function withoutDetail({ data, missing, warnings }: FieldData, lines: readonly string[]) {
  const fields = checkedFields(lines, { mayBeEmpty: true, input: "detail.fields" })
  const empty = fields.map(({ name, isList }) => [name, isList ? [] : null] as const)
  const single = fields.filter(({ isList }) => !isList).map(({ name }) => name)
  return {
    data: { ...data, ...Object.fromEntries(empty) },
    missing: [...missing, ...single],
    warnings,
  }
}

/** Throws BadInput if `rows` is not a selector. */
export function checkRows(rows: string | undefined): void {
  if (rows === undefined) return
  namingFields(() => checkSelectors(parseFields([`rows: ${rows}`]), parseDocument("")))
}

interface OwnFieldsInput {
  fields: readonly string[]
  detail?: { link: string; fields: readonly string[] } | undefined
}

/** Returns the fields that an input defines: by lines, and the properties of the schema. */
export function ownFields({ fields, detail }: OwnFieldsInput, schema: unknown): OwnField[] {
  const link = detail?.link
  const ofList = checkedFields(fields, { mayBeEmpty: true }).map((field) =>
    field.name === link ? { ...field, isList: false } : field,
  )
  const ofDetail = checkedFields(detail?.fields ?? [], { mayBeEmpty: true, input: "detail.fields" })
  const properties = (schema as { properties?: Record<string, TSchema> } | undefined)?.properties
  return [
    ...[...ofList, ...ofDetail].map((field) => ({
      name: field.name,
      at: ["data", field.name],
      schema: fieldSchema(field),
    })),
    ...Object.entries(properties ?? {}).map(([name, property]) => ({
      name,
      at: ["extracted", "data", name],
      schema: property,
    })),
  ]
}
