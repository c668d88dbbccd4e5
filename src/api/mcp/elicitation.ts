import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js"
import type { ToolResponse } from "./tool-runs.ts"

const ending = ".url"

/**
 * No sessions are kept: that a client opens addresses for its user is said by the id that it is given with the
 * answer to `initialize`, and sends with every later request.
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

/**
 * A key may not be asked for by a form (the protocol forbids it): the user signs up at an address that the client
 * opens. @throws UrlElicitationRequiredError
 */
export function elicitKey({ claimUrl, claimStatusUrl }: ToolResponse): void {
  if (!claimUrl) return
  const message = `The free calls of today are used. Sign up at this address for an API key, which the client's configuration takes as the header Authorization: Bearer <API_KEY>; it is shown there, and once at ${claimStatusUrl}.`
  const elicitationId = new Bun.CryptoHasher("sha256").update(claimUrl).digest("hex").slice(0, 32)
  throw new UrlElicitationRequiredError(
    [{ mode: "url", url: claimUrl, message, elicitationId }],
    message,
  )
}
