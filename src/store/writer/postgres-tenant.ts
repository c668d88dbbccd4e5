import type { ReservedSQL, SQL } from "bun"
import { type Soft, type WriteCommand, writeCommands } from "../commands/commands.ts"
import { type Db, kyselyOn } from "../db/database.ts"
import { CommitMark } from "../db/postgres/commit-mark.ts"
import { isAway, isCollision, withCode } from "../db/postgres/errors.ts"
import { beginTogether, commitQuietly } from "./postgres-commit-targets.ts"
import { finishQuietRuns, finishRuns } from "./postgres-finish-runs.ts"

export interface Pending {
  command: WriteCommand
  args: unknown
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** Maximum attempts of a change that collides with changes of other processes. */
const maxTries = 8

const isSoft = ({ args }: Pending) => (args as Soft | null)?.soft === true

/**
 * Statements that begin a transaction. The server ends it if this process stops in the middle of
 * it, for example when the system suspends it. A soft transaction does not wait for the disk. All
 * settings end with the transaction, so that a pooler may use another connection for the next one.
 */
const begin = (soft: boolean, mark: string) =>
  `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 10000; SET LOCAL lock_timeout = 15000; ${
    soft ? "SET LOCAL synchronous_commit = off; " : ""
  }${mark}`

/** One connection that writes: changes that arrive during a transaction form the next one. */
export class Tenant {
  private queue: Pending[] = []
  private draining?: Promise<void>
  private connection?: { client: ReservedSQL; db: Db } | undefined
  private readonly mark = new CommitMark()

  constructor(
    private readonly pool: SQL,
    private readonly note: (error: unknown) => void,
    /** Maximum changes of one transaction, because others wait for its rows. */
    private readonly groupSize = 32,
  ) {}

  add(pending: Pending): void {
    this.queue.push(pending)
    this.draining ??= this.drain()
  }

  /** Resolves when all requested changes are made. */
  async drained(): Promise<void> {
    await this.draining
    this.connection?.client.release()
    this.connection = undefined
  }

  private async drain(): Promise<void> {
    // Waits one turn of the event loop, so that concurrent changes share a transaction.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.queue.length > 0) {
      const group = this.queue.splice(0, this.groupSize)
      const left = await this.makeQuiet(group)
      if (left.length > 0) await this.commit(left)
    }
    // In the same turn as the last check of the queue, so that a later change starts a new drain.
    this.draining = undefined
  }

  /**
   * Makes changes without a transaction of several statements, if the group has only changes of one such kind.
   * Returns the changes that are left. If the statement fails, or its response is lost, all are left: the
   * transaction that follows repeats them, which changes nothing.
   */
  private async makeQuiet(group: Pending[]): Promise<Pending[]> {
    const kind = group[0]!.command
    const make = quiet[kind]
    if (!make || group.some(({ command }) => command !== kind)) return group
    let client: ReservedSQL | undefined
    try {
      const connection = await this.connected()
      client = connection.client
      const args = group.map((pending) => pending.args)
      const results = await make(connection.db, args as never[], client)
      for (const [index, result] of results.entries()) {
        if (result !== undefined) group[index]!.resolve(result)
      }
      return group.filter((_, index) => results[index] === undefined)
    } catch (error) {
      const lost = client
      if (lost && isAway(withCode(error))) this.disconnect(lost)
      // Some of the statements may have begun a transaction.
      else await lost?.unsafe("ROLLBACK").catch(() => this.disconnect(lost))
      return group
    }
  }

  private async commit(group: Pending[], tries = 1): Promise<void> {
    try {
      const results = await this.make(group)
      for (const [index, pending] of group.entries()) pending.resolve(results[index])
    } catch (error) {
      if (error instanceof Refused && group.length === 1) return group[0]!.reject(error.reason)
      if (error instanceof Refused || (isCollision(error) && tries < maxTries)) {
        // One by one, changes block others only briefly, and a refused one does not affect the rest.
        if (isCollision(error)) await Bun.sleep(Math.random() * 10 * tries)
        for (const pending of group) await this.commit([pending], tries + 1)
        return
      }
      this.note(error)
      for (const pending of group) pending.reject(error)
    }
  }

  /**
   * Executes all changes or none. They have no savepoints, which would be half of the messages to
   * the server, and few changes are refused. @throws the error that made the transaction fail
   */
  private async make(group: Pending[]): Promise<unknown[]> {
    const soft = group.every(isSoft)
    const { client, db } = await this.begin(begin(soft, soft ? "" : this.mark.next()))
    const results: unknown[] = []
    try {
      for (const part of parts(group)) results.push(...(await madeTogether(db, part)))
    } catch (error) {
      // A server that no longer accepts changes is not used again through the same connection.
      if (isAway(error)) this.disconnect(client)
      else await client.unsafe("ROLLBACK").catch(() => this.disconnect(client))
      throw endsTransaction(error) ? error : new Refused(error)
    }
    await this.end(client, soft)
    return results
  }

  /** @throws if the transaction was not committed; each caller of a change gets the true result */
  private async end(client: ReservedSQL, soft: boolean): Promise<void> {
    try {
      await client.unsafe("COMMIT")
    } catch (error) {
      const failure = withCode(error)
      this.disconnect(client)
      if (soft || !isAway(failure)) throw failure
      this.note(failure)
      if (!(await this.mark.isMade(this.pool))) throw failure
    }
  }

  /** Begins a transaction; opens a new connection if the stored one was closed meanwhile. */
  private async begin(text: string): Promise<{ client: ReservedSQL; db: Db }> {
    const isStored = this.connection !== undefined
    const connection = await this.connected()
    try {
      await connection.client.unsafe(text).simple()
      return connection
    } catch (error) {
      this.disconnect(connection.client)
      if (!isStored) throw withCode(error)
      return this.begin(text)
    }
  }

  private async connected(): Promise<{ client: ReservedSQL; db: Db }> {
    if (this.connection) return this.connection
    try {
      const client = await this.pool.reserve()
      this.connection = { client, db: kyselyOn(client) }
      return this.connection
    } catch (error) {
      throw withCode(error)
    }
  }

  /** Closes a connection that is lost or in an unknown state; the next change gets another one. */
  private disconnect(client: ReservedSQL): void {
    if (this.connection?.client === client) this.connection = undefined
    client.close({ timeout: 0 }).catch(() => {})
  }
}

/** Thrown if a command refuses its change: its transaction is rolled back. */
class Refused extends Error {
  constructor(readonly reason: unknown) {
    super()
  }
}

/** Commands that need no transaction of several statements; undefined for changes that do. */
const quiet: {
  [V in WriteCommand]?: (db: Db, args: never[], client: ReservedSQL) => Promise<unknown[]>
} = {
  "runs.finish": finishQuietRuns,
  "targets.begin": beginTogether,
  "targets.commit": commitQuietly,
}

/** Commands whose changes are executed together by one statement. */
const together: { [V in WriteCommand]?: (db: Db, args: never[]) => Promise<unknown[]> } = {
  "runs.finish": finishRuns,
}

/** Splits a group into runs of consecutive changes that can be executed together. */
function* parts(group: readonly Pending[]): Generator<Pending[]> {
  let part: Pending[] = []
  for (const pending of group) {
    const fits =
      part.length > 0 && part[0]!.command === pending.command && pending.command in together
    if (!fits && part.length > 0) yield part
    part = fits ? [...part, pending] : [pending]
  }
  if (part.length > 0) yield part
}

async function madeTogether(db: Db, part: readonly Pending[]): Promise<unknown[]> {
  const [first] = part
  const make = together[first!.command]
  if (!make) return [await made(db, first!)]
  try {
    return await make(db, part.map(({ args }) => args) as never[])
  } catch (error) {
    throw withCode(error)
  }
}

async function made(db: Db, { command, args }: Pending): Promise<unknown> {
  try {
    return await (writeCommands[command] as (db: Db, args: unknown) => Promise<unknown>)(db, args)
  } catch (error) {
    throw withCode(error)
  }
}

/**
 * Returns whether an error affects the connection or the transaction instead of only one change.
 */
function endsTransaction(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  if (isCollision(error)) return true
  return typeof code === "string" && /^POSTGRES_(?:AWAY|55P03|53100|25P02)$/.test(code)
}
