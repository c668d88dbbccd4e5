import type { Browser, BrowserLease } from "../../../fetch/environment.ts"
import type { Transport, WireRequest, WireResponse } from "../../http/exchange.ts"
import type { NetRequest } from "./net-request.ts"

/**
 * Plain requests with Chrome's connection and headers: more capable than the HTTP client, cheaper
 * than rendering.
 */
export class ChromeNetTransport implements Transport {
  constructor(
    private readonly browser: Required<Pick<Browser, "fetch">>,
    private readonly lease: Pick<BrowserLease, "jar" | "unlocker" | "log">,
  ) {}

  send(request: WireRequest): Promise<WireResponse> {
    const { signal, exit: egress } = request
    return this.browser.fetch({ ...this.lease, signal, exit: egress }, request)
  }
}

/** Headers that Chrome sends itself; the caller's would repeat or contradict them. */
const chromesOwn =
  /^(?:user-agent|cookie|host|connection|content-length|accept-(?:encoding|language)|upgrade-insecure-requests|priority|sec-.*)$/

/** Converts a request of the HTTP client for Chrome. */
export function netRequest(request: WireRequest): NetRequest {
  const { method, url, headers, body, maxBytes, truncate, timeoutMs } = request
  const as = isCall(request) ? "call" : "document"
  const own = [...headers].filter(([name]) => {
    // For a document, Accept is Chrome's; a call may set its own.
    return !chromesOwn.test(name) && (name !== "accept" || as === "call")
  })
  return {
    as,
    method,
    url,
    headers: own,
    ...(body === undefined ? {} : { body }),
    maxBytes,
    ...(truncate ? { truncate } : {}),
    timeoutMs,
  }
}

/** Whether a request must be a call: only a GET of a page can be a navigation. */
function isCall({ method, headers }: WireRequest): boolean {
  if (method !== "GET") return true
  const mode = headers.get("sec-fetch-mode")
  if (mode) return mode !== "navigate"
  const accept = headers.get("accept") ?? ""
  return /json/.test(accept) && !/html/.test(accept)
}
