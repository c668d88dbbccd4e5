import type { SentDelivery } from "../../engine/ops/notifications/sender.ts"
import {
  contextOfRun,
  parseTraceparent,
  randomHex,
  type Span,
  type SpanContext,
  type TracedRun,
} from "../../engine/runtime/traces/span.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { CallFacts } from "../log/call-facts.ts"

/**
 * Returns the context of a call's new span. It belongs to the caller's trace if the call has one.
 */
export function contextOfCall({ headers }: Request): SpanContext {
  const parent = parseTraceparent(headers.get("traceparent"))
  return { traceId: parent?.traceId ?? randomHex(16), spanId: randomHex(8) }
}

/** Returns a call as a span. */
export function spanOfCall(call: {
  context: SpanContext
  request: Request
  route: string
  status: number
  startMs: number
  endMs: number
  facts: CallFacts | undefined
}): Span {
  const { context, request, route, status, startMs, endMs, facts = {} } = call
  return {
    ...context,
    parentSpanId: parseTraceparent(request.headers.get("traceparent"))?.spanId,
    name: `${request.method} ${route}`,
    kind: "server",
    startMs,
    endMs,
    attributes: {
      "http.request.method": request.method,
      "http.route": route,
      "http.response.status_code": status,
      ...Object.fromEntries(Object.entries(facts).map(([name, id]) => [`trawl.${name}`, id])),
    },
    failed: status >= 500,
  }
}

/** Returns a finished run as a span, in the trace of the call that started it; undefined for another run. */
export function spanOfRun(run: RunRow): Span | undefined {
  if (run.finished_at === null || run.started_at === null) return undefined
  return {
    ...contextOfRun(run),
    name: `run ${run.slug}`,
    kind: "internal",
    startMs: Date.parse(run.started_at),
    endMs: Date.parse(run.finished_at),
    attributes: {
      "trawl.run": run.id,
      "trawl.scraper": run.slug,
      "trawl.origin": run.origin,
      "trawl.status": run.status,
      "trawl.targets": run.targets_done,
      "trawl.pages": run.page_count,
      "trawl.items": run.item_count,
      "trawl.attempts": run.attempt,
      "trawl.waitMs": Date.parse(run.started_at) - Date.parse(run.created_at),
      ...(run.account_id !== null && { "trawl.account": run.account_id }),
      ...(run.error_code !== null && { "trawl.code": run.error_code }),
    },
    failed: run.status === "failed" || run.status === "timed_out",
  }
}

/** Returns a database command as a span of the call that requested it. */
export function spanOfCommand(
  call: SpanContext,
  command: string,
  startMs: number,
  failed: boolean,
): Span {
  return {
    traceId: call.traceId,
    parentSpanId: call.spanId,
    name: `db ${command}`,
    kind: "client",
    startMs,
    endMs: Date.now(),
    attributes: { "db.operation.name": command },
    failed,
  }
}

/** Returns one attempt of a delivery as a span of the run that it reports. */
export function spanOfDelivery(
  run: TracedRun,
  { event, startMs, status, error }: SentDelivery,
): Span {
  const { traceId, spanId } = contextOfRun(run)
  return {
    traceId,
    parentSpanId: spanId,
    name: "webhook",
    kind: "client",
    startMs,
    endMs: Date.now(),
    attributes: {
      "trawl.event": event,
      ...(status !== null && { "http.response.status_code": status }),
    },
    failed: error !== null,
  }
}
