import { type TSchema, type TUnsafe, Type } from "@sinclair/typebox"
import { anyObject, maybe } from "./common.ts"

/** Beside these it names its target as the good items do: `url`, `input`, or a field of theirs. */
export const errorItemSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: "Such as `not_found`, `blocked`, `timeout`." }),
      message: Type.String({ description: "What happened, in a sentence." }),
    }),
    statusCode: maybe(Type.Integer({ description: "What the site answered, if it did." })),
  },
  {
    $id: "ErrorItem",
    additionalProperties: true,
    description:
      "Stands in place of a target that failed; it names the target as good items do (`url`, `input` …).",
  },
)

/** An item of a dataset: a good one, or one that stands in the place of a failure. */
export const itemOr = (good: TSchema): TSchema => Type.Union([good, errorItemSchema])

export const anyItem = itemOr(
  anyObject("An item; its scraper says its fields."),
) as unknown as TUnsafe<Record<string, unknown>>
