import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from "@sinclair/typebox"
import { checkSelector, parseDocument, SelectorError } from "../../../extract/core/index.ts"
import { BadInput } from "./errors.ts"
import { oneOf } from "./fields.ts"

interface TextOptions {
  pattern?: string
  minLength?: number
  maxLength?: number
}

interface TextsOptions extends Pick<TextOptions, "minLength" | "maxLength"> {
  min?: number
  max: number
}

/**
 * Inputs of scrapers. Defaults are only in the schema: `ctx.input` always has the field, and
 * callers can omit it.
 * @example
 * ```ts
 * input: {
 *   packages: inputs.texts("Package names, for example react.", { max: 200 }),
 *   limit: inputs.count("Maximum releases per package", { max: 100, or: 20 }),
 *   includeReadme: inputs.flag("Include the README as Markdown."),
 *   sort: inputs.choice(["new", "old"], "Order of the releases.", "new"),
 * },
 * ```
 */
export const inputs = {
  /** A list of non-empty texts; `min: 0` allows an empty list. */
  texts: (description: string, { min = 1, max, ...text }: TextsOptions) =>
    Type.Array(Type.String({ minLength: 1, ...text }), {
      ...(min > 0 && { minItems: min }),
      maxItems: max,
      description,
    }),
  /** A list of non-empty texts that callers can omit or leave empty. */
  optionalTexts: (description: string, options: Omit<TextsOptions, "min">) =>
    Type.Optional(inputs.texts(description, { ...options, min: 0 })),
  /** A list of codes of one pattern, such as languages, with a default. */
  codes: (description: string, of: { pattern: string; max: number; or: string[] }) =>
    provided(
      Type.Array(Type.String({ pattern: of.pattern }), {
        minItems: 1,
        maxItems: of.max,
        description,
      }),
      of.or,
    ),
  /** A non-empty text. */
  text: (description: string, options: { pattern?: string; maxLength?: number } = {}) =>
    Type.String({ minLength: 1, ...options, description }),
  /** A text that callers can omit. */
  optionalText: (description: string, options: TextOptions = {}) =>
    Type.Optional(Type.String({ ...options, description })),
  /** A text with a default. */
  textOr: (description: string, or: string, options: TextOptions = {}) =>
    provided(Type.String({ ...options, description }), or),
  /** A whole number. The description ends with its bounds: "Maximum apps (1-50, default 20)." */
  count: (what: string, { min = 1, max, or }: { min?: number; max: number; or: number }) => {
    const description = what.replace(/\.?$|(?=[;:])/, ` (${min}-${max}, default ${or})`)
    return provided(
      Type.Integer({
        minimum: min,
        maximum: max,
        default: or,
        description: `${description.replace(/\.$/, "")}.`,
      }),
      or,
    )
  },
  /** A boolean. */
  flag: (description: string, or = false) =>
    provided(Type.Boolean({ default: or, description }), or),
  /** One of a list of values, or of the keys of an object. */
  choice: <const V extends string>(
    values: readonly V[] | Readonly<Record<V, unknown>>,
    description: string,
    or: NoInfer<V>,
  ) => {
    const list = (Array.isArray(values) ? values : Object.keys(values)) as readonly V[]
    return provided(oneOf(list, { default: or, description }), or)
  },
  /** The filter of adult content, the same in every search engine that supports it. */
  safeSearch: () =>
    Type.Optional(
      oneOf(["off", "moderate", "strict"], { description: "Filter of adult content." }),
    ),
  /** The option to use the operator's unlocker, the same in every scraper that supports it. */
  useUnlocker: () =>
    inputs.flag("Use the operator's unlocker from the first request; costs additional credits."),
}

/**
 * The `urls` input that page scrapers share.
 * @example input: inputObject({ urls: pageUrls(1000) })
 */
export const pageUrls = (maxItems: number, what = "Page URLs") =>
  inputs.texts(`${what}; https:// is assumed.`, { max: maxItems })

/** A schema with a default. A checked input always has the field. */
export type Provided<S extends TSchema> = S & { default: Static<S> }

/**
 * Returns a schema with its default.
 * @example provided(Type.Number({ default: 0, description: "Delay in seconds." }), 0)
 */
export function provided<S extends TSchema>(schema: S, or: Static<S>): Provided<S> {
  return { ...schema, default: or }
}

/**
 * The checked input of a scraper whose input is written as these fields.
 * @example type Input = InputOf<typeof input>
 */
export type InputOf<P extends TProperties> = Static<TObject<P>>

/** An input as a caller can write it: fields with a default are optional. */
export type CallerInput<I extends TObject> = Static<
  TObject<{
    [K in keyof I["properties"]]: I["properties"][K] extends Provided<infer S>
      ? TOptional<S>
      : I["properties"][K]
  }>
>

/**
 * Returns the result of `read`. Throws BadInput with the name of the input instead of an error of
 * the class `kind`.
 * @example namingInput("rows", () => readRows(page, rows)) // throws "rows: … is not a CSS selector"
 */
export function namingInput<R>(
  input: string,
  read: () => R,
  kind: new (...details: never[]) => Error = SelectorError,
): R {
  try {
    return read()
  } catch (error) {
    throw error instanceof kind ? new BadInput(`${input}: ${error.message}`) : error
  }
}

/**
 * Throws BadInput with the name of the input if its value is not a CSS selector.
 * @example requireSelector("waitForSelector", "#list > li")
 */
export const requireSelector = (input: string, selector: string) =>
  namingInput(input, () => checkSelector(selector, parseDocument("")))
