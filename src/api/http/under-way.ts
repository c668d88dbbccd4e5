/** Calls of one address that may be under way at once before a key vouches for them. */
const maxAnonymousCallers = 256

/**
 * Counts the calls that strangers have under way, by address: one that sends its body slowly, or
 * waits, holds a connection. A call that shows a good key counts no more: its account has limits.
 */
export class CallsInProgress {
  private readonly counts = new Map<string, number>()
  private readonly leaving = new WeakMap<Request, () => void>()

  constructor(private readonly most = maxAnonymousCallers) {}

  /** False when the address has as many under way as it may have. */
  enter(request: Request, address: string): boolean {
    const count = this.counts.get(address) ?? 0
    if (count >= this.most) return false
    this.counts.set(address, count + 1)
    this.leaving.set(request, () => this.lower(address))
    return true
  }

  /** The call is over, or known to be an account's. May be told twice. */
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
