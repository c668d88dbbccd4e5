import { type RawBuilder, sql } from "kysely"
import { type Db, isPostgres } from "./database.ts"

/**
 * Differences between SQLite and PostgreSQL. SQLite executes commands one after the other;
 * PostgreSQL executes many at a time for many processes. A command that depends on a row locks it
 * (`held`).
 */

interface Lockable {
  forNoKeyUpdate(): this
}

/** Locks the rows of a query until the command has ended. */
export function held<Query extends Lockable>(db: Db, query: Query): Query {
  return isPostgres(db) ? query.forNoKeyUpdate() : query
}

/**
 * Returns the numbers of a list as a subquery with one parameter, so that the statement is the same
 * for any count.
 */
export function numbersOf(db: Db, numbers: readonly number[]): RawBuilder<unknown> {
  const list = JSON.stringify(numbers)
  return isPostgres(db)
    ? sql`(SELECT value::bigint FROM json_array_elements_text((${list}::text)::json))`
    : sql`(SELECT value FROM json_each(${list}))`
}

/** Returns the texts of a list as rows of a table with the column `value`. */
export function textsOf(db: Db, texts: readonly string[]): RawBuilder<unknown> {
  const list = JSON.stringify(texts)
  return isPostgres(db)
    ? sql`json_array_elements_text((${list}::text)::json)`
    : sql`json_each(${list})`
}

/** Returns the later one of two times. */
export function later(db: Db, one: string, other: RawBuilder<string>): RawBuilder<string> {
  return isPostgres(db) ? sql`greatest(${one}::text, ${other})` : sql`max(${one}, ${other})`
}

/**
 * Returns the time of the clock that all users of the database share: its server's, or this
 * machine's for SQLite.
 */
export async function storeTime(db: Db): Promise<Date> {
  if (!isPostgres(db)) return new Date()
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms`.execute(db)
  return new Date(Math.floor(rows[0]!.ms))
}

/** Names the index for SQLite; PostgreSQL chooses one by its statistics. */
export function byIndex(db: Db, name: string): RawBuilder<unknown> {
  return isPostgres(db) ? sql`` : sql`INDEXED BY ${sql.ref(name)}`
}
