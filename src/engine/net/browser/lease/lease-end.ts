import { ScrapeError, Unreachable } from "../../../../catalogue/kit/index.ts"

/** The reasons that end a lease early: its timeout, its run's abort, or Chrome's exit. */
export class LeaseEnd {
  private readonly control = new AbortController()
  private readonly undo: (() => void)[] = []

  get signal(): AbortSignal {
    return this.control.signal
  }

  by(reason: ScrapeError): void {
    this.control.abort(reason)
  }

  with(signal: AbortSignal): void {
    const end = () => this.control.abort(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener("abort", end, { once: true })
    this.undo.push(() => signal.removeEventListener("abort", end))
  }

  after(milliseconds: number, reason: ScrapeError): void {
    const timer = setTimeout(() => this.by(reason), milliseconds)
    this.undo.push(() => clearTimeout(timer))
  }

  /** Called when the lease ended normally. */
  clear(): void {
    for (const undo of this.undo.splice(0)) undo()
  }
}

/** Like chromeGone for a remote browser, but not necessarily caused by the page. */
export function browserLost(name: string, reason: string, cause?: unknown): ScrapeError {
  const error = new Unreachable(
    `The browser ${name} was lost, because it ${reason}`,
    "connection",
    {
      code: "browser_crashed",
      cause,
    },
  )
  return Object.assign(error, { isElsewhere: true })
}

/** Whether the connection to a browser on another machine was lost. */
export const isBrowserLost = (error: unknown): boolean =>
  error instanceof ScrapeError && "isElsewhere" in error

export function chromeGone(cause?: unknown): ScrapeError {
  return new Unreachable("Chrome ended while the page was open.", "connection", {
    code: "browser_crashed",
    cause,
  })
}
