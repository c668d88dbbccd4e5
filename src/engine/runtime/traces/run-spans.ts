import type { ScrapeError } from "../../../catalogue/kit/index.ts"
import type { Browser, Environment } from "../../fetch/environment.ts"
import type { Transport, WireRequest, WireResponse } from "../../net/http/exchange.ts"
import { contextOfRun, randomHex, type Span, type SpanContext, type TracedRun } from "./span.ts"

/** Maximum waiting spans; further ones are dropped. */
const maxWaiting = 1000
/** Maximum requests with spans per target, because a crawl of one target may make thousands. */
const maxPerTarget = 200
const maxNameChars = 200

/** Collects the spans of a run's targets in a worker until the main thread takes them. */
export class RunSpans {
  private readonly run: SpanContext
  private waiting: Span[] = []

  constructor(
    row: TracedRun,
    private readonly onSpan: () => void,
  ) {
    this.run = contextOfRun(row)
  }

  add(span: Span): void {
    if (this.waiting.length >= maxWaiting) return
    this.waiting.push(span)
    this.onSpan()
  }

  get hasSome(): boolean {
    return this.waiting.length > 0
  }

  take(): Span[] {
    const spans = this.waiting
    this.waiting = []
    return spans
  }

  target(name: string): TargetSpans {
    return new TargetSpans(this, this.run, name.slice(0, maxNameChars))
  }
}

/** The spans of one target: its requests by all fetch methods, and its commits. */
export class TargetSpans {
  private readonly spanId = randomHex(8)
  private readonly startMs = Date.now()
  private readonly sent = new Map<string, number>()
  private count = 0

  constructor(
    private readonly spans: RunSpans,
    private readonly run: SpanContext,
    private readonly target: string,
  ) {}

  /** Wraps an environment, so that its requests are recorded. */
  observed(environment: Environment): Environment {
    const { http, unlocker, browser } = environment
    return {
      ...environment,
      http: this.transport(http, "http"),
      ...(unlocker && { unlocker: this.transport(unlocker, "unlocker") }),
      ...(browser && { browser: this.browser(browser) }),
    }
  }

  private transport(transport: Transport, fetchMethod: string): Transport {
    return {
      send: (request) => this.request(request, fetchMethod, () => transport.send(request)),
    }
  }

  private browser(browser: Browser): Browser {
    return {
      lease: (lease, steps) =>
        this.measured("browser", {}, lease.unlocker ? "unlocker" : "browser", () =>
          browser.lease(lease, steps),
        ),
      ...(browser.fetch && {
        fetch: (lease, request) =>
          this.request(request, "browser-http", () => browser.fetch!(lease, request)),
      }),
      ...(browser.available && { available: () => browser.available!() }),
      ...(browser.release && { release: (jar) => browser.release!(jar) }),
    }
  }

  private request(
    { method, url }: WireRequest,
    fetchMethod: string,
    send: () => Promise<WireResponse>,
  ): Promise<WireResponse> {
    const parsed = URL.parse(url)
    // A query may contain a key.
    const attributes = {
      "http.request.method": method,
      "server.address": parsed?.host ?? "",
      "url.path": (parsed?.pathname ?? "").slice(0, maxNameChars),
    }
    return this.measured(method, attributes, fetchMethod, send, `${method} ${url}`)
  }

  private async measured<R>(
    name: string,
    attributes: Span["attributes"],
    fetchMethod: string,
    work: () => Promise<R>,
    key?: string,
  ): Promise<R> {
    if (this.count++ >= maxPerTarget) return work()
    const resent = key === undefined ? 0 : (this.sent.get(key) ?? 0)
    if (key !== undefined) this.sent.set(key, resent + 1)
    const about = {
      ...attributes,
      "trawl.fetchMethod": fetchMethod,
      ...(resent > 0 && { "http.request.resend_count": resent }),
    }
    const startMs = Date.now()
    try {
      const response = await work()
      const { status } = (response ?? {}) as Partial<WireResponse>
      const isStatus = typeof status === "number"
      this.child(name, startMs, isStatus && status >= 400, {
        ...about,
        ...(isStatus && { "http.response.status_code": status }),
      })
      return response
    } catch (error) {
      const type = (error as Partial<ScrapeError>)?.code ?? (error as Error)?.name ?? "error"
      this.child(name, startMs, true, { ...about, "error.type": type })
      throw error
    }
  }

  /** Records a database change that was made for the target. */
  async command<R>(name: string, change: Promise<R>): Promise<R> {
    const startMs = Date.now()
    let failed = true
    try {
      const result = await change
      failed = false
      return result
    } finally {
      this.child(`db ${name}`, startMs, failed, { "db.operation.name": name })
    }
  }

  private child(name: string, startMs: number, failed: boolean, attributes: Span["attributes"]) {
    const { traceId } = this.run
    const parentSpanId = this.spanId
    this.spans.add({
      ...{ traceId, parentSpanId, name, kind: "client", startMs, endMs: Date.now() },
      ...{ attributes, failed },
    })
  }

  end(failed: boolean, items: number): void {
    const { traceId, spanId: parentSpanId } = this.run
    const attributes = { "trawl.target": this.target, "trawl.items": items }
    const { spanId, startMs } = this
    this.spans.add({
      ...{ traceId, spanId, parentSpanId, name: "target", kind: "internal", startMs },
      ...{ endMs: Date.now(), attributes, failed },
    })
  }
}
