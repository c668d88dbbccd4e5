/** Limits concurrent holders; others wait, and a released slot goes to the first of them. */
export class Semaphore {
  private readonly waiting = new Set<() => void>()

  constructor(private free: number) {}

  /**
   * Waits for a slot. Returns a function that releases it, once. An aborted caller leaves the
   * queue. @throws the signal's reason
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.free > 0) this.free--
    else await this.slot(signal)
    let held = true
    return () => {
      if (!held) return
      held = false
      const [next] = this.waiting
      if (next) next()
      else this.free++
    }
  }

  private slot(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        leave()
        resolve()
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      const leave = () => {
        this.waiting.delete(enter)
        signal?.removeEventListener("abort", abort)
      }
      this.waiting.add(enter)
      signal?.addEventListener("abort", abort, { once: true })
    })
  }
}
