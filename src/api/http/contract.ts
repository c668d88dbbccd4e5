import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox"
import { type CheckedInput, checkInput, inputFromQuery } from "../../catalogue/kit/index.ts"
import { invalid } from "./errors.ts"
import { callerSchema } from "./json-schema.ts"

/**
 * Schemas of requests and responses, as Elysia accepts them from any library (Standard Schema). They are
 * TypeBox's, but checked by our own code with our messages. Elysia's check of TypeBox reports one part at
 * a time, and puts the whole value into its error (docs/internals/decisions/0008-elysia-hooks.md).
 */
interface Standard<Value> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: "trawl"
    readonly types?: { readonly input: Value; readonly output: Value }
    validate(value: unknown): { value: Value }
    /** Schema for the OpenAPI document. */
    readonly jsonSchema: { input(): TSchema; output(): TSchema }
  }
}

/**
 * A validating schema. It is run again if another part of the call was refused first, so that one
 * response lists all issues.
 */
export interface Validating<Value> extends Standard<Value> {
  /** @throws InvalidPart */
  validate(raw: unknown): { value: Value }
}

function standard<Value>(
  schema: TSchema,
  validate: (value: unknown) => { value: Value },
): Standard<Value> {
  const reported = callerSchema(schema)
  const jsonSchema = { input: () => reported, output: () => schema }
  return { "~standard": { version: 1, vendor: "trawl", validate, jsonSchema } }
}

/** A schema for documentation and types only; the handler checks the value itself. */
const asItIs = <Value>(schema: TSchema) =>
  standard<Value>(schema, (value) => ({ value: value as Value }))

function validating<Value>(
  schema: TSchema,
  what: string,
  check: (raw: unknown) => CheckedInput,
): Validating<Value> {
  const validate = (raw: unknown) => {
    const result = check(raw)
    if (!result.ok) throw invalid(result.issues, what)
    return { value: result.input as Value }
  }
  return { ...standard(schema, validate), validate: validate }
}

/** Schemas of request parts. */
export const requestSchema = {
  params: <P extends TProperties>(properties: P) =>
    asItIs<Static<TObject<P>>>(Type.Object(properties)),

  headers: <P extends TProperties>(properties: P) =>
    asItIs<Partial<Static<TObject<P>>>>(Type.Partial(Type.Object(properties))),

  /** Validated query parameters with defaults. */
  query<S extends TObject>(schema: S): Validating<Static<S>> {
    const withNone = checkInput(schema, {})
    return validating(schema, "query", (raw) => {
      if (!(raw instanceof URLSearchParams) || raw.size === 0) {
        return withNone.ok ? { ok: true, input: { ...withNone.input } } : withNone
      }
      return checkInput(schema, fromParameters(schema, raw))
    })
  },

  /** Query parameters that the handler validates itself. */
  anyQuery: (schema: TObject) => asItIs<URLSearchParams>(schema),

  /** A validated body with defaults. */
  body: <S extends TObject>(schema: S, what = "body"): Validating<Static<S>> =>
    validating(schema, what, (raw) => checkInput(schema, raw)),

  /** A body that is validated by more than its schema. */
  validating: <Value>(
    schema: TSchema,
    check: (raw: unknown) => CheckedInput,
    what = "body",
  ): Validating<Value> => validating(schema, what, check),

  /** A body that the handler validates itself. */
  anyBody: <Value>(schema: TSchema) => asItIs<Value>(schema),
}

/** Schema of a response. The compiler checks handlers against it, and the tests check responses. */
export const responseSchema = <S extends TSchema>(schema: S) => asItIs<Static<S>>(schema)

function fromParameters(schema: TObject, parameters: URLSearchParams): Record<string, unknown> {
  // Only keyless calls treat `input` as JSON; here it is an ordinary parameter.
  if (!parameters.has("input")) return inputFromQuery(schema, parameters)
  const rest = new URLSearchParams(parameters)
  rest.delete("input")
  return { ...inputFromQuery(schema, rest), input: parameters.get("input") }
}
