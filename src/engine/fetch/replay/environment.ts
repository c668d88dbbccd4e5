import { replayClock } from "../../../base/clock.ts"
import {
  NotFound,
  type RenderedResponse,
  type RenderOptions,
  Timeout,
  type TlsPeer,
  Unreachable,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import { HttpClient } from "../../net/http/client.ts"
import { HttpResponse } from "../../net/http/response.ts"
import { Robots } from "../../net/http/robots.ts"
import type { Browser, BrowserLease, Environment, LeasedTab } from "../environment.ts"
import { FetchMethodMemory } from "../method-memory.ts"
import { Upstreams } from "../site-constants/site-constants.ts"
import { exchangeBody, exchangeHeaders, type ReplayCase } from "./case.ts"
import { Recordings } from "./matching.ts"
import { ReplayTransport } from "./transport.ts"

/**
 * The environment of a recorded case: its responses, clock and settings, without network access.
 */
export function replayEnvironment(recorded: ReplayCase): Environment {
  const recordings = new Recordings(recorded.exchanges)
  const clock = replayClock(recorded.clock ? Date.parse(recorded.clock) : Date.now())
  const lookUp = (address: string): unknown => {
    const exchange = recordings.find({ method: "GET", url: address, via: "http" })
    if (!exchange) {
      throw new Unreachable(
        `No recording for ${address}; the nearest recording is ${recordings.nearest({ method: "GET", url: address, via: "http" })}.`,
        "dns",
      )
    }
    return JSON.parse(new TextDecoder().decode(exchangeBody(recorded.folder, exchange)))
  }
  const http = new ReplayTransport(recorded, "http", recordings)
  return {
    clock,
    http,
    robots: new Robots(http, clock),
    methods: new FetchMethodMemory(clock.now),
    browser: new ReplayBrowser(recorded, recordings, clock),
    ...(recorded.exchanges.some(({ via }) => via === "unlocker")
      ? { unlocker: new ReplayTransport(recorded, "unlocker", recordings) }
      : {}),
    env: recorded.env,
    upstreams: new Upstreams({ env: recorded.env, now: clock.now }),
    // A case contains only the names of secrets.
    keylessSecrets: ["all"],
    sequential: true,
    isRecorded: true,
    async dns(name, type) {
      return checked(lookUp(`dns:${name}/${type}`), name, "dns")
    },
    async tls(host, port) {
      return checked(lookUp(`tls:${host}:${port}`), host, "tls") as TlsPeer
    },
  }
}

/** Throws a recorded lookup failure as a live lookup would. */
function checked(body: unknown, name: string, kind: "dns" | "tls"): unknown {
  const error = (body as { error?: { code: string; message: string } } | null)?.error
  if (!error) return body
  const message = `${name}: ${error.message}`
  if (/ENOTFOUND|ENODATA|NXDOMAIN/.test(error.code)) throw new NotFound(message)
  if (/TIMEDOUT|TIMEOUT/i.test(error.code)) throw new Timeout(message)
  if (/EAI_/.test(error.code)) throw new Unreachable(message, "dns")
  const dropped = /REFUSED|RESET|UNREACH/i.test(error.code) && kind === "tls"
  throw new Unreachable(message, dropped ? "connection" : kind)
}

class ReplayBrowser implements Browser {
  constructor(
    private readonly recorded: ReplayCase,
    private readonly recordings: Recordings,
    private readonly clock: Environment["clock"],
  ) {}

  /** Chrome's network stack; missing if the case recorded no request over it. */
  get fetch(): Browser["fetch"] {
    if (!this.recorded.exchanges.some(({ via }) => via === "browser-http")) return undefined
    const transport = new ReplayTransport(this.recorded, "browser-http", this.recordings)
    return (_, request) => transport.send(request)
  }

  lease<R>(lease: BrowserLease, steps: (tab: LeasedTab) => Promise<R>): Promise<R> {
    return steps(new ReplayTab(this.recorded, this.recordings, this.clock, lease))
  }
}

/** Steps in a page do nothing here, because the recording is the page after them. */
class ReplayTab implements LeasedTab {
  private current?: RenderedResponse
  private readonly pages: HttpClient
  private readonly requests: HttpClient

  constructor(
    private readonly recorded: ReplayCase,
    private readonly recordings: Recordings,
    clock: Environment["clock"],
    lease: BrowserLease,
  ) {
    const shared = { clock, signal: lease.signal, jar: lease.jar }
    this.pages = new HttpClient({
      ...shared,
      transport: new ReplayTransport(recorded, "browser", recordings),
    })
    this.requests = new HttpClient({
      ...shared,
      transport: new ReplayTransport(recorded, "http", recordings),
    })
  }

  async goto(url: string, options: RenderOptions = {}): Promise<RenderedResponse> {
    // Like Chrome, returns any status: the caller decides whether it is a failure or is retried.
    const response = await this.pages.request("GET", url, { ...options, accept: "any", retries: 0 })
    const captured = options.capture ? this.captured(options.capture) : []
    this.current = Object.assign(response, { captured })
    return this.current
  }

  private captured(pattern: RegExp): UpstreamResponse[] {
    return this.recordings.matching(pattern).map(
      (exchange) =>
        new HttpResponse({
          url: exchange.url,
          requestedUrl: exchange.url,
          status: exchange.status,
          headers: exchangeHeaders(exchange),
          via: "browser",
          bytes: exchangeBody(this.recorded.folder, exchange),
        }),
    )
  }

  async read(): Promise<RenderedResponse> {
    if (!this.current) throw new Error("read() before goto()")
    return this.current
  }

  async next(): Promise<null> {
    return null
  }

  finish(): Promise<RenderedResponse> {
    return this.read()
  }

  async waitFor(selector: string): Promise<boolean> {
    return (await this.read()).document.querySelector(selector) !== null
  }

  async click(selector: string): Promise<boolean> {
    return this.waitFor(selector)
  }

  async scroll(): Promise<void> {}

  fetch(url: string, options: Parameters<LeasedTab["fetch"]>[1] = {}): Promise<UpstreamResponse> {
    const address = new URL(url, this.current?.url).href
    return this.requests.request(options.method ?? "GET", address, { ...options, accept: "any" })
  }
}
