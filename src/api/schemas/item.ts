import { type TSchema, type TUnsafe, Type } from "@sinclair/typebox"
import { anyObject, maybe } from "./common.ts"

/** It also has the field that names the target in other items: `url`, `input`, or another. */
export const errorItemSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.String({
        description: "Error code, for example `not_found`, `blocked`, `timeout`.",
      }),
      message: Type.String({ description: "The reason, in a sentence." }),
    }),
    statusCode: maybe(
      Type.Integer({ description: "HTTP status of the site's response, if there was one." }),
    ),
  },
  {
    $id: "ErrorItem",
    additionalProperties: true,
    description:
      "Item of a failed target. It names the target as other items do (`url`, `input` …).",
  },
)

/** An item of the scraper, or an error item. */
export const itemOr = (good: TSchema): TSchema => Type.Union([good, errorItemSchema])

export const anyItem = itemOr(
  anyObject("An item; its fields depend on the scraper."),
) as unknown as TUnsafe<Record<string, unknown>>
