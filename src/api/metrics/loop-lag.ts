const everyMs = 500

/** Measures how late a timer fires: a blocked thread delays all responses. */
export class LoopLag {
  private readonly timer: ReturnType<typeof setInterval>

  constructor(report: (seconds: number) => void) {
    let due = performance.now() + everyMs
    this.timer = setInterval(() => {
      const now = performance.now()
      report(Math.max(0, now - due) / 1000)
      due = now + everyMs
    }, everyMs)
    this.timer.unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
