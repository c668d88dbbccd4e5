import { AsyncLocalStorage } from "node:async_hooks"
import { formatTraceparent, type SpanContext } from "./span.ts"

const calls = new AsyncLocalStorage<SpanContext>()

/** Executes `work` as a part of a call; what it starts can refer to the call's span. */
export function duringCall<R>(context: SpanContext, work: () => R): R {
  return calls.run(context, work)
}

/** Returns the span of the call that is in progress; undefined outside of calls and without traces. */
export function currentCall(): SpanContext | undefined {
  return calls.getStore()
}

/** Returns the same as W3C's `traceparent`, as runs store it. */
export function currentTraceparent(): string | null {
  const call = currentCall()
  return call ? formatTraceparent(call) : null
}
