import type { Service } from "../service.ts"

/**
 * How the caller sends its key: as a parameter or header of each call, or in an MCP client's
 * configuration.
 */
export type Surface = "http" | "mcp"

export interface ClaimLinks {
  claimUrl: string
  claimStatusUrl: string
}

export interface Guidance {
  error: string
  agentGuidance: string
}

/** Step-by-step instructions for an agent that has used up the daily free quota. */
export function claimGuidance(
  { config, signUpIsOpen }: Pick<Service, "config" | "signUpIsOpen">,
  { claimUrl, claimStatusUrl }: ClaimLinks,
  surface: Surface,
  root: string,
  resetsAt: string,
): Guidance {
  const error =
    config.freeDaily === 0
      ? "This server requires an API key for all calls."
      : `The daily free quota of ${config.freeDaily} calls is used up.`
  const link = signUpIsOpen
    ? `Show your user this link to sign up for a free account with credits, or to sign in: ${claimUrl}`
    : `Show your user this link to sign in (the operator of this server creates accounts): ${claimUrl}`
  const repeat =
    surface === "mcp"
      ? `Ask your user to add the header Authorization: Bearer <apiKey> to the server ${root}/api/mcp in the configuration of the MCP client. Then call this tool again.`
      : "Repeat the same call with the query parameter token=<apiKey>, or with the header Authorization: Bearer <apiKey>."
  const poll =
    surface === "mcp"
      ? `Call claim_key ${JSON.stringify({ claimStatusUrl })} about every 10 seconds until it returns the key, once. Alternatively, your user copies the key from the page at the end of the sign-up.`
      : `Poll ${claimStatusUrl} with GET about every 10 seconds until its status is "ready". That response contains apiKey, only once: store it.`
  const wait =
    config.freeDaily === 0
      ? []
      : [
          `Or wait until 00:00 UTC (${resetsAt}): then ${config.freeDaily} free calls are available again.`,
        ]
  return guidance(error, [link, poll, repeat, ...wait])
}

/** Instructions for an account without credits, for which signing up again would not help. */
export function accountGuidance(accountId: string, surface: Surface): Guidance {
  const without =
    surface === "mcp"
      ? "remove the header Authorization from the client's configuration"
      : "leave out token and the header Authorization"
  return guidance("The account of this API key has no credits left.", [
    `Ask your user to get credits for the account ${accountId}. The operator of this server adds them; the key stays the same.`,
    "Then repeat the same call.",
    `Until then, calls without the key use the daily free quota: ${without}.`,
  ])
}

function guidance(error: string, steps: string[]): Guidance {
  return {
    error,
    agentGuidance: [error, ...steps.map((step, index) => `${index + 1}. ${step}`)].join("\n"),
  }
}
