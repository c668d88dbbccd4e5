import { type TObject, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox"
import { expectedWords, oneOf } from "../../catalogue/kit/index.ts"
import type { Listed } from "../../store/db/page.ts"

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

/** An object of a response. It is closed, so that responses contain only documented fields. */
export const responseObject = <P extends TProperties>(
  properties: P,
  options: { $id?: string; description?: string } = {},
) => Type.Object(properties, { additionalProperties: false, ...options })

/** An object with any fields. Without a pattern, from which code generators would make a field. */
export const anyObject = (description?: string) =>
  Type.Object(
    {},
    { additionalProperties: true, ...(description && { description }) },
  ) as unknown as TUnsafe<Record<string, unknown>>

/** Query parameters of a list. Closed, so that a misspelt filter is an error. */
const pageQuery = {
  limit: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 1000,
    description: "Maximum entries to return.",
  }),
  offset: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "Number of entries to skip.",
  }),
}

/** Query parameters of a list with cursors. `of`: pattern of a cursor. */
export const cursorQuery = (of: string) => ({
  ...pageQuery,
  cursor: Type.Optional(
    Type.String({
      pattern: of,
      [expectedWords]: "the `nextCursor` of an earlier response",
      description:
        "`nextCursor` of an earlier response: returns the entries after it. Unlike with `offset`, new entries do not shift the pages.",
    }),
  ),
})

/** Cursors for lists whose entries have an ID or a number. */
export const cursors = {
  id: (prefix: string) => `^${prefix}_[0-9a-f]{32}$`,
  number: "^[0-9]{1,15}$",
}

/** Whether a list contains inputs. */
export const view = oneOf(["lean", "full"], {
  default: "lean",
  description: "`full` includes the inputs, which may be large.",
})

export const query = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false })

export const cursorListOf = <S extends TSchema>(items: S, $id: string) =>
  responseObject(
    {
      items: Type.Array(items),
      total: Type.Integer({ description: "Number of entries in the whole list." }),
      limit: Type.Integer(),
      offset: Type.Integer(),
      nextCursor: maybe(
        Type.String({
          description: "Send it as `cursor` for the next page; null on the last page.",
        }),
      ),
    },
    { $id },
  )

/** The format of every list. */
export function cursorListed<Row, T>(
  { total, nextCursor }: Omit<Listed<Row>, "rows">,
  items: T[],
  page: { limit: number; offset: number },
) {
  return { items, total, limit: page.limit, offset: page.offset, nextCursor }
}

export const pathId = (what: string, prefix: string) =>
  Type.String({ description: `ID of the ${what}, \`${prefix}_…\`.` })
