import { readdirSync, readFileSync } from "node:fs"
import { openPostgres } from "../../src/store/db/postgres/client.ts"

/**
 * Returns the server's first process if it is on this machine: the parent of the processes of all
 * connections.
 */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const client = openPostgres(databaseUrl, 1)
  try {
    const [{ pid }] = await client`SELECT pg_backend_pid() AS pid`
    return statOf(pid).parent
  } finally {
    await client.close()
  }
}

export interface DatabaseWork {
  commits: number
  /** Milliseconds in which statements ran, in all connections. */
  activeMs: number
  /** Milliseconds in which a transaction waited for its client. */
  idleMs: number
}

/**
 * Returns the server's statistics of a database. It adds a connection's last second when the
 * connection is idle or closed.
 */
export async function databaseWork(databaseUrl: string): Promise<DatabaseWork> {
  const client = openPostgres(databaseUrl, 1)
  try {
    const [row] = await client`
      SELECT xact_commit::float8 AS commits, active_time AS "activeMs",
        idle_in_transaction_time AS "idleMs"
      FROM pg_stat_database WHERE datname = current_database()`
    return row
  } finally {
    await client.close()
  }
}

/** Returns the processor time of the server's processes in seconds. */
export function databaseSeconds(postmaster: number): number {
  let scheduledRuns = 0
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = statOf(Number(name))
      if (Number(name) === postmaster || stat.parent === postmaster)
        scheduledRuns += stat.scheduledRuns
    } catch {
      // It has just ended.
    }
  }
  return scheduledRuns / 100
}

function statOf(pid: number): { parent: number; scheduledRuns: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").map(Number)
  // Time of the process itself and of its children that have ended.
  const scheduledRuns = fields[11]! + fields[12]! + fields[13]! + fields[14]!
  return { parent: fields[1]!, scheduledRuns }
}
