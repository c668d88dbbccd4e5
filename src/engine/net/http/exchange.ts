import type { FetchMethod } from "../../../catalogue/kit/index.ts"
import type { EgressRules } from "./proxy-rules.ts"

/** A single request: without redirects or retries, and with all headers. */
export interface WireRequest {
  method: string
  url: string
  headers: Headers
  body?: string
  /** Binary body. */
  bodyBytes?: Uint8Array<ArrayBuffer>
  maxBytes: number
  /** Maximum milliseconds of the exchange, without the wait for the rate limit. */
  timeoutMs: number
  /** Maximum milliseconds until the response headers. Default: 20,000. */
  headersWithinMs?: number
  /** Whether to return the first `maxBytes` of a larger body instead of throwing TooLarge. */
  truncate?: boolean
  signal: AbortSignal
  /** Egress rules, so that a run or an account can keep its proxy. */
  exit?: EgressRules
}

export interface WireResponse {
  status: number
  headers: Headers
  bytes: Uint8Array
  via: FetchMethod
  /** Milliseconds from the start of the request to the first byte; null if unknown. */
  firstByte: number | null
  /** Milliseconds of the exchange; missing in replay. */
  took?: number
  /** IP address of the connection; missing if a proxy or Chrome made it. */
  ip?: string
}

/**
 * Sends a request to an upstream and returns its response. Live, this is the filtered fetch
 * (live.ts); in replay, the recorded exchanges (replay/transport.ts).
 * @throws ScrapeError (Unreachable, Timeout, EgressDenied, TooLarge)
 */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>
}
