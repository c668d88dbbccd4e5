import {
  type AttemptMethod,
  type FetchMethod,
  Forbidden,
  type HostRateLimit,
  type RenderedResponse,
  type RenderOptions,
  type RequestOptions,
  type Tab,
  type UpstreamResponse,
  type Wanted,
} from "../../catalogue/kit/index.ts"
import { noChromeHere } from "../net/browser/supply/find.ts"
import { CookieSession } from "../net/cookies/cookie-session.ts"
import type { RunCookies } from "../net/cookies/run-cookies.ts"
import { HttpClient } from "../net/http/client.ts"
import type { Transport } from "../net/http/exchange.ts"
import type { EgressRules } from "../net/http/proxy-rules.ts"
import { withSecrets } from "../net/rate-limits/limits.ts"
import { rateLimitedTab } from "../net/rate-limits/rate-limited-tab.ts"
import {
  type Pacing,
  RateLimitedTransport,
  withinRateLimit,
} from "../net/rate-limits/rate-limited-transport.ts"
import { withoutCookies } from "../net/sessions/run-session.ts"
import type { Environment } from "./environment.ts"
import { browser } from "./methods/browser.ts"
import { strategies } from "./methods/index.ts"
import type { FetchStrategy } from "./methods/strategy.ts"
import { patientTab } from "./patient-tab.ts"

export interface FetcherOptions {
  environment: Environment
  fetchMethod: FetchMethod
  /** Set if it differs from the fetch method, as for a feed: each has its own rate limit per host. */
  method?: AttemptMethod
  /** Whether another fetch method is tried after this one. */
  hasFallback?: boolean
  /** The run's cookies, shared by all methods. */
  cookies: RunCookies
  signal: AbortSignal
  /** Egress rules of the caller, which may select a proxy. */
  exit?: EgressRules | undefined
  rateLimit?: Record<string, HostRateLimit> | undefined
  log(message: string, level?: "info" | "warning"): void
  /** Called with the reason why a request waits. */
  waits(why: string): void
}

interface FetcherParts {
  http: HttpClient
  cookieSession: CookieSession
  pacing: Pacing | undefined
}

type PageWanted = Wanted<RenderedResponse>["has"]

const byChrome = (pacing: Pacing): Pacing => ({ ...pacing, fetchMethod: browser.name })

/** Fetches by one method within each host's rate limit, and counts the pages. */
export class Fetcher {
  pages = 0
  unlockerPages = 0
  /** Bytes of the pages, as received. */
  bytes = 0
  private parts?: FetcherParts

  constructor(private readonly options: FetcherOptions) {}

  private get strategy(): FetchStrategy {
    return strategies[this.options.fetchMethod]
  }

  /** Whether the operator pays for the page. */
  private get isByUnlocker(): boolean {
    return this.strategy.connection === "service"
  }

  /** Created at the first request, because each target has a fetcher per fetch method. */
  private get made(): FetcherParts {
    this.parts ??= this.make()
    return this.parts
  }

  private make(): FetcherParts {
    const { environment, cookies, signal, exit: egress, waits, hasFallback = false } = this.options
    const { jar } = cookies
    const chrome = environment.chromeHeaders?.(jar)
    const { requestsBy } = this.strategy
    const cookieSession = new CookieSession(
      cookies,
      strategies[requestsBy].cookieClient,
      chrome?.navigation["user-agent"],
    )
    const pacing = this.pacing()
    const http = new HttpClient({
      transport: this.transport(pacing),
      clock: environment.clock,
      robots: environment.robots,
      signal,
      jar,
      cookieSession,
      exit: egress,
      contact: environment.env.TRAWL_CONTACT,
      chrome,
      log: waits,
      hasFallback,
      onPage: (response) => this.countPage(response.bytes.byteLength),
    })
    return { http, cookieSession, pacing }
  }

  private pacing(): Pacing | undefined {
    const { environment, rateLimit, exit: egress, waits, method: chosen } = this.options
    const fetchMethod = chosen ?? this.options.fetchMethod
    if (!environment.rateLimit) return undefined
    return {
      broker: environment.rateLimit,
      rateLimit: withSecrets(rateLimit, environment.env),
      hostRateLimit: environment.hostRateLimit,
      owner: environment.rateLimitOwner ?? "here",
      fetchMethod,
      delayOf: (url) => environment.robots?.knownDelay(url, egress),
      log: waits,
    }
  }

  /** Requests of a method, each within its host's rate limit. */
  private transport(pacing: Pacing | undefined): Transport {
    const { environment, cookies, log } = this.options
    const transport = this.strategy.transport({ environment, jar: cookies.jar, log })
    if (!pacing) return transport
    const { requestsBy, name } = this.strategy
    const fetchMethod = requestsBy === name ? pacing.fetchMethod : requestsBy
    return new RateLimitedTransport(transport, { ...pacing, fetchMethod })
  }

  private countPage(bytes: number): void {
    this.pages++
    this.bytes += bytes
    if (this.isByUnlocker && this.options.environment.unlocker) this.unlockerPages++
  }

  /** Adds the counts of another fetcher. */
  count({ pages, unlockerPages, bytes }: Fetcher): void {
    this.pages += pages
    this.unlockerPages += unlockerPages
    this.bytes += bytes
  }

  async request(method: string, url: string, options?: RequestOptions): Promise<UpstreamResponse> {
    return this.visible(await this.made.http.request(method, url, options))
  }

  /** A response for scrapers: with a session, without its cookies. */
  private visible<R extends UpstreamResponse>(response: R): R {
    return this.options.cookies.session ? withoutCookies(response) : response
  }

  page(url: string, options: RenderOptions, has?: PageWanted): Promise<UpstreamResponse> {
    if (this.strategy.rendersPages) return this.render(url, options, has)
    return this.request("GET", url, { identity: "browser", ...options })
  }

  async render(url: string, options: RenderOptions, has?: PageWanted): Promise<RenderedResponse> {
    const { http, cookieSession, pacing } = this.made
    if (options.robots) await http.obeyRobots(url)
    await cookieSession.openPage(url, options)
    const load = () => this.lease((tab) => tab.goto(url, options), has)
    // The rate limit comes first, because the lease's time would run while it waits.
    const { signal } = this.options
    const request = () => (pacing ? withinRateLimit(byChrome(pacing), url, signal, load) : load())
    const response = await http.answered("GET", url, options, request)
    this.countPage(response.text().length)
    return this.visible(response)
  }

  /** Runs steps in one tab. They count as one page. */
  async browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R> {
    const { signal } = this.options
    const { cookieSession, pacing } = this.made
    const rendered = await this.lease((tab) => {
      const watched = cookieSession.watched(tab)
      return steps(pacing ? rateLimitedTab(watched, byChrome(pacing), signal) : watched)
    })
    // Bytes in a tab are not counted.
    this.countPage(0)
    return rendered
  }

  private lease<R>(steps: (tab: Tab) => Promise<R>, has?: PageWanted): Promise<R> {
    const { environment, signal, cookies, exit: egress, log } = this.options
    if (!environment.browser) {
      throw new Forbidden(`This page needs Chrome; ${noChromeHere}`, {
        code: "browser_unavailable",
      })
    }
    const { jar, session } = cookies
    const storage = session?.storage
    const lease = { signal, jar, exit: egress, unlocker: this.isByUnlocker, log, storage }
    const waitLimit = { limitMs: environment.pageWaitMs ?? 0, has }
    return environment.browser.lease(lease, async (tab) => {
      const result = await steps(patientTab(tab, waitLimit))
      if (storage && storage.origins.length > 0)
        session!.noteStorage((await tab.storage?.()) ?? null)
      return result
    })
  }
}
