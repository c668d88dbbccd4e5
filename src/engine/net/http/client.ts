import { CookieJar } from "tough-cookie"
import type { Clock } from "../../../base/clock.ts"
import {
  type RequestOptions,
  RobotsDisallowed,
  ScrapeError,
  Timeout,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import type { CookieSession } from "../cookies/cookie-session.ts"
import { isUnused } from "./cookie-jar.ts"
import type { Transport, WireResponse } from "./exchange.ts"
import { statusFailure } from "./failure.ts"
import type { BrowserHeaders } from "./identity.ts"
import type { EgressRules } from "./proxy-rules.ts"
import { becomesGet, maxRedirects, redirectTarget, tooManyRedirects } from "./redirects.ts"
import { requestBody, requestHeaders, requestUrl } from "./request.ts"
import { HttpResponse } from "./response.ts"
import { retryWait } from "./retry.ts"
import type { Robots } from "./robots.ts"

const defaultMaxBytes = 10 * 1024 * 1024
const defaultTimeoutMs = 30_000
/** Milliseconds for the headers if another fetch method follows: some sites stall HTTP clients. */
const fallbackHeadersMs = 10_000

export interface ClientOptions {
  transport: Transport
  clock: Clock
  signal: AbortSignal
  jar?: CookieJar
  /** Egress rules of the caller, which may select a proxy. */
  exit?: EgressRules | undefined
  /** The run's cookies for this client. */
  cookieSession?: CookieSession
  contact?: string
  /** Identity headers of the installed Chrome, for browser-like requests. */
  chrome?: BrowserHeaders
  /** Logs the reason why a request waits. */
  log?(message: string): void
  /** Set for requests that obey robots.txt. */
  robots?: Robots
  /** Whether another fetch method is tried after this one. */
  hasFallback?: boolean
  /** Called for each response that counts as a page. */
  onPage?(response: UpstreamResponse): void
}

/** The HTTP client of a run, with redirects, cookies, retries, and errors for statuses. */
export class HttpClient {
  readonly jar: CookieJar
  constructor(private readonly options: ClientOptions) {
    this.jar = options.jar ?? new CookieJar(undefined, { looseMode: true })
  }

  async request(method: string, href: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const url = requestUrl(href, options.query)
    this.options.cookieSession?.carries(url, options)
    for (const [name, value] of Object.entries(options.cookies ?? {})) {
      await this.jar.setCookie(`${name}=${value}; Path=/`, url, { ignoreError: true })
    }
    const response = await this.answered(method, url, options, () =>
      this.follow(method, url, options),
    ).catch(async (failure) => {
      await this.options.cookieSession?.dropRefused(failure, url)
      throw failure
    })
    if (response.status < 400 && !options.isPart) this.options.onPage?.(response)
    return response
  }

  /** Sends a request, with retries while they may help. @throws ScrapeError */
  async answered<A extends UpstreamResponse>(
    method: string,
    url: string,
    options: RequestOptions,
    load: () => Promise<A>,
  ): Promise<A> {
    const { clock, signal, log, hasFallback = false } = this.options
    for (let number = 0; ; number++) {
      const result = await this.attempt(load)
      const wait = retryWait(result, { method, number, options, now: clock.now(), hasFallback })
      if (wait === null) {
        if (result instanceof ScrapeError) throw result
        const { accept } = options
        const accepted = result.status < 400 || accept === "any" || accept?.includes(result.status)
        if (!accepted) throw statusFailure(result, clock.now())
        return result
      }
      const why = result instanceof ScrapeError ? result.message : `status ${result.status}`
      log?.(
        `Waiting ${(wait / 1000).toFixed(1)} s before asking ${new URL(url).host} again: ${why}`,
      )
      await clock.sleep(wait, signal)
    }
  }

  /**
   * Makes one attempt with its redirects; a missing response is returned as an error, not thrown.
   */
  private async attempt<A>(load: () => Promise<A>): Promise<A | ScrapeError> {
    try {
      return await load()
    } catch (error) {
      this.options.signal.throwIfAborted()
      if (error instanceof ScrapeError) return error
      throw error
    }
  }

  private async follow(
    method: string,
    url: string,
    options: RequestOptions,
  ): Promise<HttpResponse> {
    const { withinMs } = options
    const { signal } = this.options
    if (withinMs === undefined) return this.followed(method, url, options, signal)
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(tooSlow(url, withinMs)), withinMs)
    try {
      return await this.followed(method, url, options, AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }

  private async followed(
    method: string,
    url: string,
    options: RequestOptions,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const redirects: UpstreamResponse["redirects"] = []
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    let body = requestBody(options)
    let current = url
    let took = 0
    for (;;) {
      if (options.robots) await this.obeyRobots(current, signal)
      if (took >= timeoutMs) throw tooSlow(url, timeoutMs)
      const headers = await this.headers(current, url, options, body !== undefined)
      const wire = await this.options.transport.send({
        method,
        url: current,
        headers,
        ...(body === undefined ? {} : { body }),
        maxBytes: options.maxBytes ?? defaultMaxBytes,
        ...(options.truncate ? { truncate: true } : {}),
        timeoutMs: timeoutMs - took,
        ...(this.options.hasFallback ? { headersWithinMs: fallbackHeadersMs } : {}),
        signal,
        ...(this.options.exit ? { exit: this.options.exit } : {}),
      })
      took += wire.took ?? 0
      await this.reuseCookies(wire, current, headers)
      const location = options.redirect === "manual" ? undefined : redirectTarget(wire, current)
      if (location === undefined) {
        return new HttpResponse({
          url: current,
          requestedUrl: url,
          status: wire.status,
          headers: wire.headers,
          redirects,
          via: wire.via,
          bytes: wire.bytes,
          timing: { total: Math.round(took), firstByte: wire.firstByte },
          ip: wire.ip ?? null,
        })
      }
      redirects.push({ url: current, status: wire.status, location })
      if (redirects.length > maxRedirects) throw tooManyRedirects(url, wire.status, redirects)
      if (becomesGet(wire.status, method)) {
        method = "GET"
        body = undefined
      }
      current = location
    }
  }

  /** @throws RobotsDisallowed */
  async obeyRobots(url: string, signal = this.options.signal): Promise<void> {
    const rules = await this.options.robots?.rules(url, signal, this.options.exit)
    if (!rules || rules.allows(url)) return
    const { host } = new URL(url)
    const why = rules.unreachable
      ? `could not be read (${rules.unreachable}), so nothing is fetched from this host`
      : "disallows this URL"
    throw new RobotsDisallowed(`robots.txt of ${host} ${why}.`, {
      url,
      nextStep:
        "Choose another page. Scrapers that read single pages obey robots.txt only with `obeyRobots`.",
    })
  }

  private async headers(url: string, firstUrl: string, options: RequestOptions, hasBody: boolean) {
    const { contact, chrome } = this.options
    const headers = requestHeaders({
      url,
      firstUrl,
      options,
      hasBody,
      contact,
      ...(chrome ? { chrome } : {}),
    })
    const { cookieSession } = this.options
    await cookieSession?.open(url, headers)
    // Searching the jar takes time, and most sites set no cookie.
    if (isUnused(this.jar)) return headers
    const cookies = (await this.jar.getCookies(url))
      .filter((cookie) => cookieSession?.sends(cookie) ?? true)
      .map((cookie) => cookie.cookieString())
    if (cookies.length > 0 && !headers.has("cookie")) headers.set("cookie", cookies.join("; "))
    return headers
  }

  private async reuseCookies(wire: WireResponse, url: string, headers: Headers): Promise<void> {
    for (const text of wire.headers.getSetCookie()) {
      const cookie = await this.jar.setCookie(text, url, { ignoreError: true })
      if (cookie) this.options.cookieSession?.took(cookie, headers)
    }
  }
}

function tooSlow(url: string, timeoutMs: number): Timeout {
  return new Timeout(`${new URL(url).host} did not respond within ${timeoutMs / 1000} s.`, { url })
}
