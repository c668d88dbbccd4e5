import {
  type Answer,
  Outcome,
  type RenderedAnswer,
  type RenderOptions,
} from "../../catalogue/kit/index.ts"
import type { Browser, BrowserLease, LeasedTab } from "../environment/environment.ts"
import type { WireRequest } from "../http/exchange.ts"
import { requestBody } from "../http/request.ts"
import type { Exchange } from "./case.ts"
import type { Recorder } from "./recorder.ts"
import { RecordingTransport } from "./recording-transport.ts"

/** Chrome, with every page written down as it stood when it was last read. */
export class RecordingBrowser implements Browser {
  constructor(
    private readonly inner: Browser,
    private readonly recorder: Recorder,
  ) {}

  lease<R>(lease: BrowserLease, steps: (tab: LeasedTab) => Promise<R>): Promise<R> {
    const pictured: BrowserLease = {
      ...lease,
      onScreenshot: (png) => {
        this.recorder.picture(png)
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
      return new RecordingTransport(transport, recorder, "chrome-net").send(request)
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
  private readonly kept = new Set<string>()

  constructor(
    private readonly inner: LeasedTab,
    private readonly recorder: Recorder,
  ) {}

  async goto(url: string, options?: RenderOptions): Promise<RenderedAnswer> {
    const first = this.recorder.begin("GET", url, "browser")
    const answer = await this.tried(first, () => this.inner.goto(url, options))
    this.page = first
    if (withoutHash(url) !== withoutHash(answer.url)) {
      const headers = new Headers({ location: answer.url })
      await this.recorder.fill(first, { status: 302, headers, bytes: new Uint8Array() })
      this.page = this.recorder.begin("GET", answer.url, "browser")
    }
    await this.keep(answer)
    return answer
  }

  async read(): Promise<RenderedAnswer> {
    const answer = await this.inner.read()
    await this.keep(answer)
    return answer
  }

  async next(timeoutMs: number): Promise<RenderedAnswer | null> {
    const answer = await this.inner.next(timeoutMs)
    if (answer) await this.keep(answer)
    return answer
  }

  async finish(options: RenderOptions, isQuiet?: boolean): Promise<RenderedAnswer> {
    const answer = await this.inner.finish(options, isQuiet)
    await this.keep(answer)
    return answer
  }

  /** The page as it is now, in place of what it was, and what it fetched since. */
  private async keep(answer: RenderedAnswer): Promise<void> {
    if (this.page) await this.recorder.fill(this.page, answer)
    for (const captured of answer.captured) {
      const mark = `${captured.url} ${Bun.hash(captured.bytes)}`
      if (this.kept.has(mark)) continue
      this.kept.add(mark)
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

  async fetch(url: string, options: Parameters<LeasedTab["fetch"]>[1] = {}): Promise<Answer> {
    const address = new URL(url, this.page?.url).href
    const method = options.method ?? "GET"
    const exchange = this.recorder.begin(method, address, "http", requestBody(options))
    const answer = await this.tried(exchange, () => this.inner.fetch(url, options))
    await this.recorder.fill(exchange, answer)
    return answer
  }

  private async tried<A>(exchange: Exchange, ask: () => Promise<A>): Promise<A> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Outcome) this.recorder.fail(exchange, error)
      throw error
    }
  }
}

const withoutHash = (address: string) => new URL(address).href.split("#", 1)[0]
