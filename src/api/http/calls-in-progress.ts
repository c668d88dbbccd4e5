/** Maximum concurrent requests of one IP address without a valid key. */
export const maxAnonymousCallers = 256

/**
 * Counts the concurrent requests of anonymous callers by IP address: a slow body or a long wait holds
 * a connection. A request with a valid key is not counted: its account has limits.
 */
export class CallsInProgress {
  private readonly counts = new Map<string, number>()
  private readonly leaving = new WeakMap<Request, () => void>()

  constructor(private readonly max = maxAnonymousCallers) {}

  /** Returns false if the IP address has reached its maximum. */
  enter(request: Request, address: string): boolean {
    const count = this.counts.get(address) ?? 0
    if (count >= this.max) return false
    this.counts.set(address, count + 1)
    this.leaving.set(request, () => this.lower(address))
    return true
  }

  /** Call it when the request has finished or is authenticated; a second call has no effect. */
  leave(request: Request): void {
    const leave = this.leaving.get(request)
    if (!leave) return
    this.leaving.delete(request)
    leave()
  }

  private lower(address: string): void {
    const count = (this.counts.get(address) ?? 1) - 1
    if (count > 0) this.counts.set(address, count)
    else this.counts.delete(address)
  }
}
