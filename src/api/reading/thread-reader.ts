import { messageOf } from "../../base/error-message.ts"
import { startThread, type Thread } from "../../base/thread.ts"
import { threadUrl } from "../../base/thread-url.ts"
import type { Reader, Reading } from "./reader.ts"
import type { ReadingThread } from "./reading-thread.ts"
import type { Requested } from "./responses.ts"

/**
 * Produces long responses in a thread with its own database connection, so that the main thread
 * serves other requests. Started at the first response, restarted if it ended.
 */
export class ThreadReader implements Reader {
  private thread?: Thread<ReadingThread>
  private lastNumber = 0

  /** @param database Path or URL of the database. */
  constructor(private readonly database: string) {}

  read(requested: Requested): Reading {
    this.thread ??= this.start()
    const { calls, tells: notify } = this.thread
    const number = ++this.lastNumber
    notify.read(number, requested)
    return { next: () => calls.next(number), cancel: () => notify.cancel(number) }
  }

  private start(): Thread<ReadingThread> {
    const thread = startThread<ReadingThread>(threadUrl("api/reading/reading-thread.ts"), {
      onFailure: () => {
        if (this.thread === thread) this.thread = undefined
      },
    })
    thread.calls.open(this.database).catch((error) => thread.end(messageOf(error)))
    return thread
  }

  stop(): void {
    this.thread?.end("the service is shutting down")
  }
}
