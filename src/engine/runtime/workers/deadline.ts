/** A change that takes longer stops the clock: the disk is full, locked or failing. */
const usualMs = 1000

/** A time limit whose clock stops during long waits that the run does not cause. */
export class Deadline {
  private timer?: ReturnType<typeof setTimeout>
  private readonly wholeMs: number
  private leftMs: number
  private startedAt = 0
  private waits = 0
  private over = false

  constructor(
    milliseconds: number,
    private readonly onEnd: () => void,
    private readonly longMs = usualMs,
  ) {
    this.wholeMs = milliseconds
    this.leftMs = milliseconds
    this.go()
  }

  /** Stops the clock while `work` is pending for longer than `longMs`. */
  spare(work: Promise<unknown>): void {
    let waiting = false
    const long = setTimeout(() => {
      waiting = true
      if (this.waits++ === 0) this.halt()
    }, this.longMs)
    const done = () => {
      clearTimeout(long)
      if (waiting && --this.waits === 0) this.go()
    }
    work.then(done, done)
  }

  /** Milliseconds counted so far. */
  get spentMs(): number {
    return Math.round(this.wholeMs - this.timeLeftMs)
  }

  get timeLeftMs(): number {
    return this.waits > 0 ? this.leftMs : this.leftMs - (performance.now() - this.startedAt)
  }

  clear(): void {
    this.over = true
    clearTimeout(this.timer)
  }

  private go(): void {
    if (this.over) return
    this.startedAt = performance.now()
    this.timer = setTimeout(() => {
      this.over = true
      this.onEnd()
    }, this.leftMs)
  }

  private halt(): void {
    clearTimeout(this.timer)
    this.leftMs = Math.max(0, this.leftMs - (performance.now() - this.startedAt))
  }
}
