import { type Outcome, Timeout, Unreachable } from "../../catalogue/outcome.ts"
import type { EgressGuard } from "../egress/guard.ts"
import type { Transport, WireAnswer, WireRequest } from "./exchange.ts"
import { readBody } from "./inflate.ts"

const headerTimeoutMs = 20_000

/** The guarded fetch: connects only to addresses that the guard resolved and checked. */
export class LiveTransport implements Transport {
  constructor(private readonly guard: EgressGuard) {}

  async send(request: WireRequest): Promise<WireAnswer> {
    const url = new URL(request.url)
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
    const addresses = await this.guard.resolve(url.hostname.replace(/^\[|\]$/g, ""), port)
    let failure: unknown
    // A name with several addresses may have dead ones; a request that was refused is safe to repeat.
    const deadline = deadlineOf(request)
    for (const address of addresses.slice(0, 4)) {
      try {
        return await exchange(request, pinned(url, address), deadline)
      } catch (error) {
        failure = error
        if (!isRefused(error)) break
      }
    }
    throw connectionFailure(failure, request)
  }
}

/** Through a proxy of the operator, which resolves names itself. */
export class ProxyTransport implements Transport {
  constructor(
    private readonly guard: EgressGuard,
    private readonly proxy: string,
    /** Unlockers decrypt what passes, so their certificate is not the site's. */
    private readonly unlocker = false,
  ) {}

  async send(request: WireRequest): Promise<WireAnswer> {
    const url = new URL(request.url)
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
    this.guard.checkLiteral(url.hostname, port)
    try {
      const answer = await exchange(
        request,
        {
          url: url.href,
          init: {
            proxy: this.proxy,
            ...(this.unlocker ? { tls: { rejectUnauthorized: false } } : {}),
          },
        },
        deadlineOf(request),
      )
      return this.unlocker ? { ...answer, via: "unlocker" } : answer
    } catch (error) {
      throw connectionFailure(error, request)
    }
  }
}

function deadlineOf({ url, timeoutMs }: WireRequest): AbortSignal {
  const control = new AbortController()
  const late = new Timeout(
    `${new URL(url).host} did not answer within ${Math.round(timeoutMs / 100) / 10} s.`,
    { url },
  )
  setTimeout(() => control.abort(late), timeoutMs).unref()
  return control.signal
}

interface Dial {
  url: string
  init: BunFetchRequestInit
  host?: string
}

function pinned(url: URL, address: string): Dial {
  const dialled = new URL(url)
  dialled.hostname = address.includes(":") ? `[${address}]` : address
  return {
    url: dialled.href,
    host: url.host,
    init: {
      proxy: false as unknown as string,
      ...(url.protocol === "https:"
        ? { tls: { serverName: url.hostname.replace(/^\[|\]$/g, "") } }
        : {}),
    },
  }
}

async function exchange(
  request: WireRequest,
  dial: Dial,
  deadline: AbortSignal,
): Promise<WireAnswer> {
  const started = performance.now()
  const headers = new Headers(request.headers)
  if (dial.host) headers.set("host", dial.host)
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "gzip, deflate, br, zstd")
  const silence = new AbortController()
  const timer = setTimeout(
    () =>
      silence.abort(
        new Timeout(
          `${new URL(request.url).host} sent no answer within ${headerTimeoutMs / 1000} s.`,
          { url: request.url },
        ),
      ),
    headerTimeoutMs,
  )
  let response: Response
  try {
    response = await fetch(dial.url, {
      ...dial.init,
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: "manual",
      // Unpacked here, where the size of what comes out is watched.
      decompress: false,
      signal: AbortSignal.any([request.signal, deadline, silence.signal]),
    })
  } catch (error) {
    if (silence.signal.aborted) throw silence.signal.reason
    if (deadline.aborted) throw deadline.reason
    throw error
  } finally {
    clearTimeout(timer)
  }
  const firstByte = Math.round(performance.now() - started)
  const encoding = response.headers.get("content-encoding") ?? ""
  const limits = {
    maxBytes: request.maxBytes,
    url: request.url,
    ...(request.truncate ? { truncate: true } : {}),
  }
  const bytes = await readBody(response.body, encoding, limits).catch((error) => {
    throw deadline.aborted ? deadline.reason : error
  })
  const announced = Number(response.headers.get("content-length"))
  if (
    request.method !== "HEAD" &&
    announced > 0 &&
    bytes.length < announced &&
    !encoding &&
    !request.truncate
  ) {
    throw new Unreachable("The connection was cut before the answer was whole.", "connection", {
      url: request.url,
    })
  }
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    via: "http",
    firstByte,
    took: performance.now() - started,
  }
}

function errorCode(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "")
}

function isRefused(error: unknown): boolean {
  return /REFUSED|UNREACH|ConnectionRefused|FailedToOpenSocket|NETDOWN/i.test(errorCode(error))
}

/** What a failed fetch means, in one plain sentence. */
function connectionFailure(error: unknown, request: WireRequest): unknown {
  if (request.signal.aborted) return request.signal.reason
  if (error instanceof Error && "kind" in error) return error as Outcome
  const code = errorCode(error)
  const message = error instanceof Error ? error.message : String(error)
  const host = new URL(request.url).host
  const details = { url: request.url, cause: error }
  if (/CERT|TLS|SSL|ALTNAME|self.signed|UNABLE_TO/i.test(`${code} ${message}`)) {
    return new Unreachable(
      `The encrypted connection to ${host} failed (${code || message}).`,
      "tls",
      details,
    )
  }
  if (/TIMEDOUT|Timeout/i.test(code)) return new Timeout(`${host} did not answer in time.`, details)
  if (isRefused(error))
    return new Unreachable(`${host} refused the connection.`, "connection", details)
  return new Unreachable(
    `The connection to ${host} failed (${code || message}).`,
    "connection",
    details,
  )
}
