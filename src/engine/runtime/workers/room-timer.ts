/** When it is looked whether runs have to make room. */
export class RoomTimer {
  private timer?: ReturnType<typeof setTimeout> | undefined
  private dueAt = 0
  private lastAt = Number.NEGATIVE_INFINITY

  constructor(private readonly look: () => void) {}

  /** Looks when `milliseconds` have passed since the last time, at once if they have, or sooner if that was asked. */
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
