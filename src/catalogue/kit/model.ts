/** A request to the operator's model about one page. */
export interface ModelRequest {
  prompt: string | null
  /** JSON Schema of the input, as written. */
  schema: unknown
  /** Text of the page, cut off at the operator's limit. */
  page: string
  url: string
  /** Returns a sentence on the first error of a response; null if it has none. */
  check(value: unknown): string | null
}

export interface ModelUsage {
  model: string
  /** Number of tokens as the model's server counts them; null if unknown. */
  inputTokens: number | null
  outputTokens: number | null
  /** Cost in the currency of the model's server; null if unknown. */
  cost: number | null
  /** Number of requests: 2 if the first response failed the check. */
  requests: number
  /** Whether the page was longer than the operator's limit. */
  truncated: boolean
}

export interface ModelResponse {
  value: Record<string, unknown>
  usage: ModelUsage
}
