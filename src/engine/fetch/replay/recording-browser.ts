import {
  type RenderedResponse,
  type RenderOptions,
  ScrapeError,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import type { WireRequest } from "../../net/http/exchange.ts"
import { requestBody } from "../../net/http/request.ts"
import type { Browser, BrowserLease, LeasedTab } from "../environment.ts"
import type { Exchange } from "./case.ts"
import type { Recorder } from "./recorder.ts"
import { RecordingTransport } from "./recording-transport.ts"

/** Chrome with recording: each page is written as it was last read. */
export class RecordingBrowser implements Browser {
  constructor(
    private readonly inner: Browser,
    private readonly recorder: Recorder,
  ) {}

  lease<R>(lease: BrowserLease, steps: (tab: LeasedTab) => Promise<R>): Promise<R> {
    const pictured: BrowserLease = {
      ...lease,
      onScreenshot: (png) => {
        this.recorder.image(png)
        lease.onScreenshot?.(png)
      },
    }
    return this.inner.lease(pictured, (tab) => steps(new RecordingTab(tab, this.recorder)))
  }

  get fetch(): Browser["fetch"] {
    const { inner, recorder } = this
    if (!inner.fetch) return undefined
    return (lease, request) => {
      const transport = { send: (sent: WireRequest) => inner.fetch!(lease, sent) }
      return new RecordingTransport(transport, recorder, "browser-http").send(request)
    }
  }

  available(): boolean {
    return this.inner.available?.() ?? true
  }

  async release(...[jar]: Parameters<NonNullable<Browser["release"]>>): Promise<void> {
    await this.inner.release?.(jar)
  }
}

class RecordingTab implements LeasedTab {
  private page?: Exchange
  private readonly stored = new Set<string>()

  constructor(
    private readonly inner: LeasedTab,
    private readonly recorder: Recorder,
  ) {}

  async goto(url: string, options?: RenderOptions): Promise<RenderedResponse> {
    const first = this.recorder.begin("GET", url, "browser")
    const response = await this.tried(first, () => this.inner.goto(url, options))
    this.page = first
    if (withoutHash(url) !== withoutHash(response.url)) {
      const headers = new Headers({ location: response.url })
      await this.recorder.fill(first, { status: 302, headers, bytes: new Uint8Array() })
      this.page = this.recorder.begin("GET", response.url, "browser")
    }
    await this.keep(response)
    return response
  }

  async read(): Promise<RenderedResponse> {
    const response = await this.inner.read()
    await this.keep(response)
    return response
  }

  async next(timeoutMs: number): Promise<RenderedResponse | null> {
    const response = await this.inner.next(timeoutMs)
    if (response) await this.keep(response)
    return response
  }

  async finish(options: RenderOptions, isQuiet?: boolean): Promise<RenderedResponse> {
    const response = await this.inner.finish(options, isQuiet)
    await this.keep(response)
    return response
  }

  /** Replaces the recorded page by its current state, and adds later requests. */
  private async keep(response: RenderedResponse): Promise<void> {
    if (this.page) await this.recorder.fill(this.page, response)
    for (const captured of response.captured) {
      const mark = `${captured.url} ${Bun.hash(captured.bytes)}`
      if (this.stored.has(mark)) continue
      this.stored.add(mark)
      await this.recorder.fill(this.recorder.begin("GET", captured.url, "browser"), captured)
    }
  }

  waitFor(selector: string, timeoutMs?: number): Promise<boolean> {
    return this.inner.waitFor(selector, timeoutMs)
  }

  click(selector: string): Promise<boolean> {
    return this.inner.click(selector)
  }

  scroll(options?: Parameters<LeasedTab["scroll"]>[0]): Promise<void> {
    return this.inner.scroll(options)
  }

  async fetch(
    url: string,
    options: Parameters<LeasedTab["fetch"]>[1] = {},
  ): Promise<UpstreamResponse> {
    const address = new URL(url, this.page?.url).href
    const method = options.method ?? "GET"
    const exchange = this.recorder.begin(method, address, "http", requestBody(options))
    const response = await this.tried(exchange, () => this.inner.fetch(url, options))
    await this.recorder.fill(exchange, response)
    return response
  }

  private async tried<A>(exchange: Exchange, request: () => Promise<A>): Promise<A> {
    try {
      return await request()
    } catch (error) {
      if (error instanceof ScrapeError) this.recorder.fail(exchange, error)
      throw error
    }
  }
}

const withoutHash = (address: string) => new URL(address).href.split("#", 1)[0]
