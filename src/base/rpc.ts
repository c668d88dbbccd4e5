import { decodeError, type ErrorMessage, encodeError } from "./error-crossing.ts"

/**
 * An interface that one thread serves and another calls, over the two ends of a channel:
 *
 *     serve<Pace>(port1, { acquire: async (host, onWait, signal) => …, release(id) { … } })
 *
 *     const thread = connect<Pace>(port2)
 *     const id = await thread.calls.acquire("example.com", log, signal)
 *
 * Arguments and results are cloned. An argument may be a signal, which is aborted over there, too, with
 * its reason, or a function, which is called back as long as the call lasts, and returns nothing. What
 * a call throws is thrown here. A call by the second object that `connect` returns has no reply, and its
 * errors are ignored over there.
 */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void
  onmessage: ((event: MessageEvent) => void) | null
}

interface Call {
  /** Missing if no reply is expected. */
  id?: number
  method: string
  args: unknown[]
  /** Positions of arguments that cannot be posted. */
  signal?: number
  functions?: number[]
}
type Request = Call | { abort: number; reason: ErrorMessage }
type Reply =
  | { id: number; value: unknown }
  | { id: number; error: ErrorMessage }
  | { id: number; function: number; args: unknown[] }

// biome-ignore lint/suspicious/noExplicitAny: the arguments are those of any method
type Method = (...args: any[]) => unknown

/** An interface from the calling thread's perspective. */
export type Calls<I> = {
  [M in keyof I]: I[M] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never
}
type Notifications<I> = {
  [M in keyof I]: I[M] extends (...args: infer A) => unknown ? (...args: A) => void : never
}

const moved = new WeakMap<object, Transferable[]>()

/** Marks parts of an argument or result, or itself, for transfer instead of cloning. */
export function transfer<T extends object>(value: T, parts: Transferable[]): T {
  moved.set(value, parts)
  return value
}

function partsOf(values: unknown[]): Transferable[] {
  return values.flatMap((value) => moved.get(value as object) ?? [])
}

/** Executes the calls that arrive at a port; the returned function aborts all running calls. */
export function serve<I extends object>(port: Port, implementation: I): () => void {
  const running = new Map<number, AbortController>()
  const reply = (message: Reply, values: unknown[] = []) =>
    port.postMessage(message, partsOf(values))

  const carryOut = ({ id = 0, method, args, signal, functions = [] }: Call): unknown => {
    if (signal !== undefined) {
      const control = new AbortController()
      running.set(id, control)
      args[signal] = control.signal
    }
    for (const index of functions) {
      args[index] = (...values: unknown[]) => reply({ id, function: index, args: values }, values)
    }
    return (implementation as Record<string, Method>)[method]!(...args)
  }

  port.onmessage = async ({ data }: MessageEvent<Request>) => {
    if ("abort" in data) return running.get(data.abort)?.abort(decodeError(data.reason))
    const { id } = data
    if (id === undefined) return carryOut(data)
    try {
      const value = await carryOut(data)
      reply({ id, value }, [value])
    } catch (error) {
      reply({ id, error: encodeError(error) })
    } finally {
      running.delete(id)
    }
  }
  return () => {
    const reason = new Error("The other thread has ended.")
    for (const control of running.values()) control.abort(reason)
  }
}

/** The calling end of a channel. */
export interface Connection<I> {
  calls: Calls<I>
  tells: Notifications<I>
  /** Called when the other thread has ended: rejects all running and future calls. */
  fail(error: Error): void
}

interface Waiting {
  args: unknown[]
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** @param max Maximum concurrent calls; further ones wait in this thread, in order. */
export function connect<I extends object>(
  port: Port,
  max = Number.POSITIVE_INFINITY,
): Connection<I> {
  const waiting = new Map<number, Waiting>()
  const held: (() => void)[] = []
  let lastId = 0
  let failure: Error | undefined

  port.onmessage = ({ data }: MessageEvent<Reply>) => {
    const call = waiting.get(data.id)
    if ("function" in data) {
      ;(call?.args[data.function] as Method | undefined)?.(...data.args)
      return
    }
    waiting.delete(data.id)
    if ("error" in data) call?.reject(decodeError(data.error))
    else call?.resolve(data.value)
    while (waiting.size < max && held.length > 0) held.shift()!()
  }

  const call = (method: string, args: unknown[]): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++lastId
    const signal = args.find((value) => value instanceof AbortSignal)
    const send = () => {
      try {
        if (failure) throw failure
        signal?.throwIfAborted()
        post(port, { id, method, args })
        waiting.set(id, { args, resolve, reject })
      } catch (error) {
        reject(error)
      }
    }
    if (waiting.size < max) send()
    else held.push(send)
    if (!signal) return promise
    const abort = () => port.postMessage({ abort: id, reason: encodeError(signal.reason) }, [])
    signal.addEventListener("abort", abort, { once: true })
    return promise.finally(() => signal.removeEventListener("abort", abort))
  }

  return {
    calls: methods(call) as Calls<I>,
    tells: methods((method, args) => post(port, { method, args })) as Notifications<I>,
    fail(error) {
      failure = error
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      for (const send of held.splice(0)) send()
    },
  }
}

function post(port: Port, call: Call): void {
  const functions: number[] = []
  const args = call.args.map((value, index) => {
    if (typeof value === "function") functions.push(index)
    else if (value instanceof AbortSignal) call.signal = index
    else return value
    return undefined
  })
  if (functions.length > 0) call.functions = functions
  port.postMessage({ ...call, args }, partsOf(args))
}

function methods(call: (method: string, args: unknown[]) => unknown): object {
  const known = new Map<string, Method>()
  return new Proxy(known, {
    get(_, name) {
      // `await` checks objects for this method.
      if (typeof name !== "string" || name === "then") return undefined
      const method = known.get(name) ?? ((...args: unknown[]) => call(name, args))
      known.set(name, method)
      return method
    },
  })
}
