import { type TObject, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox"
import { expectedWords, oneOf } from "../../catalogue/kit/index.ts"
import type { Listed } from "../../store/page.ts"

export const errorBodySchema = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: "Error code, for example `not_found`." }),
      message: Type.String({ description: "The reason, the field or value, and the fix." }),
      status: Type.Integer({ description: "HTTP status." }),
      details: Type.Optional(
        Type.Unknown({
          description:
            "For status 400: up to 20 validation issues, each with `field`, `index` (in a list), `message`, `expected` and `actual`.",
        }),
      ),
    }),
  },
  { $id: "Error", description: "Body of every error response." },
)

export const time = (description: string) => Type.String({ format: "date-time", description })

export const maybe = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], { description: schema.description })

/** An object of an answer: closed, so that nothing is answered that is not documented. */
export const responseObject = <P extends TProperties>(
  properties: P,
  options: { $id?: string; description?: string } = {},
) => Type.Object(properties, { additionalProperties: false, ...options })

/** An object of any fields, of which generators make no field named by a pattern. */
export const anyObject = (description?: string) =>
  Type.Object(
    {},
    { additionalProperties: true, ...(description && { description }) },
  ) as unknown as TUnsafe<Record<string, unknown>>

/** What a list takes: a part of it. Closed, so that a misspelt filter is an error. */
const pageQuery = {
  limit: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 1000,
    description: "Entries of the answer.",
  }),
  offset: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "Entries left out before them.",
  }),
}

/** Also by the last entry seen. `of`: what names an entry of the list. */
export const cursorQuery = (of: string) => ({
  ...pageQuery,
  cursor: Type.Optional(
    Type.String({
      pattern: of,
      [expectedWords]: "the `nextCursor` of an earlier answer",
      description:
        "Entries behind that one: `nextCursor` of an earlier answer. What is new meanwhile moves nothing, as it does with `offset`.",
    }),
  ),
})

/** What names an entry that has an id, or a number. */
export const cursors = {
  id: (prefix: string) => `^${prefix}_[0-9a-f]{32}$`,
  number: "^[0-9]{1,15}$",
}

/** Whether a list carries inputs. */
export const view = oneOf(["lean", "full"], {
  default: "lean",
  description: "`full`: with the inputs, which may be large.",
})

export const query = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false })

export const cursorListOf = <S extends TSchema>(items: S, $id: string) =>
  responseObject(
    {
      items: Type.Array(items),
      total: Type.Integer({ description: "Entries of the whole list." }),
      limit: Type.Integer(),
      offset: Type.Integer(),
      nextCursor: maybe(
        Type.String({ description: "Gives what comes behind, as `cursor`; null at the end." }),
      ),
    },
    { $id },
  )

/** The form of every list. */
export function cursorListed<Row, T>(
  { total, nextCursor }: Omit<Listed<Row>, "rows">,
  items: T[],
  page: { limit: number; offset: number },
) {
  return { items, total, limit: page.limit, offset: page.offset, nextCursor }
}

export const pathId = (what: string, prefix: string) =>
  Type.String({ description: `Id of the ${what}, \`${prefix}_…\`.` })
