import { randomHex, type Span } from "../../engine/traces/exporter.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { CallFacts } from "../http/call-facts.ts"

const traceparent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/

/** A call as a span, in the trace of its caller where that names one. */
export function spanOfCall(call: {
  request: Request
  route: string
  status: number
  startMs: number
  endMs: number
  facts: CallFacts | undefined
}): Span {
  const { request, route, status, startMs, endMs, facts = {} } = call
  const [, traceId, parentSpanId] = traceparent.exec(request.headers.get("traceparent") ?? "") ?? []
  return {
    traceId: traceId ?? randomHex(16),
    parentSpanId,
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

/** A run that is over as a span; undefined for one that goes on. The calls of it name it. */
export function spanOfRun(run: RunRow): Span | undefined {
  if (run.finished_at === null || run.started_at === null) return undefined
  return {
    traceId: randomHex(16),
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
      ...(run.account_id !== null && { "trawl.account": run.account_id }),
      ...(run.error_code !== null && { "trawl.code": run.error_code }),
    },
    failed: run.status === "failed" || run.status === "timed_out",
  }
}
