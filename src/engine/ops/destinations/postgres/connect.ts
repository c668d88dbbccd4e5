import type { ReservedSQL, SQL } from "bun"
import type { EgressFilter } from "../../../net/egress/filter.ts"
import { DestinationError, requestMs } from "../model/sink.ts"

/** IP addresses of one host that are tried. */
const triedAddresses = 3
const connectSeconds = 10

const sslModes = ["disable", "prefer", "require", "verify-full"] as const
type SslMode = (typeof sslModes)[number]

/** Host, user and database of a URL. */
export interface DatabaseAddress {
  host: string
  port: number
  database: string
  username: string
  password: string
  sslMode: SslMode
}

/** Reads a URL such as postgres://user:password@host:5432/name?sslmode=require. @throws DestinationError */
export function databaseAddress(text: string): DatabaseAddress {
  const url = URL.parse(text)
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new DestinationError("The URL must have the form postgres://user:password@host/database.")
  }
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const database = decodeURIComponent(url.pathname.slice(1))
  if (host === "" || /[/,]|%2f/i.test(url.hostname) || database === "" || url.username === "") {
    throw new DestinationError("The URL must name one host, a user and a database.")
  }
  for (const name of url.searchParams.keys()) {
    if (name !== "sslmode") {
      throw new DestinationError(
        `The URL must not have "${name.slice(0, 40)}"; it may have sslmode.`,
      )
    }
  }
  const mode = url.searchParams.get("sslmode") ?? "prefer"
  const sslMode = sslModes.find((known) => known === mode)
  if (!sslMode) throw new DestinationError(`sslmode must be one of ${sslModes.join(", ")}.`)
  return {
    host,
    port: Number(url.port) || 5432,
    database,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    sslMode,
  }
}

/** One connection that is checked by the egress filter. Its queries end with the signal. */
export class DatabaseConnection {
  private constructor(
    private readonly pool: SQL,
    private readonly client: ReservedSQL,
  ) {}

  /** Connects to an IP address that the filter permits: the name is not resolved again. */
  static async open(text: string, egress: EgressFilter): Promise<DatabaseConnection> {
    const address = databaseAddress(text)
    const resolved = await egress.resolve(address.host, address.port)
    let failure: unknown
    for (const ip of resolved.slice(0, triedAddresses)) {
      const pool = poolAt(ip, address)
      try {
        return new DatabaseConnection(pool, await inTime(pool.reserve(), connectSeconds * 1000))
      } catch (error) {
        failure = error
        await pool.close({ timeout: 0 }).catch(() => {})
      }
    }
    throw failure
  }

  query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return inTime(this.client.unsafe(text, [...parameters]), requestMs).then((rows) => [...rows])
  }

  /** Runs changes in a transaction. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.query("BEGIN")
    try {
      await this.query("SET LOCAL lock_timeout = 10000")
      await this.query(`SET LOCAL statement_timeout = ${requestMs - 5000}`)
      await this.query(`SET LOCAL idle_in_transaction_session_timeout = ${requestMs}`)
      const result = await work()
      await this.query("COMMIT")
      return result
    } catch (error) {
      await this.query("ROLLBACK").catch(() => this.close())
      throw error
    }
  }

  async close(): Promise<void> {
    try {
      this.client.release()
    } catch {
      // It is lost already.
    }
    await this.pool.close({ timeout: 0 }).catch(() => {})
  }
}

function poolAt(ip: string, { host, port, sslMode, ...who }: DatabaseAddress): SQL {
  // Each option is set, because unset ones would be read from the server's environment.
  return new Bun.SQL({
    adapter: "postgres",
    hostname: ip,
    port,
    ...who,
    max: 1,
    connectionTimeout: connectSeconds,
    idleTimeout: 0,
    prepare: false,
    tls: tlsOf(sslMode, host),
  })
}

function tlsOf(mode: SslMode, host: string): Bun.SQL.PostgresOrMySQLOptions["tls"] {
  if (mode === "disable" || mode === "prefer") return mode
  return { serverName: host, rejectUnauthorized: mode === "verify-full" }
}

async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const message = `The database did not respond within ${milliseconds / 1000} s.`
  const timer = setTimeout(() => reject(new DestinationError(message)), milliseconds)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
