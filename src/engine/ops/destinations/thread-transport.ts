import { messageOf } from "../../../base/error-message.ts"
import { transfer } from "../../../base/rpc.ts"
import { startThread, type Thread } from "../../../base/thread.ts"
import { threadUrl } from "../../../base/thread-url.ts"
import { minuteMs } from "../../../base/time.ts"
import type { DestinationRow } from "../../../store/destinations/destinations.ts"
import type { DestinationThread, ThreadSettings } from "./destination-thread.ts"
import type { DeliveryJob, DeliveryTransport } from "./transport.ts"

/** Milliseconds without work after which the thread is ended to free its memory. */
const idleMs = minuteMs
/** Longer than a turn and its last request. */
const maxDeliveryMs = 3 * minuteMs

/** Delivers in a thread, which is started when there is something to deliver. */
export class ThreadTransport implements DeliveryTransport {
  private thread?: Thread<DestinationThread> | undefined
  private running = 0
  private ending?: ReturnType<typeof setTimeout>

  constructor(
    private readonly settings: ThreadSettings,
    /** A port to the store's writer. */
    private readonly connect: () => MessagePort,
  ) {}

  deliver(job: DeliveryJob, stopped: AbortSignal) {
    return this.work((thread) => thread.calls.deliver(job, stopped))
  }

  test(destination: DestinationRow, stopped: AbortSignal) {
    return this.work((thread) => thread.calls.test(destination, stopped))
  }

  private async work<T>(call: (thread: Thread<DestinationThread>) => Promise<T>): Promise<T> {
    clearTimeout(this.ending)
    this.running++
    this.thread ??= this.start()
    const { thread } = this
    // A thread that hangs must not keep its destinations from being delivered to.
    const watch = setTimeout(() => thread.end("it did not end its turn"), maxDeliveryMs)
    try {
      return await call(thread)
    } finally {
      clearTimeout(watch)
      if (--this.running === 0) this.endWhenIdle()
    }
  }

  stop(): void {
    clearTimeout(this.ending)
    this.thread?.end()
    this.thread = undefined
  }

  private start(): Thread<DestinationThread> {
    const thread = startThread<DestinationThread>(
      threadUrl("engine/ops/destinations/destination-thread.ts"),
      {
        onFailure: () => {
          if (this.thread === thread) this.thread = undefined
        },
      },
    )
    const writer = this.connect()
    thread.calls
      .open(this.settings, transfer(writer, [writer]))
      .catch((error) => thread.end(messageOf(error)))
    return thread
  }

  private endWhenIdle(): void {
    this.ending = setTimeout(() => this.stop(), idleMs)
    this.ending.unref()
  }
}
