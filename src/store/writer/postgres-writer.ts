import type { SQL } from "bun"
import type { CommandArguments, CommandResult, WriteCommand } from "../commands/commands.ts"
import { type DiskError, diskIssue } from "../db/disk/disk-error.ts"
import { openPostgres } from "../db/postgres/client.ts"
import type { Writer } from "./group-writer.ts"
import { Tenant } from "./postgres-tenant.ts"

/** Concurrent transactions of one process, in addition to those for hosts, and for starts and ends. */
const tenants = 4
/** Concurrent transactions with results of targets. */
const results = 2
/** Rows that all processes write. */
const isOfHost = (command: WriteCommand) => /^(?:rateLimits|hosts)\./.test(command)

/**
 * Makes changes in PostgreSQL. Changes of the same account or run follow each other: those that arrive
 * during a commit form the next transaction. Other changes run concurrently.
 */
export class PostgresWriter implements Writer {
  private readonly client: SQL
  private readonly tenants: Tenant[]
  private readonly results: Tenant[]
  private readonly hosts: Tenant
  private readonly ends: Tenant
  private readonly starts: Tenant
  private closed = false

  /** @param onFault Called when the server, not a change, made changes fail. */
  constructor(url: string, onIssue: (issue: DiskError) => void = () => {}) {
    this.client = openPostgres(url, tenants + results + 3)
    const note = (error: unknown) => {
      const issue = diskIssue(error)
      if (issue) onIssue(issue)
    }
    this.tenants = Array.from({ length: tenants }, () => new Tenant(this.client, note))
    // A page is fetched again if its process is lost before its result is stored, so results do not wait for
    // the statements of other changes.
    this.results = Array.from({ length: results }, () => new Tenant(this.client, note))
    // One change per transaction: a host's lock is held neither for other changes nor for the disk.
    this.hosts = new Tenant(this.client, note, 1)
    // Runs that end at the same moment share a statement, whatever their accounts.
    this.ends = new Tenant(this.client, note)
    // Results of targets do not wait until others are marked as running.
    this.starts = new Tenant(this.client, note)
  }

  write<V extends WriteCommand>(command: V, args: CommandArguments<V>): Promise<CommandResult<V>> {
    if (this.closed) return Promise.reject(new Error("The store is closed."))
    return new Promise((resolve, reject) => {
      const pending = { command, args, resolve: resolve as (value: unknown) => void, reject }
      this.tenantFor(command, args).add(pending)
    })
  }

  private tenantFor(command: WriteCommand, args: unknown): Tenant {
    if (isOfHost(command)) return this.hosts
    // The caller has already received the responses to its run's other changes.
    if (command === "runs.finish") return this.ends
    if (command === "targets.begin") return this.starts
    const hash = Bun.hash.crc32(subjectOf(args))
    if (command === "targets.commit") return this.results[hash % results]!
    return this.tenants[hash % tenants]!
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.all(
      [...this.tenants, ...this.results, this.hosts, this.starts, this.ends].map((tenant) =>
        tenant.drained(),
      ),
    )
    await this.client.close({ timeout: 1 })
  }
}

/**
 * Returns an ID of the rows that a change affects. Changes with the same ID would wait for each
 * other.
 */
function subjectOf(args: unknown): string {
  const { run, quota, ...change } = (args ?? {}) as Record<string, unknown>
  // Quotas are changed in any order: several connections would cause deadlocks.
  if (quota) return ""
  const { accountId, runId, id, runN } = (run ?? change) as Record<string, unknown>
  return String(accountId ?? runId ?? id ?? runN ?? "")
}
