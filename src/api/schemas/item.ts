import { type TSchema, type TUnsafe, Type } from "@sinclair/typebox"
import { anyObject, maybe } from "./common.ts"

/** In addition, it has the field that names the target in other items: `url`, `input`, or another. */
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
      "The item of a target that failed; it names the target as other items do (`url`, `input` …).",
  },
)

/** An item of a dataset: that of the scraper, or an error item. */
export const itemOr = (good: TSchema): TSchema => Type.Union([good, errorItemSchema])

export const anyItem = itemOr(
  anyObject("An item; its scraper says its fields."),
) as unknown as TUnsafe<Record<string, unknown>>
