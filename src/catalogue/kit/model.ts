/** A request about one page to the operator's model. */
export interface ModelRequest {
  prompt: string | null
  /** The JSON Schema of the input, as written. */
  schema: unknown
  /** The page's text, cut off at the operator's limit. */
  page: string
  url: string
  /** Returns what is wrong with an answer, as a sentence; null if it fits. */
  check(value: unknown): string | null
}

export interface ModelUsage {
  model: string
  /** As its server counts them; null if unknown. */
  inputTokens: number | null
  outputTokens: number | null
  /** In the currency of its server; null if unknown. */
  cost: number | null
  /** Number of requests: a second one if the first answer does not fit. */
  requests: number
  /** Whether the page was longer than the operator's limit. */
  truncated: boolean
}

export interface ModelResponse {
  value: Record<string, unknown>
  usage: ModelUsage
}
