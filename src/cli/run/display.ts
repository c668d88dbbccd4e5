import { MultiBar, type SingleBar } from "cli-progress"
import type { LogLine, Progress } from "../../engine/runtime/run/checkpoints.ts"

const redrawMs = 200
/** Minimum milliseconds before a rate is shown. */
const rateAfterMs = 2000

/** Prints the log of a run to stderr, with a progress bar on a terminal. */
export class RunDisplay {
  private readonly bars?: MultiBar
  private bar?: SingleBar
  private timer?: ReturnType<typeof setInterval>

  constructor(private readonly quiet = false) {
    if (quiet || !process.stderr.isTTY) return
    this.bars = new MultiBar({
      stream: process.stderr,
      format: "{bar} {value} of {total} targets, {items} items, {errors} errors{pace}",
      hideCursor: true,
      clearOnComplete: true,
    })
  }

  watch(progress: () => Pick<Progress, Visible>): void {
    const { bars } = this
    if (!bars) return
    const started = performance.now()
    const before = progress().targetsDone
    const draw = () => {
      const { targetsDone, targetsTotal, itemCount, errorCount } = progress()
      const ms = performance.now() - started
      const hostRateLimits = rateLimitText(targetsDone - before, targetsTotal - targetsDone, ms)
      const counts = { items: itemCount, errors: errorCount, hostRateLimits }
      this.bar ??= bars.create(targetsTotal, 0, counts)
      this.bar.setTotal(targetsTotal)
      this.bar.update(targetsDone, counts)
    }
    draw()
    this.timer = setInterval(draw, redrawMs)
  }

  log({ level, message }: Pick<LogLine, "level" | "message">): void {
    if (this.quiet) return
    const line = `${level === "info" ? "" : `${level}: `}${message}\n`
    if (this.bars) this.bars.log(line)
    else process.stderr.write(line)
  }

  end(): void {
    clearInterval(this.timer)
    this.bars?.stop()
  }
}

type Visible = "targetsDone" | "targetsTotal" | "itemCount" | "errorCount"

/** Formats the targets per second and the remaining time. */
function rateLimitText(done: number, left: number, ms: number): string {
  if (done === 0 || ms < rateAfterMs) return ""
  const rate = (done * 1000) / ms
  const rateText = rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`
  return `, ${rateText}, ${durationText(left / rate)} left`
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
