import {
  type Access,
  type Answer,
  Forbidden,
  type HostPace,
  type RenderedAnswer,
  type RenderOptions,
  type RequestOptions,
  type Rung,
  type Tab,
  type Wanted,
} from "../../catalogue/kit/index.ts"
import { noChromeHere } from "../browser/find.ts"
import { ChromeNetTransport } from "../browser/net/net-transport.ts"
import type { RunCookies } from "../cookies/run-cookies.ts"
import { Visitor } from "../cookies/visitor.ts"
import type { Browser, Environment } from "../environment/environment.ts"
import { HttpClient } from "../http/client.ts"
import type { Transport } from "../http/exchange.ts"
import type { Exit } from "../http/proxy-rules.ts"
import { withSecrets } from "../pace/limits.ts"
import { inTurn, PacedTransport, type Pacing } from "../pace/paced.ts"
import { pacedTab } from "../pace/paced-tab.ts"
import { patientTab } from "./patient-tab.ts"

export interface FetcherOptions {
  environment: Environment
  way: Access
  /** What is asked beside the ways has a pace of its own: the walls of one do not close the other. */
  rung?: Rung
  /** Another way in comes after this one. */
  leadsOn?: boolean
  /** The run's, whichever way it goes. */
  cookies: RunCookies
  signal: AbortSignal
  exit?: Exit | undefined
  pace?: Record<string, HostPace> | undefined
  log(message: string, level?: "info" | "warning"): void
  /** Called with what a request waits for. */
  waits(why: string): void
}

interface FetcherParts {
  http: HttpClient
  visitor: Visitor
  pacing: Pacing | undefined
}

type PageWanted = Wanted<RenderedAnswer>["has"]

const byChrome = (pacing: Pacing): Pacing => ({ ...pacing, way: "browser" })

/** What can be fetched by one way in, each host in its turn, and how many pages that were. */
export class Fetcher {
  pages = 0
  unlockerPages = 0
  /** Of those pages, as they were read. */
  bytes = 0
  private parts?: FetcherParts

  constructor(private readonly options: FetcherOptions) {}

  /** Made at the first request: what a target asks for escalates, and has a fetcher for each way. */
  private get made(): FetcherParts {
    this.parts ??= this.make()
    return this.parts
  }

  private make(): FetcherParts {
    const { environment, way, cookies, signal, exit, waits, leadsOn = false } = this.options
    const { jar } = cookies
    const chrome = environment.chromeHeaders?.(jar)
    // Plain calls beside what Chrome works on go their own way.
    const plainly = way === "browser" ? "http" : way
    const visitor = new Visitor(cookies, plainly, chrome?.navigation["user-agent"])
    const pacing = this.pacing()
    const http = new HttpClient({
      transport: this.transport(pacing),
      clock: environment.clock,
      robots: environment.robots,
      signal,
      jar,
      visitor,
      exit,
      contact: environment.env.TRAWL_CONTACT,
      chrome,
      log: waits,
      leadsOn,
      onPage: (answer) => this.countPage(answer.bytes.byteLength),
    })
    return { http, visitor, pacing }
  }

  private pacing(): Pacing | undefined {
    const { environment, pace, exit, waits, rung } = this.options
    const way = rung ?? this.options.way
    if (!environment.pace) return undefined
    return {
      broker: environment.pace,
      pace: withSecrets(pace, environment.env),
      hostPace: environment.hostPace,
      owner: environment.paceOwner ?? "here",
      way,
      delayOf: (url) => environment.robots?.knownDelay(url, exit),
      log: waits,
    }
  }

  /** The way to upstreams: by the operator's unlocker or plainly, each host in its turn. */
  private transport(pacing: Pacing | undefined): Transport {
    const { way, environment } = this.options
    const carrier =
      way === "unlocker"
        ? this.unlockerTransport()
        : way === "chrome-net"
          ? this.chromeTransport()
          : environment.http
    // Plain calls beside what Chrome works on go their own way.
    const plainly = way === "browser" ? "http" : (pacing?.way ?? way)
    return pacing ? new PacedTransport(carrier, { ...pacing, way: plainly }) : carrier
  }

  /** A recorded case has no Chrome, and one answer for either way. */
  private chromeTransport(): Transport {
    const { environment, cookies, log } = this.options
    const { browser } = environment
    if (!browser?.fetch) return environment.http
    return new ChromeNetTransport(browser as Required<Pick<Browser, "fetch">>, {
      jar: cookies.jar,
      unlocker: false,
      log,
    })
  }

  private unlockerTransport(): Transport {
    const { environment, log } = this.options
    if (environment.unlocker) return environment.unlocker
    log("No unlocker is set (TRAWL_UNLOCKER_URL); going the plain way.", "warning")
    return environment.http
  }

  private countPage(bytes: number): void {
    this.pages++
    this.bytes += bytes
    if (this.options.way === "unlocker" && this.options.environment.unlocker) this.unlockerPages++
  }

  /** Adds what another has fetched. */
  count({ pages, unlockerPages, bytes }: Fetcher): void {
    this.pages += pages
    this.unlockerPages += unlockerPages
    this.bytes += bytes
  }

  request(method: string, url: string, options?: RequestOptions): Promise<Answer> {
    return this.made.http.request(method, url, options)
  }

  page(url: string, options: RenderOptions, has?: PageWanted): Promise<Answer> {
    if (this.options.way === "browser") return this.render(url, options, has)
    return this.made.http.request("GET", url, { identity: "browser", ...options })
  }

  async render(url: string, options: RenderOptions, has?: PageWanted): Promise<RenderedAnswer> {
    const { http, visitor, pacing } = this.made
    if (options.robots) await http.obeyRobots(url)
    await visitor.openPage(url, options)
    const load = () => this.lease((tab) => tab.goto(url, options), has)
    // The turn comes first, for a lease's time runs while it waits.
    const { signal } = this.options
    const ask = () => (pacing ? inTurn(byChrome(pacing), url, signal, load) : load())
    const answer = await http.answered("GET", url, options, ask)
    this.countPage(answer.text().length)
    return answer
  }

  /** What is done in one tab counts as one page, as a page that Chrome opens does. */
  async browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R> {
    const { signal } = this.options
    const { visitor, pacing } = this.made
    const found = await this.lease((tab) => {
      const watched = visitor.watched(tab)
      return steps(pacing ? pacedTab(watched, byChrome(pacing), signal) : watched)
    })
    // What passes through a tab is not read here.
    this.countPage(0)
    return found
  }

  private lease<R>(steps: (tab: Tab) => Promise<R>, has?: PageWanted): Promise<R> {
    const { environment, signal, cookies, way, exit, log } = this.options
    if (!environment.browser) {
      throw new Forbidden(`This page needs Chrome; ${noChromeHere}`, {
        code: "browser_unavailable",
      })
    }
    const { jar } = cookies
    const lease = { signal, jar, exit, unlocker: way === "unlocker", log }
    const patience = { limitMs: environment.pageWaitMs ?? 0, has }
    return environment.browser.lease(lease, (tab) => steps(patientTab(tab, patience)))
  }
}
