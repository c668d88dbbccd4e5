const ending = ".url"

/**
 * The server keeps no sessions. The session ID in the response to `initialize` is the agent ID of a
 * client without a key, because the client sends it with every later request: its calls are one agent's,
 * with one claim. The ID also encodes whether the client can open URLs for its user.
 */
export function sessionFor(
  message: unknown,
  newAgentId: (() => string) | null,
): string | undefined {
  const { method, params } = (message ?? {}) as {
    method?: unknown
    params?: { capabilities?: { elicitation?: { url?: unknown } } }
  }
  if (method !== "initialize") return undefined
  const isOpening = Boolean(params?.capabilities?.elicitation?.url)
  if (!newAgentId) return isOpening ? crypto.randomUUID() + ending : undefined
  return newAgentId() + (isOpening ? ending : "")
}

export const opensUrls = ({ headers }: Request) =>
  headers.get("mcp-session-id")?.endsWith(ending) === true
