import type { SQL } from "bun"
import type { CommandArguments, CommandResult, WriteCommand } from "../commands/commands.ts"
import { type DiskError, diskIssue } from "../upkeep/disk-error.ts"
import type { Writer } from "../writer/group-writer.ts"
import { openPostgres } from "./client.ts"
import { Tenant } from "./lane.ts"

/** Transactions of one process at a time, beside those of hosts. */
const tenants = 4
/** Rows that all processes write. */
const isOfHost = (command: WriteCommand) => /^(?:pace|hosts)\./.test(command)

/**
 * Makes changes in a PostgreSQL: what concerns the same account or run, one after the other, in groups
 * of one transaction each, as long as one waits for the disk; the rest beside them.
 */
export class PostgresWriter implements Writer {
  private readonly client: SQL
  private readonly tenants: Tenant[]
  private readonly hosts: Tenant
  private closed = false

  /** @param onFault Called when the server, not a change, made changes fail. */
  constructor(url: string, onIssue: (issue: DiskError) => void = () => {}) {
    this.client = openPostgres(url, tenants + 1)
    const note = (error: unknown) => {
      const issue = diskIssue(error)
      if (issue) onIssue(issue)
    }
    this.tenants = Array.from({ length: tenants }, () => new Tenant(this.client, note))
    // Each by itself: who holds a host waits for no other, and keeps nobody waiting for the disk.
    this.hosts = new Tenant(this.client, note, 1)
  }

  write<V extends WriteCommand>(command: V, args: CommandArguments<V>): Promise<CommandResult<V>> {
    if (this.closed) return Promise.reject(new Error("The store is closed."))
    return new Promise((resolve, reject) => {
      const pending = { command, args, resolve: resolve as (value: unknown) => void, reject }
      const tenant = this.tenants[Bun.hash.crc32(subjectOf(args)) % tenants]!
      ;(isOfHost(command) ? this.hosts : tenant).add(pending)
    })
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.all([...this.tenants, this.hosts].map((tenant) => tenant.drained()))
    await this.client.close({ timeout: 1 })
  }
}

/** Whose rows a change is about: changes of the same would wait for each other. */
function subjectOf(args: unknown): string {
  const { accountId, runId, id, runN } = (args ?? {}) as Record<string, unknown>
  return String(accountId ?? runId ?? id ?? runN ?? "")
}
