import type { SQL } from "bun"
import { type DiskFault, diskFault } from "../upkeep/disk-fault.ts"
import type { VerbArguments, VerbResult, WriteVerb } from "../verbs/verbs.ts"
import type { Writer } from "../writer/group-writer.ts"
import { openPostgres } from "./client.ts"
import { Lane } from "./lane.ts"

/** Transactions of one process at a time, beside those of hosts. */
const lanes = 4
/** Rows that all processes write. */
const isOfHost = (verb: WriteVerb) => /^(?:pace|hosts)\./.test(verb)

/**
 * Makes changes in a PostgreSQL: what concerns the same account or run, one after the other, in groups
 * of one transaction each, as long as one waits for the disk; the rest beside them.
 */
export class PostgresWriter implements Writer {
  private readonly client: SQL
  private readonly lanes: Lane[]
  private readonly hosts: Lane
  private closed = false

  /** @param onFault Called when the server, not a change, made changes fail. */
  constructor(url: string, onFault: (fault: DiskFault) => void = () => {}) {
    this.client = openPostgres(url, lanes + 1)
    const note = (error: unknown) => {
      const fault = diskFault(error)
      if (fault) onFault(fault)
    }
    this.lanes = Array.from({ length: lanes }, () => new Lane(this.client, note))
    // Each by itself: who holds a host waits for no other, and keeps nobody waiting for the disk.
    this.hosts = new Lane(this.client, note, 1)
  }

  write<V extends WriteVerb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> {
    if (this.closed) return Promise.reject(new Error("The store is closed."))
    return new Promise((resolve, reject) => {
      const pending = { verb, args, resolve: resolve as (value: unknown) => void, reject }
      const lane = this.lanes[Bun.hash.crc32(subjectOf(args)) % lanes]!
      ;(isOfHost(verb) ? this.hosts : lane).add(pending)
    })
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.all([...this.lanes, this.hosts].map((lane) => lane.drained()))
    await this.client.close({ timeout: 1 })
  }
}

/** Whose rows a change is about: changes of the same would wait for each other. */
function subjectOf(args: unknown): string {
  const { accountId, runId, id, runN } = (args ?? {}) as Record<string, unknown>
  return String(accountId ?? runId ?? id ?? runN ?? "")
}
