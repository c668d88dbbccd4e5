import { AsyncLocalStorage } from "node:async_hooks"
import { formatTraceparent, type SpanContext } from "./span.ts"

const calls = new AsyncLocalStorage<SpanContext>()

/** Executes `work` as part of a call, so that its work can refer to the call's span. */
export function duringCall<R>(context: SpanContext, work: () => R): R {
  return calls.run(context, work)
}

/** Returns the span of the current call; undefined outside calls and without tracing. */
export function currentCall(): SpanContext | undefined {
  return calls.getStore()
}

/** Returns the current span as a W3C `traceparent`, for storage in runs. */
export function currentTraceparent(): string | null {
  const call = currentCall()
  return call ? formatTraceparent(call) : null
}
