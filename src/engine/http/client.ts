import { CookieJar } from "tough-cookie"
import type { Answer, RequestOptions } from "../../catalogue/define.ts"
import { BadInput, Outcome, Timeout, TooManyRedirects } from "../../catalogue/outcome.ts"
import type { Clock } from "../clock.ts"
import { HttpAnswer } from "./answer.ts"
import type { Transport, WireAnswer } from "./exchange.ts"
import { retryAfterSeconds, statusFailure } from "./failure.ts"
import { browserHeaders, serviceUserAgent } from "./identity.ts"

const defaultMaxBytes = 10 * 1024 * 1024
const defaultTimeoutMs = 30_000
const maxRedirects = 20
/** Longest wait for one retry; a longer Retry-After is answered as it is. */
const maxWaitMs = 60_000

export interface ClientOptions {
  transport: Transport
  clock: Clock
  signal: AbortSignal
  jar?: CookieJar
  contact?: string
  /** Why a request waits, for the run's log. */
  log?(message: string): void
  /** Called for each answer that is kept: one page. */
  onPage?(answer: Answer): void
}

/** The HTTP client of one run: redirects, cookies, retries, and statuses as outcomes. */
export class HttpClient {
  readonly jar: CookieJar
  constructor(private readonly options: ClientOptions) {
    this.jar = options.jar ?? new CookieJar(undefined, { looseMode: true })
  }

  async request(
    method: string,
    address: string,
    options: RequestOptions = {},
  ): Promise<HttpAnswer> {
    const url = requestUrl(address, options.query)
    for (const [name, value] of Object.entries(options.cookies ?? {})) {
      await this.jar.setCookie(`${name}=${value}; Path=/`, url, { ignoreError: true })
    }
    for (let attempt = 0; ; attempt++) {
      const answer = await this.attempt(method, url, options)
      const wait =
        answer instanceof HttpAnswer
          ? this.retryWait(answer, attempt, options)
          : this.dropWait(answer, attempt, options)
      if (wait === null) {
        if (answer instanceof Outcome) throw answer
        return this.settle(answer, options)
      }
      this.options.log?.(
        `Waiting ${Math.round(wait / 100) / 10} s before asking ${new URL(url).host} again (${answer instanceof HttpAnswer ? `status ${answer.status}` : answer.message})`,
      )
      await this.options.clock.sleep(wait, this.options.signal)
    }
  }

  private settle(answer: HttpAnswer, options: RequestOptions): HttpAnswer {
    const accepted =
      answer.status < 400 || options.accept === "any" || options.accept?.includes(answer.status)
    if (!accepted) throw statusFailure(answer, this.options.clock.now())
    if (answer.status < 400) this.options.onPage?.(answer)
    return answer
  }

  /** Milliseconds to wait before asking again after this answer; null to keep it. */
  private retryWait(answer: HttpAnswer, attempt: number, options: RequestOptions): number | null {
    const { status } = answer
    const slow = status === 429 || status === 503
    if (!slow && (status < 500 || status === 501)) return null
    if (attempt >= (options.retries ?? (slow ? 3 : 2))) return null
    const asked = slow ? retryAfterSeconds(answer.headers, this.options.clock.now()) : null
    const wait = asked === null ? backOff(attempt, slow ? 2000 : 1000) : asked * 1000
    return wait > maxWaitMs ? null : wait
  }

  /** Milliseconds to wait before asking again after a dropped connection; null to give up. */
  private dropWait(outcome: Outcome, attempt: number, options: RequestOptions): number | null {
    const again = outcome.code === "connection" || outcome.code === "timeout"
    return again && attempt < (options.retries ?? 2) ? backOff(attempt, 1000) : null
  }

  /** One attempt with its redirects; a failure to get an answer is returned, not thrown. */
  private async attempt(
    method: string,
    url: string,
    options: RequestOptions,
  ): Promise<HttpAnswer | Outcome> {
    const started = this.options.clock.now()
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([this.options.signal, deadline])
    try {
      return await this.follow(method, url, options, signal, started)
    } catch (error) {
      this.options.signal.throwIfAborted()
      if (error instanceof Outcome) return error
      if (deadline.aborted) {
        return new Timeout(`${new URL(url).host} did not answer within ${timeoutMs / 1000} s.`, {
          url,
        })
      }
      throw error
    }
  }

  private async follow(
    method: string,
    url: string,
    options: RequestOptions,
    signal: AbortSignal,
    started: number,
  ): Promise<HttpAnswer> {
    const redirects: Answer["redirects"] = []
    let body = requestBody(options)
    let current = url
    for (;;) {
      const wire = await this.options.transport.send({
        method,
        url: current,
        headers: await this.headers(current, options, body !== undefined),
        ...(body === undefined ? {} : { body }),
        maxBytes: options.maxBytes ?? defaultMaxBytes,
        signal,
      })
      await this.keepCookies(wire, current)
      const location = redirectTarget(wire, current)
      if (location === undefined || options.redirect === "manual") {
        return new HttpAnswer({
          url: current,
          requestedUrl: url,
          status: wire.status,
          headers: wire.headers,
          redirects,
          via: wire.via,
          bytes: wire.bytes,
          timing: { total: this.options.clock.now() - started, firstByte: wire.firstByte },
        })
      }
      redirects.push({ url: current, status: wire.status, location })
      if (redirects.length > maxRedirects) {
        throw new TooManyRedirects(`More than ${maxRedirects} redirects.`, {
          url,
          statusCode: wire.status,
        })
      }
      // 307 and 308 repeat the request; the others become a GET, as browsers do.
      if (wire.status !== 307 && wire.status !== 308 && method !== "HEAD") {
        method = "GET"
        body = undefined
      }
      current = location
    }
  }

  private async headers(url: string, options: RequestOptions, hasBody: boolean): Promise<Headers> {
    const headers = new Headers(
      options.identity === "browser"
        ? browserHeaders
        : { "user-agent": serviceUserAgent(this.options.contact), accept: "*/*" },
    )
    if (hasBody) {
      headers.set(
        "content-type",
        options.json === undefined ? "application/x-www-form-urlencoded" : "application/json",
      )
    }
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
    const cookies = await this.jar.getCookieString(url)
    if (cookies && !headers.has("cookie")) headers.set("cookie", cookies)
    return headers
  }

  private async keepCookies(wire: WireAnswer, url: string): Promise<void> {
    for (const cookie of wire.headers.getSetCookie()) {
      await this.jar.setCookie(cookie, url, { ignoreError: true })
    }
  }
}

/** Exponential, with full jitter over its upper half. */
function backOff(attempt: number, base: number): number {
  const full = base * 2 ** attempt
  return full / 2 + (Math.random() * full) / 2
}

function requestUrl(address: string, query: RequestOptions["query"]): string {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    throw new BadInput(`"${address}" is not an address.`)
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BadInput(`"${address}" is not an http or https address.`)
  }
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value])
      url.searchParams.append(name, String(one))
  }
  url.hash = ""
  return url.href
}

function requestBody(options: RequestOptions): string | undefined {
  if (options.json !== undefined) return JSON.stringify(options.json)
  if (options.form !== undefined) return new URLSearchParams(options.form).toString()
  return options.body
}

function redirectTarget(wire: WireAnswer, current: string): string | undefined {
  const location = wire.headers.get("location")
  if (![301, 302, 303, 307, 308].includes(wire.status) || !location) return undefined
  try {
    return new URL(location, current).href
  } catch {
    return undefined
  }
}
