import { threadUrl } from "../../thread-url.ts"
import type { DiskFault } from "../upkeep/disk-fault.ts"
import type { VerbArguments, VerbResult, WriteVerb } from "../verbs/verbs.ts"
import type { Writer } from "./group-writer.ts"
import { type Port, PortWriter } from "./protocol.ts"
import type { WriterCommand, WriterNews } from "./writer-thread.ts"

/** The writer in a thread of its own, which is started at the first change. */
export class ThreadWriter implements Writer {
  private thread?: Worker
  private port?: PortWriter
  private closing = false

  /** Called when the disk, not a change, made changes fail. */
  onFault: (fault: DiskFault) => void = () => {}

  /**
   * @param onDeath Called when the thread ends by itself: no change can be made any more. By
   *   default the process ends; whatever was acknowledged is on disk.
   */
  constructor(
    private readonly path: string,
    private readonly onDeath: (error: Error) => void = endProcess,
  ) {}

  write<V extends WriteVerb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> {
    if (this.closing) return Promise.reject(new Error("The store is closed."))
    this.start()
    return this.port!.write(verb, args)
  }

  /** A port of its own to the writer, to be posted to another thread. */
  connect(): MessagePort {
    this.start()
    const { port1, port2 } = new MessageChannel()
    this.command({ type: "connect", port: port1 }, [port1])
    return port2
  }

  private start(): void {
    if (this.thread) return
    this.thread = new Worker(threadUrl("store/writer/writer-thread.ts"), { smol: true })
    this.thread.addEventListener("error", (event) => this.died(event.message))
    this.thread.addEventListener("close", () => this.died("it was closed"))
    this.thread.addEventListener("message", ({ data }: MessageEvent<WriterNews>) => {
      if (data.type === "fault") this.onFault(data.fault)
    })
    const { port1, port2 } = new MessageChannel()
    this.port = new PortWriter(port2 as unknown as Port)
    this.command({ type: "open", path: this.path, port: port1 }, [port1])
  }

  private command(command: WriterCommand, ports: MessagePort[] = []): void {
    this.thread!.postMessage(command, ports)
  }

  private died(reason: string): void {
    if (this.closing) return
    this.closing = true
    const error = new Error(`The thread that writes to the database ended: ${reason}`)
    this.port?.fail(error)
    this.onDeath(error)
  }

  /** Resolves when all changes asked for before are on disk and the database is closed. */
  async close(): Promise<void> {
    const { thread } = this
    this.closing = true
    if (!thread) return
    await this.port!.settled()
    const closed = new Promise<void>((resolve) => {
      thread.addEventListener("message", ({ data }: MessageEvent<WriterNews>) => {
        if (data.type === "closed") resolve()
      })
    })
    this.command({ type: "close" })
    await closed
    thread.terminate()
  }
}

function endProcess(error: Error): void {
  console.error(error.message)
  process.exit(70)
}
