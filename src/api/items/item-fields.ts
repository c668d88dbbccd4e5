import type { TSchema } from "@sinclair/typebox"
import { nearest } from "../../base/nearest.ts"
import { briefText, type InputIssue, maxIssues } from "../../catalogue/kit/index.ts"
import { invalid } from "../http/errors.ts"
import { errorItemSchema } from "../schemas/item.ts"

/** Fields of error items, in addition to the field that names the target. */
const ofErrors = [...Object.keys(errorItemSchema.properties), "url", "input"]

/** The names of a scraper's fields; undefined if its items may have any. */
function fieldsOf(schema: TSchema): string[] | undefined {
  const forms: TSchema[] = schema.anyOf ?? [schema]
  if (forms.some(({ additionalProperties: more }) => more === true)) return undefined
  return [...new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})))]
}

/** Refuses unknown fields, which would otherwise be ignored. @throws ApiError 400 */
export function requireFields(schema: TSchema, names: readonly string[]): void {
  const own = fieldsOf(schema)
  if (!own) return
  const known = new Set([...own, ...ofErrors])
  const issues: InputIssue[] = names
    .filter((name) => !known.has(name))
    .slice(0, maxIssues)
    .map((name) => {
      const whole = name.split(".")[0]!
      const near = known.has(whole) ? whole : (nearest(name, [...known]) ?? longer(name, own))
      const hint = near ? ` Did you mean "${near}"?` : ""
      return {
        field: "fields",
        message: known.has(whole)
          ? `"fields" takes top-level fields: use "${whole}", and read parts of it with "transform".`
          : `There is no field "${briefText(name)}" in these items.${hint}`,
        expected: near ?? own.join(", "),
        actual: briefText(name),
      }
    })
  if (issues.length > 0) throw invalid(issues, "query")
}

/** Shorter names are parts of too many others. */
const minPart = 3

/** Returns the field whose name contains a name: `commentsCount` of `comments`. */
function longer(name: string, known: readonly string[]): string | undefined {
  const part = name.toLowerCase()
  if (part.length < minPart) return undefined
  return known.find((field) => field.toLowerCase().includes(part))
}

/** Refuses unknown columns, which would be empty. @throws ApiError 400 */
export function requireColumns(schema: TSchema, names: readonly string[]): void {
  const issues: InputIssue[] = names.flatMap((name) => {
    // Positions in a list are paths of columns, too.
    const { types, known } = typesAt(schema, name.replace(/\.\d+(?=\.|$)/g, ""))
    if (types) return []
    const near = nearest(name.split(".").at(-1)!, known)
    const hint = near ? ` Did you mean "${near}"?` : ""
    const message = `There is no field "${briefText(name)}" in these items.${hint}`
    return [
      { field: "columns", message, expected: near ?? known.join(", "), actual: briefText(name) },
    ]
  })
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues), "query")
}

/**
 * Returns the JSON types of a field, for example `offer.price`; for a list, the types of its
 * entries. An empty set means any type. Undefined if the field does not exist; `known` has its
 * siblings.
 */
export function typesAt(
  schema: TSchema,
  field: string,
): { types: Set<string> | undefined; known: string[] } {
  let forms = formsOf([schema])
  const names = field.split(".")
  for (const [depth, name] of names.entries()) {
    const known = forms.flatMap((form) => Object.keys(form.properties ?? {}))
    const ofError = depth === 0 ? ofErrors.filter((one) => !known.includes(one)) : []
    const inside = forms.flatMap((form) => form.properties?.[name] ?? [])
    // Error items have fields of their own.
    if (inside.length === 0 && ofError.includes(name)) return { types: new Set(), known }
    if (inside.length === 0) {
      const isOpen = forms.some((form) => form.properties === undefined && !isPlain(form))
      const allowsMore = forms.some((form) => isObject(form.additionalProperties ?? false))
      if (isOpen || allowsMore) return { types: new Set(), known }
      return { types: undefined, known: [...known, ...ofError] }
    }
    forms = formsOf(inside)
  }
  const types = forms.map(({ type }) => String(type)).filter((type) => type !== "null")
  return { types: new Set(forms.every(isPlain) ? types : []), known: [] }
}

const isObject = (value: unknown) => value === true || typeof value === "object"
const isPlain = ({ type }: TSchema) =>
  ["string", "number", "integer", "boolean", "null"].includes(type)

/** Returns each schema that a value may match; for a list, those of its entries. */
function formsOf(schemas: TSchema[]): TSchema[] {
  return schemas.flatMap((schema) => {
    const several = schema.anyOf ?? schema.oneOf ?? schema.allOf
    if (several) return formsOf(several)
    return schema.type === "array" && schema.items ? formsOf([schema.items]) : [schema]
  })
}
