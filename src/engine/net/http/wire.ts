import { Timeout } from "../../../catalogue/kit/index.ts"
import { errorCode } from "./connection-failure.ts"
import type { WireRequest, WireResponse } from "./exchange.ts"
import { readBody } from "./inflate.ts"

/** Milliseconds to wait for response headers before the request is aborted. */
const headerTimeoutMs = 20_000

/** The actual destination of a request. */
export interface Dial {
  url: string
  /** The Host header, if the URL contains an IP address. */
  host?: string
  proxy: string | false
  tls?: { serverName?: string; rejectUnauthorized?: boolean; ca?: string }
}

/** The end of an exchange: the caller's signal or the timeout, whichever comes first. */
export class Deadline {
  private readonly control = new AbortController()
  private readonly timer: ReturnType<typeof setTimeout>
  private readonly stop: () => void

  constructor(private readonly request: WireRequest) {
    const { signal, timeoutMs } = request
    this.stop = () => this.control.abort(signal.reason)
    this.timer = this.abortAfter(timeoutMs, "did not respond")
    signal.addEventListener("abort", this.stop, { once: true })
    if (signal.aborted) this.stop()
  }

  get signal(): AbortSignal {
    return this.control.signal
  }

  /** Aborts the exchange after a time, unless the timer is cleared. */
  abortAfter(milliseconds: number, what: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      const { url } = this.request
      const seconds = Math.round(milliseconds / 100) / 10
      const { host } = new URL(url)
      this.control.abort(new Timeout(`${host} ${what} within ${seconds} s.`, { url }))
    }, milliseconds)
  }

  clear(): void {
    clearTimeout(this.timer)
    this.request.signal.removeEventListener("abort", this.stop)
  }
}

/** Makes a fetch without redirects, and decompresses the body within its limit. */
export async function exchange(
  request: WireRequest,
  dial: Dial,
  deadline: Deadline,
): Promise<WireResponse> {
  const started = performance.now()
  const headers = new Headers(request.headers)
  const body = request.bodyBytes ?? request.body
  if (dial.host) headers.set("host", dial.host)
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "gzip, deflate, br, zstd")
  const silence = deadline.abortAfter(
    request.headersWithinMs ?? headerTimeoutMs,
    "sent no response",
  )
  try {
    // HTTP/2 or 1.1, as negotiated in the TLS hello (--experimental-http2-fetch).
    const send = (protocol?: "http1.1") =>
      fetch(dial.url, {
        method: request.method,
        headers,
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        // Decompressed below, where the size of the output is limited.
        decompress: false,
        // Always set, because fetch would otherwise read a proxy from the environment.
        proxy: dial.proxy as string,
        ...(dial.tls ? { tls: dial.tls } : {}),
        ...(protocol ? { protocol } : {}),
        signal: deadline.signal,
      })
    const response = await send().catch((error) => {
      // Some hosts negotiate HTTP/2 and then drop it. A request that may have had an effect is not
      // repeated.
      if (request.method === "POST" || !/^HTTP2/.test(errorCode(error))) throw error
      return send("http1.1")
    })
    clearTimeout(silence)
    const firstByte = Math.round(performance.now() - started)
    const bytes = await readBody(response, {
      maxBytes: request.maxBytes,
      url: request.url,
      ...(request.truncate ? { truncate: true } : {}),
    })
    return {
      status: response.status,
      headers: readable(response.headers),
      bytes,
      via: "http",
      firstByte,
      took: performance.now() - started,
    }
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error
  } finally {
    clearTimeout(silence)
  }
}

/** Decodes a Location header that contains raw UTF-8, which arrives as one character per byte. */
function readable(headers: Headers): Headers {
  const location = headers.get("location")
  if (!location || !/[\x80-\xff]/.test(location)) return headers
  const text = Buffer.from(location, "latin1").toString("utf8")
  if (text.includes("\ufffd")) return headers
  const fixed = new Headers(headers)
  fixed.set("location", text.replace(/[^\0-\x7f]+/g, encodeURIComponent))
  return fixed
}
