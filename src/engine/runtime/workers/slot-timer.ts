/** Timer for checking whether runs have to free their slots. */
export class SlotTimer {
  private timer?: ReturnType<typeof setTimeout> | undefined
  private dueAt = 0
  private lastAt = Number.NEGATIVE_INFINITY

  constructor(private readonly look: () => void) {}

  /** Checks at the latest `milliseconds` after the last check. */
  within(milliseconds: number): void {
    const at = performance.now()
    const dueAt = Math.max(at, this.lastAt + milliseconds)
    if (this.timer && this.dueAt <= dueAt) return
    this.stop()
    this.dueAt = dueAt
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.lastAt = performance.now()
      this.look()
    }, dueAt - at)
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
