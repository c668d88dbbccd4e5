/**
 * Adds a code to an error of PostgreSQL that also reaches other threads: the server's five characters,
 * for example `POSTGRES_23505`, or `POSTGRES_AWAY` if no server responds or it accepts no changes.
 */
export function withCode(error: unknown): unknown {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  if (typeof code !== "string" || !code.startsWith("ERR_POSTGRES_")) return error
  const state = typeof errno === "string" && /^[0-9A-Z]{5}$/.test(errno) ? errno : undefined
  const noResponse = state === undefined ? isLost(code) : away.test(state)
  return Object.assign(error as Error, {
    code: noResponse ? "POSTGRES_AWAY" : `POSTGRES_${state ?? code.slice("ERR_POSTGRES_".length)}`,
  })
}

const isLost = (code: string) => /CONNECTION|TIMEOUT|UNEXPECTED_MESSAGE/.test(code)

/**
 * SQLSTATEs of a lost connection, a server that starts or stops, too many connections, a standby
 * that is not yet the primary, and a transaction that the server ended.
 */
const away = /^(?:08...|57P0[1-5]|53300|25006|25P03)$/

/** Returns whether the server did not respond; a change in progress may or may not have been made. */
export function isAway(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "POSTGRES_AWAY"
}

/**
 * Returns whether two transactions were in conflict. Neither was committed, and each can be
 * repeated.
 */
export function isCollision(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === "POSTGRES_40001" || code === "POSTGRES_40P01"
}
