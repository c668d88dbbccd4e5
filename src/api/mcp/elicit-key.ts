import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js"
import type { ToolResponse } from "./tool-runs.ts"

/**
 * Asks the client to open the sign-up URL: the protocol forbids asking for a key with a form.
 * @throws UrlElicitationRequiredError
 */
export function elicitKey({ claimUrl, claimStatusUrl }: ToolResponse): void {
  if (!claimUrl) return
  const message = `The daily free quota is used up. Sign up at this URL for an API key, then add it to the client's configuration as the header Authorization: Bearer <API_KEY>. The key is shown there, and once at ${claimStatusUrl}.`
  const elicitationId = new Bun.CryptoHasher("sha256").update(claimUrl).digest("hex").slice(0, 32)
  throw new UrlElicitationRequiredError(
    [{ mode: "url", url: claimUrl, message, elicitationId }],
    message,
  )
}
