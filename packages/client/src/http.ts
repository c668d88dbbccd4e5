import { ConnectionFailed, refusalError, TrawlError } from "./errors.js"

export interface TrawlOptions {
  /** URL of your server (default http://127.0.0.1:8080). */
  baseUrl?: string
  /** API key. Without one, only `scrape`, `runKeyless` and `search` work, within the daily free quota. */
  apiKey?: string | undefined
  /** Identity of an agent without a key, from an earlier result. */
  agentId?: string | undefined
  /** Retries of one request after 429, 503 or a lost connection (default 4). */
  maxRetries?: number
  /** Maximum wait before a retry in milliseconds (default 60,000). If the server asks for more, it throws. */
  maxRetryDelayMs?: number
  /** Maximum time of one request in milliseconds (default 120,000). */
  requestTimeoutMs?: number
  /** Default: the runtime's. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface SignalOption {
  /** Ends the call. A started run continues on the server. */
  signal?: AbortSignal | undefined
}

type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined

export interface RequestOptions extends SignalOption {
  query?: Readonly<Record<string, QueryValue>> | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of `body`. */
  content?:
    | { type: string; data: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string }
    | undefined
  /** Repeating a request with the same key within 24 hours creates nothing twice. */
  idempotencyKey?: string | undefined
}

interface Reply {
  response: Response
  /** Stops the timeout of the request. */
  clearTimer(): void
  /** Detaches the caller's signal, once the body has been read. */
  detach(): void
}

/** The requests to one server, with retries. */
export class Http {
  readonly baseUrl: string
  private readonly settings: Required<Omit<TrawlOptions, "baseUrl" | "apiKey" | "agentId">> &
    Pick<TrawlOptions, "apiKey" | "agentId">

  constructor(options: TrawlOptions = {}) {
    const { baseUrl = "http://127.0.0.1:8080" } = options
    this.baseUrl = baseUrl.replace(/\/+$/, "")
    if (!/^https?:\/\//.test(this.baseUrl)) {
      throw new TrawlError(`baseUrl must start with http:// or https://: "${baseUrl}".`)
    }
    this.settings = {
      apiKey: options.apiKey,
      agentId: options.agentId,
      maxRetries: options.maxRetries ?? 4,
      maxRetryDelayMs: options.maxRetryDelayMs ?? 60_000,
      requestTimeoutMs: options.requestTimeoutMs ?? 120_000,
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    }
  }

  get agentId(): string | undefined {
    return this.settings.agentId
  }

  get hasKey(): boolean {
    return this.settings.apiKey !== undefined
  }

  /** Remembers the identity that the server gave an agent without a key. */
  identify(agentId: string | undefined): void {
    this.settings.agentId ??= agentId
  }

  /** Returns the JSON of a response. @throws ApiError, ConnectionFailed */
  async json<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    const text = await this.text(await this.send(method, path, options), options.signal)
    if (text === "") return undefined as T
    const value = asJson(text)
    if (value !== undefined) return value as T
    throw new TrawlError(`${this.baseUrl}${path} did not return JSON: is this a Trawl server?`)
  }

  /** Returns a response whose body can be streamed. @throws ApiError, ConnectionFailed */
  async stream(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { response, clearTimer } = await this.send(method, path, options)
    clearTimer()
    return response
  }

  /** Sends a request until the server accepts or refuses it. */
  private async send(method: string, path: string, options: RequestOptions): Promise<Reply> {
    const { maxRetries, maxRetryDelayMs } = this.settings
    const { signal, idempotencyKey } = options
    const url = this.urlOf(path, options.query)
    // A request whose response was lost is only repeated if that cannot create something twice.
    const isRepeatable = method === "GET" || method === "DELETE" || idempotencyKey !== undefined
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted()
      const reply = await this.once(method, url, options).catch((error: unknown) => {
        signal?.throwIfAborted()
        if (!isRepeatable || tries >= maxRetries) throw connectionFailed(url, error)
      })
      if (reply?.response.ok) return reply
      let delayMs = Math.min(backoffMs(tries), maxRetryDelayMs)
      if (reply) {
        const refused = refusal(reply.response, await this.text(reply, signal))
        const isBusy = refused.status === 429 || refused.status === 503
        if (refused.retryAfterSeconds !== undefined) delayMs = refused.retryAfterSeconds * 1000
        if (!isBusy || tries >= maxRetries || delayMs > maxRetryDelayMs) throw refusalError(refused)
      }
      await pause(delayMs, signal)
    }
  }

  private urlOf(path: string, query: RequestOptions["query"] = {}): string {
    const url = new URL(this.baseUrl + path)
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
      }
    }
    return url.href
  }

  private async once(method: string, url: string, options: RequestOptions): Promise<Reply> {
    const { apiKey, agentId, requestTimeoutMs } = this.settings
    const { body, content, idempotencyKey, signal } = options
    const abort = new AbortController()
    const onAbort = () => abort.abort(signal?.reason)
    signal?.addEventListener("abort", onAbort, { once: true })
    const timer = setTimeout(
      () => abort.abort(new Error(`no response within ${requestTimeoutMs} ms`)),
      requestTimeoutMs,
    )
    const clearTimer = () => clearTimeout(timer)
    const detach = () => signal?.removeEventListener("abort", onAbort)
    try {
      const response = await this.settings.fetch(url, {
        method,
        headers: {
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          ...(apiKey === undefined && agentId !== undefined && { "x-trawl-agent": agentId }),
          ...(content && { "content-type": content.type }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        },
        ...(content && { body: content.data }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: abort.signal,
      })
      return { response, clearTimer, detach }
    } catch (error) {
      clearTimer()
      detach()
      throw abort.signal.aborted ? abort.signal.reason : error
    }
  }

  private async text(reply: Reply, signal: AbortSignal | undefined): Promise<string> {
    try {
      return await reply.response.text()
    } catch (error) {
      signal?.throwIfAborted()
      throw connectionFailed(reply.response.url, error)
    } finally {
      reply.clearTimer()
      reply.detach()
    }
  }
}

/** The body of an error response: of the API, or of a keyless call. */
interface ErrorBody {
  error?: { code?: string; message?: string; details?: unknown } | string
  claimUrl?: string
  claimStatusUrl?: string
}

function refusal(response: Response, text: string) {
  const body = (asJson(text) ?? {}) as ErrorBody
  const error = typeof body.error === "string" ? { message: body.error } : (body.error ?? {})
  const { status } = response
  return {
    status,
    ...(typeof error.code === "string" && { code: error.code }),
    message: error.message ?? `The server responded with status ${status}: ${text.slice(0, 200)}`,
    details: error.details,
    retryAfterSeconds: secondsIn(response.headers.get("retry-after")),
    claimUrl: body.claimUrl,
    claimStatusUrl: body.claimStatusUrl,
  }
}

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function connectionFailed(url: string, cause: unknown): ConnectionFailed {
  // Node.js puts the reason below "fetch failed".
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const reason = inner instanceof Error ? inner.message : String(inner)
  return new ConnectionFailed(`The request to ${url.split("?")[0]} failed: ${reason}`, { cause })
}

/** Returns a random idempotency key. Node.js 18 and pages without TLS have no `crypto.randomUUID`. */
export const randomKey = () =>
  Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 10)).join("-")

/** From 0.5 to 1 second at first, doubled for each try. */
const backoffMs = (tries: number) => 500 * 2 ** tries * (1 + Math.random())

/** Waits, or throws the reason of an abort. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener("abort", onAbort, { once: true })
  })
}
