import type { FetchMethod } from "../../../catalogue/kit/index.ts"
import type { EgressRules } from "./proxy-rules.ts"

/** One request on the wire: no redirects, no retries, headers complete. */
export interface WireRequest {
  method: string
  url: string
  headers: Headers
  body?: string
  /** A body that is not text. */
  bodyBytes?: Uint8Array<ArrayBuffer>
  maxBytes: number
  /** Milliseconds for this exchange, from when it really begins: waiting for a turn is not in it. */
  timeoutMs: number
  /** Milliseconds until its first header. Default 20,000: who says nothing for longer is given up. */
  headersWithinMs?: number
  /** Return the first `maxBytes` of a larger body instead of TooLarge. */
  truncate?: boolean
  signal: AbortSignal
  /** For whom, so that a proxy can be kept for a run or an account. */
  exit?: EgressRules
}

export interface WireResponse {
  status: number
  headers: Headers
  bytes: Uint8Array
  via: FetchMethod
  /** Milliseconds from the start of the request to the first byte; null where unknown. */
  firstByte: number | null
  /** Milliseconds that the exchange took; absent in replay. */
  took?: number
  /** The address that was connected to; absent where that is a proxy's business, or Chrome's. */
  ip?: string
}

/**
 * Carries one request to an upstream and its answer back. Live, this is the guarded fetch
 * (live.ts); in replay, the recorded exchanges (replay/transport.ts).
 * @throws Outcome (Unreachable, Timeout, EgressDenied, TooLarge)
 */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>
}
