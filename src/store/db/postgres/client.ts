import type { ReservedSQL, SQL } from "bun"
import { Kysely, PostgresDialect } from "kysely"
import type { Tables } from "../../tables/schema.ts"
import { persist } from "../disk/persist.ts"
import { withCode } from "./errors.ts"

/**
 * The connection pool of a thread, or one of its connections that is reserved for a transaction.
 */
export type Client = Pick<SQL | ReservedSQL, "unsafe" | "close">

export interface UpstreamResponse<Row> {
  rows: Row[]
  command: string
  /** Number of returned or changed rows. */
  count: number
}

/** Seconds that a new connection may take; after that the caller gets `POSTGRES_AWAY`. */
const connectSeconds = 10

/** Whether a database is PostgreSQL: URLs name PostgreSQL, paths name SQLite. */
export function isPostgresUrl(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database)
}

/** Creates a pool that connects with the first query. `max`: maximum connections. */
export function openPostgres(url: string, max: number): SQL {
  const { pathname } = new URL(url)
  // Imported here because Bun prepares its client at the first use.
  return new Bun.SQL(url, {
    max,
    connectionTimeout: connectSeconds,
    // Otherwise PGDATABASE of the environment would override the URL.
    ...(pathname.length > 1 && { database: decodeURIComponent(pathname.slice(1)) }),
  })
}

/** Returns the same pool for reads that are required to continue: they wait while the server is away. */
export function patient(client: SQL): Client {
  const read = (text: string, parameters?: unknown[]) =>
    persist(() =>
      client.unsafe(text, parameters).catch((error: unknown) => {
        throw withCode(error)
      }),
    )
  return { unsafe: read as SQL["unsafe"], close: (options) => client.close(options) }
}

export async function runQuery<Row>(
  client: Client,
  text: string,
  parameters: readonly unknown[],
): Promise<UpstreamResponse<Row>> {
  const result = await client.unsafe(text, parameters.map(asParameter)).catch((error: unknown) => {
    throw withCode(error)
  })
  const { count, command } = result
  return { rows: withNumbers(result as Row[] & Shaped), command, count: Number(count ?? 0) }
}

/** PostgreSQL's texts must not contain NUL characters, which pages may contain. */
function asParameter(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0")
    ? value.replaceAll("\0", "\uFFFD")
    : value
}

interface Shaped {
  columns: readonly { name: string; type: number | string }[]
}

/**
 * int8 and numeric, which Bun returns as texts. All values of this schema fit into JavaScript's
 * numbers.
 */
const wideTypes = new Set<number | string>([20, 1700])

function withNumbers<Row>(result: Row[] & Shaped): Row[] {
  const wide = result.columns.filter(({ type }) => wideTypes.has(type))
  for (const row of result as Record<string, unknown>[]) {
    for (const { name } of wide) {
      const value = row[name]
      if (value !== null) row[name] = Number(value)
    }
  }
  // Bun's list has additional properties, for example the columns.
  return Array.from(result)
}

/**
 * Returns Kysely with the interface of node-postgres, which its dialect requires. Only the writer
 * uses transactions, never Kysely.
 */
export function kyselyOverPostgres(client: Client): Kysely<Tables> {
  const connection = {
    async query(text: string, parameters: readonly unknown[]) {
      const { rows, command, count } = await runQuery(client, text, parameters)
      return { rows, command, rowCount: count }
    },
    release() {},
  }
  const pool = { connect: async () => connection, end: () => client.close() }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) })
}
