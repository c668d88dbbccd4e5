import type { SQL } from "bun"
import { sql } from "kysely"
import type { Db } from "../database.ts"
import { withCode } from "./errors.ts"

/**
 * Maximum time for finding out whether a transaction was committed; a standby takes over sooner.
 */
const maxMs = 30_000
const againMs = 250
/** The marks of ended processes are removed after a day. */
const retentionMs = 86_400_000

const now = "extract(epoch FROM clock_timestamp()) * 1000"

/**
 * A row that shows whether a transaction was committed when COMMIT got no response. It contains a
 * number that is part of the transaction. The server's own transaction ID cannot be used: a standby
 * that takes over may give it to another transaction.
 */
export class CommitMark {
  private readonly tenant = crypto.randomUUID()
  private n = 0

  /** Statement that marks a new transaction. */
  next(): string {
    this.n++
    return `INSERT INTO commits AS mark (lane, n, at) VALUES ('${this.tenant}', ${this.n}, ${now})
      ON CONFLICT (lane) DO UPDATE SET n = excluded.n, at = excluded.at`
  }

  /**
   * Returns whether the last marked transaction was committed; false also if no response came in time.
   * Waits while the transaction is in progress. The check writes, so that a response proves that a
   * synchronous standby has all earlier commits, too.
   */
  async isMade(pool: SQL): Promise<boolean> {
    for (const end = performance.now() + maxMs; performance.now() < end; ) {
      try {
        return await Promise.race([this.look(pool), late(end - performance.now())])
      } catch {
        await Bun.sleep(againMs)
      }
    }
    return false
  }

  private async look(pool: SQL): Promise<boolean> {
    const [row] = await pool
      .unsafe(`UPDATE commits SET at = ${now} WHERE lane = '${this.tenant}' RETURNING n`)
      .catch((error: unknown) => {
        throw withCode(error)
      })
    return Number(row?.n) === this.n
  }
}

async function late(milliseconds: number): Promise<false> {
  await Bun.sleep(milliseconds)
  return false
}

export async function forgetCommits(db: Db): Promise<void> {
  await sql`DELETE FROM commits WHERE at < ${sql.raw(now)} - ${retentionMs}::float`.execute(db)
}
