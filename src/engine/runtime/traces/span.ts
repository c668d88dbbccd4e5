import { createHash } from "node:crypto"

export const spanKinds = { internal: 1, server: 2, client: 3 } as const

/** One piece of work, in the terms of OpenTelemetry; plain data. */
export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. Default: a new one. */
  spanId?: string
  /** Of the caller's span, 16 hexadecimal digits. */
  parentSpanId?: string | undefined
  name: string
  kind: keyof typeof spanKinds
  /** Milliseconds since 1970. */
  startMs: number
  endMs: number
  /** Numbers are whole. */
  attributes: Record<string, string | number>
  failed: boolean
}

/** By what other spans refer to one. */
export interface SpanContext {
  traceId: string
  spanId: string
}

const form = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/

/** Reads W3C's `traceparent`; undefined for a text of another form. */
export function parseTraceparent(text: string | null): SpanContext | undefined {
  const [, traceId, spanId] = form.exec(text ?? "") ?? []
  return traceId && spanId ? { traceId, spanId } : undefined
}

export const formatTraceparent = ({ traceId, spanId }: SpanContext) => `00-${traceId}-${spanId}-01`

/** What a run's spans need of its row. */
export interface TracedRun {
  id: string
  trace_parent: string | null
}

/**
 * Returns the context of a run's span and its parent. They follow from the row, so that every process and
 * every attempt reports to the same span. A run without a call (schedule, batch) has a trace of its own.
 */
export function contextOfRun({ id, trace_parent }: TracedRun): SpanContext & {
  parentSpanId: string | undefined
} {
  const parent = parseTraceparent(trace_parent)
  const digest = createHash("sha256").update(id).digest("hex")
  return {
    traceId: parent?.traceId ?? digest.slice(0, 32),
    spanId: digest.slice(32, 48),
    parentSpanId: parent?.spanId,
  }
}

export function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex()
}
