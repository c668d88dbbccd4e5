import { type Context, type Tab, Timeout } from "../../../catalogue/kit/index.ts"
import { type Share, timeSlices } from "./time-slices.ts"

/** Names of methods that return no promise. */
type AtOnce<O> = {
  [M in keyof O]: O[M] extends (...args: never[]) => infer R
    ? R extends Promise<unknown>
      ? never
      : M
    : never
}[keyof O]

const atOnce: Record<AtOnce<Context> | AtOnce<Context["notes"] & Context["memory"] & Tab>, true> = {
  add: true,
  log: true,
  now: true,
  replaced: true,
  requireModel: true,
  secret: true,
  upstream: true,
}

/** The work on a target, which continues in the time slices of its run. */
export class TargetTurns {
  /** Rejects when a time slice took too long; the target does not continue afterwards. */
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

  /** The run's signal, which is also aborted when a time slice took too long. */
  get signal(): AbortSignal {
    return this.control.signal
  }

  close(): void {
    this.run.removeEventListener("abort", this.onAbort)
  }

  private readonly onAbort = () => this.control.abort(this.run.reason)

  /**
   * Resolves outside a time slice with the result of the target's work, or rejects if a slice took
   * too long. The engine continues from here; in an interrupted slice, the run would be lost.
   */
  ended<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown) => setImmediate(() => reject(reason))
      work.then((value) => setImmediate(() => resolve(value)), fail)
      this.overrun.catch(fail)
    })
  }

  /**
   * Returns a promise whose continuation runs in a time slice; after the run is aborted, it
   * rejects.
   */
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
      this.abandon()
      return
    }
    timeSlices.enter({
      share: this.share,
      go: () => {
        if (!this.isOver) go()
      },
      onOverrun: () => this.abandon(),
    })
  }

  private abandon(): void {
    this.isOver = true
    const reason = new Timeout(
      this.share.isSpent
        ? `The run has used its ${Math.round(this.share.usedMs / 1000)} s of processor time.`
        : "Parsing the response took too much processor time.",
    )
    this.control.abort(reason)
    this.fail(reason)
  }

  /**
   * Calls the engine outside a time slice, because an interrupted slice would keep locks and queue
   * slots of the engine. The continuation runs in a time slice.
   */
  call<T>(call: () => Promise<T>): Promise<T> {
    return this.resume(this.outside(call))
  }

  /** Calls outside the run's time slices; not at all if the run has ended by then. */
  private async outside<T>(call: () => Promise<T>): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve))
    this.signal.throwIfAborted()
    return call()
  }

  /** Wraps a context, so that its calls, memory, notes and tabs continue in time slices. */
  context<C extends Context>(context: C): C {
    const memory = this.wrap(context.memory)
    const notes = this.wrap(context.notes)
    const browse: Context["browse"] = (steps) =>
      this.call(() => context.browse((tab) => this.ended(steps(this.wrap(tab)))))
    const escalate: Context["escalate"] = (url, steps) => {
      type Step = Extract<typeof steps, (ctx: Context) => unknown>
      const inTurns = (step: Step): Step =>
        Object.assign((inner: Context) => this.ended(step(this.context(inner))), {
          needs: step.needs,
        })
      const each = () =>
        Object.entries(steps).flatMap(([fetchMethod, step]) =>
          step ? [[fetchMethod, inTurns(step)]] : [],
        )
      const wrapped = typeof steps === "function" ? inTurns(steps) : Object.fromEntries(each())
      return this.call(() => context.escalate(url, wrapped))
    }
    // A page may have ten thousand links, and following one is synchronous.
    const follow: Context["follow"] = (target, key) => context.follow(target, key)
    const shared = this.sharing(context.shared)
    return this.wrap(context, { memory, notes, browse, escalate, follow, shared })
  }

  /**
   * Shared promises reject if their target is interrupted; each target continues in its own time
   * slice.
   */
  private sharing(shared: Map<string, unknown>): Map<string, unknown> {
    const share = (key: string, value: unknown) => {
      const lasting = value instanceof Promise ? this.ended(value) : value
      if (lasting instanceof Promise) lasting.catch(() => {})
      return shared.set(key, lasting)
    }
    const take = (key: string) => {
      const value = shared.get(key)
      return value instanceof Promise ? this.resume(value) : value
    }
    return new Proxy(shared, {
      get(target, name) {
        if (name === "set") return share
        if (name === "get") return take
        const value = Reflect.get(target, name)
        return typeof value === "function" ? value.bind(target) : value
      },
    })
  }

  /** Wraps an object, so that its asynchronous methods continue in time slices. */
  private wrap<O extends object>(object: O, instead: object = {}): O {
    return new Proxy(object, {
      get: (target, name) => {
        if (name in instead) return Reflect.get(instead, name)
        const value = Reflect.get(target, name)
        if (typeof value !== "function") return value
        if (name in atOnce) return value.bind(target)
        return (...args: unknown[]) => this.call(() => value.apply(target, args))
      },
    })
  }
}
