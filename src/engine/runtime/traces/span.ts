import { createHash } from "node:crypto"

export const spanKinds = { internal: 1, server: 2, client: 3 } as const

/** A unit of work in OpenTelemetry's terms, as plain data. */
export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. Default: a new one. */
  spanId?: string
  /** ID of the parent span, 16 hexadecimal digits. */
  parentSpanId?: string | undefined
  name: string
  kind: keyof typeof spanKinds
  /** Milliseconds since 1970. */
  startMs: number
  endMs: number
  /** Numbers are integers. */
  attributes: Record<string, string | number>
  failed: boolean
}

/** Reference to a span. */
export interface SpanContext {
  traceId: string
  spanId: string
}

const form = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/

/** Parses a W3C `traceparent`; returns undefined for other text. */
export function parseTraceparent(text: string | null): SpanContext | undefined {
  const [, traceId, spanId] = form.exec(text ?? "") ?? []
  return traceId && spanId ? { traceId, spanId } : undefined
}

export const formatTraceparent = ({ traceId, spanId }: SpanContext) => `00-${traceId}-${spanId}-01`

/** The part of a run's row that its spans need. */
export interface TracedRun {
  id: string
  trace_parent: string | null
}

/**
 * Returns the context of a run's span and its parent. They are derived from the row, so that every
 * process and attempt reports to the same span. A run without a call (schedule, batch) has its own
 * trace.
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
