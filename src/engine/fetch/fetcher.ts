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
import { noChromeHere } from "../net/browser/find.ts"
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
  /** Another fetch method follows this one. */
  hasFallback?: boolean
  /** The run's, whichever way it goes. */
  cookies: RunCookies
  signal: AbortSignal
  exit?: EgressRules | undefined
  rateLimit?: Record<string, HostRateLimit> | undefined
  log(message: string, level?: "info" | "warning"): void
  /** Called with what a request waits for. */
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
  /** Of those pages, as they were read. */
  bytes = 0
  private parts?: FetcherParts

  constructor(private readonly options: FetcherOptions) {}

  private get strategy(): FetchStrategy {
    return strategies[this.options.fetchMethod]
  }

  /** The operator pays for the page. */
  private get isByUnlocker(): boolean {
    return this.strategy.connection === "service"
  }

  /** Made at the first request: what a target asks for escalates, and has a fetcher for each way. */
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

  /** Requests of a method, each when its host allows it. */
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

  /** Adds what another has fetched. */
  count({ pages, unlockerPages, bytes }: Fetcher): void {
    this.pages += pages
    this.unlockerPages += unlockerPages
    this.bytes += bytes
  }

  async request(method: string, url: string, options?: RequestOptions): Promise<UpstreamResponse> {
    return this.visible(await this.made.http.request(method, url, options))
  }

  /** A response as scrapers see it: with a session, without its cookies. */
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
    // The turn comes first, for a lease's time runs while it waits.
    const { signal } = this.options
    const ask = () => (pacing ? withinRateLimit(byChrome(pacing), url, signal, load) : load())
    const response = await http.answered("GET", url, options, ask)
    this.countPage(response.text().length)
    return this.visible(response)
  }

  /** What is done in one tab counts as one page, as a page that Chrome opens does. */
  async browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R> {
    const { signal } = this.options
    const { cookieSession, pacing } = this.made
    const found = await this.lease((tab) => {
      const watched = cookieSession.watched(tab)
      return steps(pacing ? rateLimitedTab(watched, byChrome(pacing), signal) : watched)
    })
    // What passes through a tab is not read here.
    this.countPage(0)
    return found
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
