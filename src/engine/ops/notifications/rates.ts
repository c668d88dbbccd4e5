import { BoundedMap } from "../../../base/bounded-map.ts"
import { minuteMs } from "../../../base/time.ts"

/** Maximum channels whose last messages are remembered. */
const remembered = 10_000

/** Counts the messages of each channel in the last minute. */
export class Rates {
  private readonly sent = new BoundedMap<string, number[]>(remembered)

  constructor(private readonly now: () => Date = () => new Date()) {}

  /** Returns how many more messages may be sent now. */
  left(channel: string, perMinute: number): number {
    return Math.max(0, perMinute - this.lately(channel).length)
  }

  note(channel: string): void {
    this.sent.set(channel, [...this.lately(channel), this.now().getTime()])
  }

  private lately(channel: string): number[] {
    const now = this.now().getTime()
    // Times in the future: the clock was set back.
    return (this.sent.get(channel) ?? []).filter((at) => at <= now && at > now - minuteMs)
  }
}
