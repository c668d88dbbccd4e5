import { every } from "../../../base/every.ts"
import { version } from "../../../config/version.ts"
import { randomHex, type Span, spanKinds } from "../../runtime/traces/span.ts"

const flushMs = 5000
const sendMs = 5000
/** Maximum waiting spans; further ones are dropped. */
const maxSpans = 16_384
/** Maximum spans per request to the collector. */
const maxPerRequest = 2048

/** Sends spans to a collector by OTLP over HTTP as JSON, with retries. */
export class TraceExporter {
  private waiting: object[] = []
  private readonly loop

  /** @param endpoint URL of the collector, for example http://127.0.0.1:4318. */
  constructor(
    private readonly endpoint: string,
    onError: (message: string) => void,
  ) {
    this.loop = every(flushMs, () => this.send(), {
      onError: (error) => onError(`Traces could not be sent: ${error}`),
    })
  }

  add(span: Span): void {
    if (this.waiting.length < maxSpans) this.waiting.push(encoded(span))
  }

  private async send(): Promise<void> {
    while (this.waiting.length > 0) {
      const spans = this.waiting.splice(0, maxPerRequest)
      try {
        await this.post(spans)
      } catch (error) {
        this.waiting = [...spans, ...this.waiting].slice(0, maxSpans)
        throw error
      }
    }
  }

  private async post(spans: object[]): Promise<void> {
    const resource = attributes({ "service.name": "trawl", "service.version": version })
    const response = await fetch(`${this.endpoint.replace(/\/+$/, "")}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: resource },
            scopeSpans: [{ scope: { name: "trawl", version }, spans }],
          },
        ],
      }),
      signal: AbortSignal.timeout(sendMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the collector returned ${response.status}`)
  }

  /** Sends the rest; twice, because the collector may have closed the persistent connection. */
  async stop(): Promise<void> {
    await this.loop.stop()
    await this.send().catch(() => this.send().catch(() => {}))
  }
}

const nanoseconds = (milliseconds: number) => `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`

function encoded(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId ?? randomHex(8),
    ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: spanKinds[span.kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: attributes(span.attributes),
    status: { code: span.failed ? 2 : 1 },
  }
}

function attributes(values: Span["attributes"]): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    // Integers are strings in this format.
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }))
}
