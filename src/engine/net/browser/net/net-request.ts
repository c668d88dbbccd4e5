/** One request over Chrome's network stack; plain data, as it is posted between threads. */
export interface NetRequest {
  /** A page that is opened, or a call that a page's script makes. */
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
