import { type SelectQueryBuilder, sql } from "kysely"
import type { Tables } from "./tables/schema.ts"

/** A part of a list, as callers ask for it. */
export interface Page {
  limit: number
  offset: number
  /** Only what comes behind the entry that this names: what is new meanwhile moves nothing. */
  cursor?: string | undefined
}

export interface Listed<Row> {
  rows: Row[]
  /** Of the whole list. */
  total: number
  /** Names the last of the rows; null where the list ends with it. */
  nextCursor: string | null
}

interface Order {
  /** The key of what was made later. */
  sort: "asc" | "desc"
  beyond: ReturnType<typeof sql>
}
export const newestFirst: Order = { sort: "desc", beyond: sql`<` }
/** Of keys that are numbers. */
export const asMade: Order = { sort: "asc", beyond: sql`>` }

/** A part of what a query finds, by its key, and how much it finds in all. */
export async function listed<
  Table extends keyof Tables,
  Key extends "id" | "n" | "seq",
  Row extends { [K in Key]: string | number },
>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  page: Page,
  key: Key,
  { sort, beyond } = newestFirst,
  /** Set if the length is known without counting. */
  length?: number,
): Promise<Listed<Row>> {
  const after = key === "n" || sort === "asc" ? Number(page.cursor) : page.cursor
  const isBeyond = sql<boolean>`${sql.ref(key)} ${beyond} ${after}`
  const rows = await query
    .$if(page.cursor !== undefined, (some) => some.where(isBeyond))
    .orderBy(sql.ref(key), sort)
    // One row more shows whether there is a next page.
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
  const counted = query.clearSelect().clearOrderBy()
  const total =
    length ??
    (await counted.select((row) => row.fn.countAll<number>().as("total")).executeTakeFirstOrThrow())
      .total
  const last = rows.length > page.limit ? rows.splice(page.limit) && rows.at(-1) : undefined
  return { rows, total, nextCursor: last ? String(last[key]) : null }
}
