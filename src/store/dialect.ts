import { type RawBuilder, sql } from "kysely"
import { type Db, isPostgres } from "./database.ts"

/**
 * The differences between SQLite and PostgreSQL. SQLite executes one command after the other,
 * PostgreSQL many at a time for many processes: a command that depends on a row locks it (`held`).
 */

interface Lockable {
  forNoKeyUpdate(): this
}

/** Locks the rows of a query until the command has finished. */
export function held<Query extends Lockable>(db: Db, query: Query): Query {
  return isPostgres(db) ? query.forNoKeyUpdate() : query
}

/** The numbers of a list as a subquery, in one parameter: the statement is the same for any number. */
export function numbersOf(db: Db, numbers: readonly number[]): RawBuilder<unknown> {
  const list = JSON.stringify(numbers)
  return isPostgres(db)
    ? sql`(SELECT value::bigint FROM json_array_elements_text((${list}::text)::json))`
    : sql`(SELECT value FROM json_each(${list}))`
}

/** Texts of a list as the rows of a table with the column `value`. */
export function textsOf(db: Db, texts: readonly string[]): RawBuilder<unknown> {
  const list = JSON.stringify(texts)
  return isPostgres(db)
    ? sql`json_array_elements_text((${list}::text)::json)`
    : sql`json_each(${list})`
}

/** The later one of two times. */
export function later(db: Db, one: string, other: RawBuilder<string>): RawBuilder<string> {
  return isPostgres(db) ? sql`greatest(${one}::text, ${other})` : sql`max(${one}, ${other})`
}

/** The time by the clock that all who use the database share: that of its server, or this machine's. */
export async function storeTime(db: Db): Promise<Date> {
  if (!isPostgres(db)) return new Date()
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms`.execute(db)
  return new Date(Math.floor(rows[0]!.ms))
}

/** Names the index that SQLite uses; PostgreSQL chooses by its statistics. */
export function byIndex(db: Db, name: string): RawBuilder<unknown> {
  return isPostgres(db) ? sql`` : sql`INDEXED BY ${sql.ref(name)}`
}
