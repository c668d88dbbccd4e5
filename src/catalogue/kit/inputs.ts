import { type Static, type TObject, type TOptional, type TSchema, Type } from "@sinclair/typebox"
import { oneOf } from "./fields.ts"

/**
 * Inputs of scrapers. A default is only in the schema: `ctx.input` always has the field, and
 * callers can leave it out.
 */
export const inputs = {
  /** A list of texts that are not empty; `min: 0` lets it be empty. */
  texts: (description: string, { min = 1, max }: { min?: number; max: number }) =>
    Type.Array(Type.String({ minLength: 1 }), {
      ...(min > 0 && { minItems: min }),
      maxItems: max,
      description,
    }),
  /** A text that is not empty. */
  text: (description: string, options: { pattern?: string; maxLength?: number } = {}) =>
    Type.String({ minLength: 1, ...options, description }),
  /** A whole number within bounds, which the description ends with: "Maximum apps (1-50, default 20)." */
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
  /** Yes or no. */
  flag: (description: string, or = false) =>
    provided(Type.Boolean({ default: or, description }), or),
  /** One of a list of words. */
  choice: <const V extends readonly string[]>(
    values: V,
    description: string,
    or: NoInfer<V[number]>,
  ) => provided(oneOf(values, { default: or, description }), or),
  /** The same in every scraper that may be sent through the operator's unlocker. */
  useUnlocker: () =>
    inputs.flag(
      "Fetch with the unlocker that the operator configured from the start; costs credits.",
    ),
}

/** A schema with a default: never absent in a checked input. */
export type Provided<S extends TSchema> = S & { default: Static<S> }

/** Any schema, with what it is when a caller leaves it out. */
export function provided<S extends TSchema>(schema: S, or: Static<S>): Provided<S> {
  return { ...schema, default: or }
}

/** An input as a caller may write it: what has a default can be left out. */
export type CallerInput<I extends TObject> = Static<
  TObject<{
    [K in keyof I["properties"]]: I["properties"][K] extends Provided<infer S>
      ? TOptional<S>
      : I["properties"][K]
  }>
>
