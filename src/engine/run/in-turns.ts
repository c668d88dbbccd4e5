import { type Context, Timeout } from "../../catalogue/kit/index.ts"
import { type Share, turns } from "./turns.ts"

/** One target's work, which goes on in turns of its run's share. */
export class TargetTurns {
  /** Rejects when a turn took too long; nothing of the target goes on after that. */
  private readonly overrun: Promise<never>
  private readonly control = new AbortController()
  private isOver = false
  private fail!: (reason: Timeout) => void

  constructor(
    private readonly share: Share,
    private readonly run: AbortSignal,
  ) {
    this.overrun = new Promise((_, reject) => {
      this.fail = reject
    })
    this.overrun.catch(() => {})
    if (run.aborted) this.onAbort()
    else run.addEventListener("abort", this.onAbort)
  }

  /** The run's, and aborted as well when a turn took too long. */
  get signal(): AbortSignal {
    return this.control.signal
  }

  close(): void {
    this.run.removeEventListener("abort", this.onAbort)
  }

  private readonly onAbort = () => this.control.abort(this.run.reason)

  /**
   * The end of the target's work, or that a turn took too long, told in no turn: what goes on from here
   * is the run's, and would be lost with a turn that is ended, and the run with it.
   */
  ended(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown) => setImmediate(() => reject(reason))
      work.then(() => setImmediate(resolve), fail)
      this.overrun.catch(fail)
    })
  }

  /** The same promise, whose continuation is a turn; what comes once the run is aborted is its end. */
  resume<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.control
    return new Promise((resolve, reject) => {
      work.then(
        (value) => this.enter(() => (signal.aborted ? reject(signal.reason) : resolve(value))),
        (error) => this.enter(() => reject(error)),
      )
    })
  }

  private enter(go: () => void): void {
    if (this.isOver) return
    if (this.share.isSpent) {
      this.giveUp()
      return
    }
    turns.enter({
      share: this.share,
      go: () => {
        if (!this.isOver) go()
      },
      onOverrun: () => this.giveUp(),
    })
  }

  private giveUp(): void {
    this.isOver = true
    const reason = new Timeout(
      this.share.isSpent
        ? `The run has used the ${Math.round(this.share.usedMs / 1000)} s of processor time that it has.`
        : "Reading what was answered took too much processor time.",
    )
    this.control.abort(reason)
    this.fail(reason)
  }

  /** A context whose calls, and those of its memory, its notes and its tabs, go on in turns. */
  context<C extends Context>(context: C): C {
    const memory = this.wrap(context.memory)
    const notes = this.wrap(context.notes)
    const browse: Context["browse"] = (steps) =>
      this.resume(context.browse((tab) => steps(this.wrap(tab))))
    const escalate: Context["escalate"] = (url, steps) => {
      type Step = Extract<typeof steps, (ctx: Context) => unknown>
      const inTurns =
        (step: Step): Step =>
        (inner) =>
          step(this.context(inner))
      const each = () =>
        Object.entries(steps).flatMap(([way, step]) => (step ? [[way, inTurns(step)]] : []))
      const wrapped = typeof steps === "function" ? inTurns(steps) : Object.fromEntries(each())
      return this.resume(context.escalate(url, wrapped))
    }
    // A page may have ten thousand links, and following one waits for nothing.
    const follow: Context["follow"] = (target, key) => context.follow(target, key)
    return this.wrap(context, { memory, notes, browse, escalate, follow })
  }

  /** An object whose methods' promises go on in turns. */
  private wrap<O extends object>(object: O, instead: object = {}): O {
    return new Proxy(object, {
      get: (target, name) => {
        if (name in instead) return Reflect.get(instead, name)
        const value = Reflect.get(target, name)
        if (typeof value !== "function") return value
        return (...args: unknown[]) => {
          const result = value.apply(target, args)
          return result instanceof Promise ? this.resume(result) : result
        }
      },
    })
  }
}
