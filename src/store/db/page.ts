import { type SelectQueryBuilder, sql } from "kysely"
import type { Tables } from "../tables/schema.ts"

/** A page of a list, as callers request it. */
export interface Page {
  limit: number
  offset: number
  /** ID of the last entry of the page before; new entries do not shift the pages. */
  cursor?: string | undefined
}

export interface Listed<Row> {
  rows: Row[]
  /** Length of the whole list. */
  total: number
  /** ID of the last row; null if there are no more rows. */
  nextCursor: string | null
}

interface Order {
  /** Direction in which keys are sorted. */
  sort: "asc" | "desc"
  beyond: ReturnType<typeof sql>
}
export const newestFirst: Order = { sort: "desc", beyond: sql`<` }
/** Oldest first, for numeric keys. */
export const asMade: Order = { sort: "asc", beyond: sql`>` }

/** Returns a page of a query's rows, by their key, and the total number of rows. */
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
    // One additional row shows whether there is a next page.
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
