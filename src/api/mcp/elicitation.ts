const ending = ".url"

/**
 * The server keeps no sessions. If a client can open URLs for its user, the session ID that it gets
 * with the response to `initialize` encodes this, because the client sends the ID with every later
 * request.
 */
export function sessionFor(message: unknown): string | undefined {
  const { method, params } = (message ?? {}) as {
    method?: unknown
    params?: { capabilities?: { elicitation?: { url?: unknown } } }
  }
  const opens = method === "initialize" && params?.capabilities?.elicitation?.url
  return opens ? crypto.randomUUID() + ending : undefined
}

export const opensAddresses = ({ headers }: Request) =>
  headers.get("mcp-session-id")?.endsWith(ending) === true
