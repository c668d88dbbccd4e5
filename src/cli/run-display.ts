import { MultiBar, type SingleBar } from "cli-progress"
import type { LogLine, Progress } from "../engine/run/journal.ts"

const redrawMs = 200

/** The log of a run on stderr, and on a terminal a bar of its progress below it. */
export class RunDisplay {
  private readonly bars?: MultiBar
  private bar?: SingleBar
  private timer?: ReturnType<typeof setInterval>

  constructor() {
    if (!process.stderr.isTTY) return
    this.bars = new MultiBar({
      stream: process.stderr,
      format: "{bar} {value} of {total} targets, {items} items, {errors} errors",
      hideCursor: true,
      clearOnComplete: true,
    })
  }

  watch(progress: () => Progress): void {
    const { bars } = this
    if (!bars) return
    const draw = () => {
      const { targetsDone, targetsTotal, itemCount, errorCount } = progress()
      const counts = { items: itemCount, errors: errorCount }
      this.bar ??= bars.create(targetsTotal, 0, counts)
      this.bar.setTotal(targetsTotal)
      this.bar.update(targetsDone, counts)
    }
    draw()
    this.timer = setInterval(draw, redrawMs)
  }

  log({ level, message }: LogLine): void {
    const line = `${level === "info" ? "" : `${level}: `}${message}\n`
    if (this.bars) this.bars.log(line)
    else process.stderr.write(line)
  }

  end(): void {
    clearInterval(this.timer)
    this.bars?.stop()
  }
}
