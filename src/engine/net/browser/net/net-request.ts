/** A request over Chrome's network stack, as plain data for messages between threads. */
export interface NetRequest {
  /** A document for a navigation, or a call like those of a page's script. */
  as: "document" | "call"
  method: string
  url: string
  /** The caller's own headers; Chrome adds those that identify it. */
  headers: [string, string][]
  body?: string
  maxBytes: number
  truncate?: boolean
  timeoutMs: number
}

export interface NetResponse {
  status: number
  headers: [string, string][]
  bytes: Uint8Array
  /** Milliseconds. */
  firstByte: number
  took: number
}
