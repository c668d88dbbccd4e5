import { messageOf } from "../../base/error-message.ts"
import { transfer } from "../../base/rpc.ts"
import { startThread, type Thread } from "../../base/thread.ts"
import { threadUrl } from "../../base/thread-url.ts"
import type { CommandArguments, CommandResult, WriteCommand } from "../commands/commands.ts"
import type { DiskError } from "../db/disk/disk-error.ts"
import { isPostgresUrl } from "../db/postgres/client.ts"
import type { Writer } from "./group-writer.ts"
import { changeBy, maxRunning } from "./writer-port.ts"
import type { WriterThread } from "./writer-thread.ts"

/** The writer in a thread of its own, which is started at the first change. */
export class ThreadWriter implements Writer {
  private thread?: Thread<WriterThread>
  private closing = false
  private readonly commits = new Int32Array(new SharedArrayBuffer(4))

  /** Called when the disk, not a change, made changes fail. */
  onIssue: (issue: DiskError) => void = () => {}

  /**
   * @param onDeath Called when the thread ends unexpectedly and no change can be made any more. By
   *   default the process ends; all acknowledged changes are on disk.
   */
  constructor(
    private readonly database: string,
    private readonly onDeath: (error: Error) => void = endProcess,
  ) {}

  get changes(): number | undefined {
    return isPostgresUrl(this.database) ? undefined : Atomics.load(this.commits, 0)
  }

  write<V extends WriteCommand>(command: V, args: CommandArguments<V>): Promise<CommandResult<V>> {
    if (this.closing) return Promise.reject(new Error("The store is closed."))
    return changeBy(this.started().calls, command, args)
  }

  /** Returns a separate port to the writer, for another thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.started().tells.serve(transfer(port1, [port1]))
    return port2
  }

  private started(): Thread<WriterThread> {
    if (this.thread) return this.thread
    const thread = startThread<WriterThread>(threadUrl("store/writer/writer-thread.ts"), {
      max: maxRunning,
      onFailure: (reason) => this.died(reason),
    })
    this.thread = thread
    // Stays open as long as the thread.
    thread.calls
      .open(this.database, this.commits, (issue) => this.onIssue(issue))
      .catch((error) => thread.end(messageOf(error)))
    return thread
  }

  private died(reason: string): void {
    this.closing = true
    this.onDeath(new Error(`The thread that writes to the database ended: ${reason}`))
  }

  /** Resolves when all earlier changes are on disk and the database is closed. */
  async close(): Promise<void> {
    this.closing = true
    await this.thread?.calls.close()
    this.thread?.end()
  }
}

function endProcess(error: Error): void {
  console.error(error.message)
  process.exit(70)
}
