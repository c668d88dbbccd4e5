import type { SelectQueryBuilder } from "kysely"
import type { Tables } from "./tables/schema.ts"

/** A part of a list, as callers ask for it. */
export interface Page {
  limit: number
  offset: number
}

export interface Listed<Row> {
  rows: Row[]
  /** Of the whole list. */
  total: number
}

/** A part of what a query finds, in the query's order, and how much it finds in all. */
export async function listed<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  page: Page,
): Promise<Listed<Row>> {
  const rows = await query.limit(page.limit).offset(page.offset).execute()
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow()
  return { rows, total }
}
