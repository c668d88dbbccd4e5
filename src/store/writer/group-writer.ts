import type { Database } from "bun:sqlite"
import {
  type CommandArguments,
  type CommandResult,
  type Soft,
  type WriteCommand,
  writeCommands,
} from "../commands/commands.ts"
import { type Db, kyselyOver } from "../db/database.ts"
import { type DiskError, diskIssue } from "../db/disk/disk-error.ts"

/** Executes changes, in this thread (GroupWriter) or in the writer's thread (ThreadWriter). */
export interface Writer {
  /**
   * Resolves when the change is on disk, or when it is made if it is soft. @throws the command's
   * error; nothing was changed then
   */
  write<V extends WriteCommand>(command: V, args: CommandArguments<V>): Promise<CommandResult<V>>
  /** Number of commits so far, or undefined if other processes commit as well. */
  readonly changes?: number | undefined
  close(): Promise<void>
}

interface Pending {
  command: WriteCommand
  args: unknown
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** Maximum commands of one commit. */
const groupSize = 512
/** Milliseconds after a soft change within which all changes are written to disk. */
const softMs = 100

const isSoft = ({ args }: Pending) => (args as Soft | null)?.soft === true

/**
 * The only connection that writes. Changes that arrive during a commit form the next group: one
 * transaction, one fsync, and a savepoint for each command. A group of soft changes only has no fsync.
 */
export class GroupWriter implements Writer {
  private readonly db: Db
  private queue: Pending[] = []
  private draining?: Promise<void>
  private closed = false
  private syncs = true
  private syncing?: ReturnType<typeof setTimeout>

  /** @param onFault Called when the disk, not a change, made a group fail. */
  constructor(
    private readonly sqlite: Database,
    private readonly onIssue: (issue: DiskError) => void = () => {},
    /** Number of commits; other threads read it. */
    private readonly commits: Int32Array = new Int32Array(1),
  ) {
    // SQLite copies the pages that a command changes before it changes them. In a file, these copies cost as
    // much as the command. Each command changes a bounded number of rows, so memory can hold them.
    sqlite.run("PRAGMA temp_store = MEMORY")
    this.db = kyselyOver(sqlite)
  }

  get changes(): number {
    return Atomics.load(this.commits, 0)
  }

  write<V extends WriteCommand>(command: V, args: CommandArguments<V>): Promise<CommandResult<V>> {
    if (this.closed) return Promise.reject(new Error("The store is closed."))
    return new Promise((resolve, reject) => {
      this.queue.push({ command, args, resolve: resolve as Pending["resolve"], reject })
      this.draining ??= this.drain()
    })
  }

  private async drain(): Promise<void> {
    // Waits one turn of the event loop, so that concurrent callers share a commit.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.queue.length > 0) {
      const group = this.queue.splice(0, groupSize)
      await this.commit(group)
    }
    // In the same turn as the last check of the queue, so that a later change starts a new drain.
    this.draining = undefined
  }

  private async commit(group: Pending[]): Promise<void> {
    const settled: (() => void)[] = []
    try {
      this.sync(!group.every(isSoft))
      this.sqlite.run("BEGIN IMMEDIATE")
      for (const pending of group) settled.push(await this.apply(pending))
      this.sqlite.run("COMMIT")
      Atomics.add(this.commits, 0, 1)
    } catch (error) {
      if (this.sqlite.inTransaction) this.sqlite.run("ROLLBACK")
      this.note(error)
      for (const pending of group) pending.reject(error)
      return
    }
    for (const settle of settled) settle()
    this.syncSoon()
  }

  /** Sets whether the next commit waits for the disk, including all earlier changes. */
  private sync(isWanted: boolean): void {
    if (isWanted === this.syncs) return
    this.sqlite.run(`PRAGMA synchronous = ${isWanted ? "FULL" : "NORMAL"}`)
    this.syncs = isWanted
  }

  private syncSoon(): void {
    if (this.syncs) {
      clearTimeout(this.syncing)
      this.syncing = undefined
      return
    }
    this.syncing ??= setTimeout(() => {
      this.syncing = undefined
      // The error was reported and affects every following change as well.
      this.write("store.probe", null).catch(() => {})
    }, softMs)
  }

  private async apply(pending: Pending): Promise<() => void> {
    this.sqlite.run("SAVEPOINT command")
    try {
      const command = writeCommands[pending.command] as (db: Db, args: unknown) => Promise<unknown>
      const result = await command(this.db, pending.args)
      this.sqlite.run("RELEASE command")
      return () => pending.resolve(result)
    } catch (error) {
      // A full disk ends the whole transaction.
      if (!this.sqlite.inTransaction) throw error
      this.note(error)
      this.sqlite.run("ROLLBACK TO command")
      this.sqlite.run("RELEASE command")
      return () => pending.reject(error)
    }
  }

  private note(error: unknown): void {
    const issue = diskIssue(error)
    if (issue) this.onIssue(issue)
  }

  async close(): Promise<void> {
    this.closed = true
    await this.draining
    clearTimeout(this.syncing)
    try {
      this.sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch (error) {
      // Acknowledged changes are in the write-ahead log in any case.
      this.note(error)
    }
    this.sqlite.close()
  }
}
