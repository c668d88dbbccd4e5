import type { Browser, BrowserLease } from "../../../fetch/environment.ts"
import type { Transport, WireRequest, WireResponse } from "../../http/exchange.ts"
import type { NetRequest } from "./net-request.ts"

/** Chrome's connection and headers for plain requests: the way between the HTTP client and a render. */
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

/** Headers that Chrome sends itself; ours would repeat or contradict them. */
const chromesOwn =
  /^(?:user-agent|cookie|host|connection|content-length|accept-(?:encoding|language)|upgrade-insecure-requests|priority|sec-.*)$/

/** A request of the HTTP client as Chrome is asked for it. */
export function netRequest(request: WireRequest): NetRequest {
  const { method, url, headers, body, maxBytes, truncate, timeoutMs } = request
  const as = isCall(request) ? "call" : "document"
  const own = [...headers].filter(([name]) => {
    // A page's accept header is Chrome's; a call may ask for what it wants.
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

/** Only a page can be opened by navigation; everything else a script of the page would request. */
function isCall({ method, headers }: WireRequest): boolean {
  if (method !== "GET") return true
  const mode = headers.get("sec-fetch-mode")
  if (mode) return mode !== "navigate"
  const accept = headers.get("accept") ?? ""
  return /json/.test(accept) && !/html/.test(accept)
}
