import type { TObject, TSchema } from "@sinclair/typebox"
import { Value, ValueErrorType } from "@sinclair/typebox/value"
import { messageOf } from "../../base/error-message.ts"
import { parseJson } from "../../base/json-text.ts"
import { nearest } from "../../base/nearest.ts"
import { fieldFor } from "./coerce.ts"
import { briefText, briefValue } from "./core/brief.ts"
import type { AnyScraper } from "./scraper.ts"

/** A validation issue of an input: its field, the value, and the expected value. */
export interface InputIssue {
  field: string
  /** Index of the invalid entry in a list, from 0. */
  index?: number
  message: string
  expected: string
  actual?: unknown
}

export type CheckedInput =
  | { ok: true; input: Record<string, unknown> }
  | { ok: false; issues: InputIssue[] }

/**
 * Maximum issues in a response. For an input with more of them, the schema is more helpful.
 * @example issues.length <= maxIssues // true
 */
export const maxIssues = 20
/** Maximum characters of a text whose schema has no limit. */
const maxText = 20_000

/**
 * Returns an input checked against a scraper's schema, with defaults filled in. It runs on the main
 * thread with untrusted input, so its work is bounded by the input's size.
 * @example checkInput(schema, { limit: 5 }) // { ok: true, input: { limit: 5, sort: "new" } }
 */
export function checkInput(schema: TObject, raw: unknown): CheckedInput {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    const issue = { field: "", message: "The input must be a JSON object.", expected: "object" }
    return { ok: false, issues: [{ ...issue, actual: briefValue(raw) }] }
  }
  const issues: InputIssue[] = []
  const provided: Record<string, unknown> = {}
  for (const name of Object.keys(raw)) {
    if (issues.length === maxIssues) break
    const value = (raw as Record<string, unknown>)[name]
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name]! : undefined
    // A null counts as a missing value, except for a field that accepts null.
    if (value === undefined || (value === null && !(known && takesNull(known)))) continue
    const issue = known
      ? (tooLarge(name, known, value) ?? overDefault(name, known, value))
      : unknownField(name, schema, value)
    if (issue) issues.push(issue)
    else provided[name] = value
  }
  const reported = new Set(issues.map((issue) => issue.field))
  const input = Value.Default(schema, provided) as Record<string, unknown>
  // Most inputs are valid, and this check is much cheaper than collecting the errors.
  if (issues.length === 0 && Value.Check(schema, input)) return { ok: true, input }
  for (const error of Value.Errors(schema, input)) {
    if (issues.length === maxIssues) break
    const field = fieldAt(error.path)
    if (reported.has(field) || isReportedOf(field, reported)) continue
    reported.add(field)
    const isUnknown = error.type === ValueErrorType.ObjectAdditionalProperties
    const describe = isUnknown ? unknownField : describeIssue
    issues.push(describe(field, error.schema, error.value))
  }
  return issues.length > 0 ? { ok: false, issues: withLikely(issues, schema) } : { ok: true, input }
}

/**
 * Returns issues in which the only unknown field is likely to be the only missing one, such as
 * `ticker` for `symbols`.
 */
function withLikely(issues: InputIssue[], schema: TObject): InputIssue[] {
  const isUnknown = ({ field }: InputIssue) => !Object.hasOwn(schema.properties, topField(field))
  const [unknown, ...others] = issues.filter(isUnknown)
  const missing = issues.filter(
    ({ field, actual }) => actual === undefined && schema.required?.includes(field),
  )
  if (!unknown || others.length > 0 || missing.length !== 1) return issues
  if (unknown.message.includes("Did you mean")) return issues
  const [{ field }] = missing as [InputIssue]
  const message = `${unknown.message} Did you mean "${field}"?`
  return issues.map((issue) => (issue === unknown ? { ...issue, message, expected: field } : issue))
}

/**
 * Returns the top-level field that contains a field.
 * @example topField("actions[0].selector") // "actions"
 */
export const topField = (field: string): string => field.split(/[.[]/, 1)[0]!

/** Returns the field at a JSON pointer: `/actions/0/selector` is `actions[0].selector`. */
const fieldAt = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll("/", ".")
    .replace(/\.(\d+)(?=\.|$)/g, "[$1]")

/** Returns whether an issue of the whole field is already reported. */
function isReportedOf(field: string, reported: ReadonlySet<string>): boolean {
  const top = topField(field)
  return top !== field && reported.has(top)
}

/** Returns the issue of a value that is too large to be checked further. */
function tooLarge(field: string, schema: TSchema, value: unknown): InputIssue | undefined {
  if (Array.isArray(value)) {
    if (schema.type === "object") return describeIssue(field, schema, value)
    return value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)
      ? describeIssue(field, schema, value)
      : tooLong(field, schema.items, value)
  }
  return tooLong(field, schema, [value])
}

const takesNull = ({ anyOf, type }: TSchema) =>
  type === "null" || (anyOf ?? []).some((form: TSchema) => form.type === "null")

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/**
 * Returns the issue of a value that cannot be merged with the default of its schema, such as a list
 * instead of an object. It is reported before defaults are filled in.
 */
function overDefault(field: string, schema: TSchema, value: unknown): InputIssue | undefined {
  if (!isContainer(value)) return undefined
  const isList = Array.isArray(value)
  if (isContainer(schema.default)) {
    if (isList !== Array.isArray(schema.default)) return describeIssue(field, schema, value)
    if (Object.hasOwn(value, "__proto__")) return unknownField(`${field}.__proto__`, schema, value)
  }
  // Lists usually contain texts.
  if (isList && !hasParts(schema.items)) return undefined
  for (const [name, part] of Object.entries(value)) {
    const own = isList ? schema.items : ownProperty(schema.properties, name)
    const issue =
      hasParts(own) && overDefault(isList ? `${field}[${name}]` : `${field}.${name}`, own, part)
    if (issue) return issue
  }
  return undefined
}

const hasParts = (schema: TSchema | undefined): schema is TSchema =>
  schema?.type === "array" || schema?.type === "object"

const ownProperty = (properties: Record<string, TSchema> | undefined, name: string) =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined

function tooLong(
  field: string,
  schema: TSchema | undefined,
  values: unknown[],
): InputIssue | undefined {
  if (schema?.maxLength !== undefined) return undefined
  const index = values.findIndex((value) => typeof value === "string" && value.length > maxText)
  if (index < 0) return undefined
  const expected = `a text of at most ${maxText} characters`
  const length = (values[index] as string).length
  const message = `"${field}" must be ${expected}; one has ${length}.`
  const place = schema === undefined || values.length === 1 ? {} : { index }
  return { field, ...place, message, expected, actual: briefValue(values[index]) }
}

/** Maximum known fields in the message about an unknown one. */
const maxNames = 12

function unknownField(name: string, schema: TSchema, value: unknown): InputIssue {
  const known = Object.keys(schema.properties ?? {})
  const near = nearest(name.slice(name.lastIndexOf(".") + 1), known)
  const names = known.slice(0, maxNames).join(", ") + (known.length > maxNames ? " …" : "")
  const others = names === "" ? "" : ` There are: ${names}.`
  const hint = near ? ` Did you mean "${near}"?` : others
  const field = briefText(name)
  return {
    field,
    message: `There is no field "${field}".${hint}`,
    expected: near ?? known.join(", "),
    actual: briefValue(value),
  }
}

function describeIssue(field: string, schema: TSchema, value: unknown): InputIssue {
  const expected = expectation(schema)
  const name = briefText(field)
  const place = /\[(\d+)\]/.exec(name)
  const at = place ? { field: name, index: Number(place[1]) } : { field: name }
  if (value === undefined) {
    return { ...at, message: `"${name}" is required: ${expected}.`, expected }
  }
  const broken = brokenJson(schema, value)
  if (broken !== undefined) {
    return { ...at, message: `"${name}" is not valid JSON: ${broken}.`, expected }
  }
  // Passwords and other secrets are not repeated.
  if (schema.writeOnly) return { ...at, message: `"${name}" must be ${expected}.`, expected }
  const actual = briefValue(value)
  const isWhole = typeof value !== "object" || actual === value
  const visible = isWhole ? JSON.stringify(actual)?.slice(0, 100) : actual
  const message = `"${name}" must be ${expected}, not ${visible}.`
  return { ...at, message, expected, actual }
}

/** Returns the error of a text that starts like the wanted list or object, but is not JSON. */
function brokenJson({ type }: TSchema, value: unknown): string | undefined {
  const start = type === "object" ? "{" : type === "array" ? "[" : undefined
  if (start === undefined || typeof value !== "string" || !value.trim().startsWith(start)) return
  try {
    parseJson(value)
  } catch (error) {
    return messageOf(error)
  }
}

const nouns: Record<string, string> = {
  string: "texts",
  integer: "integers",
  number: "numbers",
  object: "objects",
}

/**
 * Key of a schema: a description of the valid values, if its rule would not help a user.
 * @example Type.String({ pattern: "^tt\\d+$", [expectedWords]: "an IMDb ID such as tt0133093" })
 */
export const expectedWords = "x-expected"

/**
 * Returns a description of a schema's valid values: "an integer from 1 to 100".
 * @example expectation(Type.Integer({ minimum: 1, maximum: 100 })) // "an integer from 1 to 100"
 */
export function expectation(schema: TSchema): string {
  if (typeof schema[expectedWords] === "string") return schema[expectedWords]
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(", ")}`
  if (schema.type === "array") {
    const { minItems, maxItems } = schema
    const noun = nouns[schema.items?.type as string] ?? "entries"
    if (minItems !== undefined && maxItems !== undefined) {
      return `a list of ${minItems} to ${maxItems} ${noun}`
    }
    return `a list of ${noun}${range(minItems, maxItems, "")}`
  }
  if (schema.type === "string") return textWords(schema)
  if (schema.type === "integer" || schema.type === "number") {
    const noun = schema.type === "integer" ? "an integer" : "a number"
    return `${noun}${range(schema.minimum, schema.maximum, "")}`
  }
  if (schema.type === "boolean") return "true or false"
  if (schema.type === "object") return "an object"
  if (Array.isArray(schema.anyOf)) return unionWords(schema.anyOf)
  return schema.type ? `a ${schema.type}` : "another value"
}

/** Descriptions of common patterns. */
const formWords: Record<string, string> = {
  "\\S": "a non-empty text",
  "^https?://": "an http or https URL",
  "^[A-Za-z]{2}$": "two letters",
  "^[A-Za-z]{3}$": "three letters",
  "^\\d{4}-\\d{2}-\\d{2}$": "a date such as 2026-01-31",
}

function textWords({ pattern, minLength, maxLength, description }: TSchema): string {
  if (minLength === 1 && !maxLength && !pattern) return "a non-empty text"
  const length = range(minLength, maxLength, " characters")
  if (!pattern) return `a text${length}`
  const form = formWords[pattern]
  if (form) return `${form}${length}`
  // A field's description names its format, with examples.
  const hint = description ? ` (${description.replace(/\.$/, "")})` : ""
  return `a text that matches ${pattern}${length}${hint}`
}

function unionWords(members: TSchema[]): string {
  const words = [...new Set(members.map((member) => member.const ?? expectation(member)))]
  return members.every((member) => "const" in member)
    ? `one of ${words.join(", ")}`
    : words.join(" or ")
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}${unit}`
  if (from !== undefined) return ` of at least ${from}${unit}`
  if (to !== undefined) return ` of at most ${to}${unit}`
  return ""
}

/**
 * Returns an input read from query parameters: texts become the types of the schema. Lists are
 * repeated parameters or values separated by `|` (`\|` is a `|` within a value). `input` is a JSON
 * object; named parameters take precedence over it. If a parameter of a single value is repeated,
 * it becomes a list, which `checkInput` refuses. Throws SyntaxError if `input` is not a JSON
 * object.
 * @example inputFromQuery(schema, new URLSearchParams("urls=a|b")) // { urls: ["a", "b"] }
 */
export function inputFromQuery(
  schema: TObject,
  query: URLSearchParams,
  reserved: readonly string[] = [],
): Record<string, unknown> {
  const input = new Map<string, unknown>()
  const json = query.get("input")
  if (json !== null && !("input" in schema.properties)) {
    const parsed: unknown = parseJson(json)
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      throw new SyntaxError("input must be a JSON object")
    }
    for (const [name, value] of Object.entries(parsed)) input.set(name, value)
  }
  for (const name of new Set(query.keys())) {
    if (reserved.includes(name)) continue
    if (name === "input" && !("input" in schema.properties)) continue
    const field = fieldFor(schema, name, (other) => query.has(other))
    const known = Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined
    input.set(field, fromTexts(known, query.getAll(name)))
  }
  return Object.fromEntries(input)
}

function fromTexts(schema: TSchema | undefined, values: string[]): unknown {
  if (schema !== undefined && schema.type !== "array" && values.length > 1) return values
  // An object, or a list of objects, is written as JSON. `checkInput` refuses other texts.
  if ((schema?.type === "array" ? schema.items : schema)?.type === "object") {
    return jsonOrText(values.at(-1)!)
  }
  if (schema?.type === "array") {
    const parts = values
      .flatMap((value) => value.split(/(?<!\\)\|/))
      .map((part) => part.replaceAll("\\|", "|").trim())
    return parts.filter((part) => part !== "").map((part) => fromText(schema.items, part))
  }
  return fromText(schema, values.at(-1)!)
}

function jsonOrText(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function fromText(schema: TSchema | undefined, value: string): unknown {
  if (schema?.type === "boolean") {
    if (/^(?:true|1|yes|on)$/i.test(value)) return true
    if (/^(?:false|0|no|off)$/i.test(value)) return false
  }
  if (schema?.type === "integer" || schema?.type === "number") {
    if (value.trim() !== "" && Number.isFinite(Number(value))) return Number(value)
  }
  return value
}

/**
 * Returns the field to which values without a name belong: the only list that is still missing, or
 * the only text. Undefined if there is no such field.
 * @example listField(scraper, {}) // { name: "urls", most: 1000 }
 */
export function listField(
  scraper: Pick<AnyScraper, "input" | "example">,
  provided: Record<string, unknown>,
): { name: string; max: number } | undefined {
  const fields = Object.entries<TSchema>(scraper.input.properties).filter(
    ([name]) => !(name in provided),
  )
  const required = (scraper.input.required ?? []).filter(
    (name: string) => scraper.input.properties[name]!.default === undefined,
  )
  const lists = fields.filter(([, { type, items }]) => type === "array" && items?.type === "string")
  const wanted = lists.filter(([name]) => required.includes(name))
  const [list] = wanted.length > 0 ? wanted : lists.filter(([name]) => name in scraper.example)
  if (list && wanted.length < 2) {
    return { name: list[0], max: list[1].maxItems ?? Number.POSITIVE_INFINITY }
  }
  const texts = fields.filter(([name, { type }]) => type === "string" && required.includes(name))
  return wanted.length === 0 && texts.length === 1 ? { name: texts[0]![0], max: 1 } : undefined
}
