import type { Config } from "../../config.ts"

export interface ClaimLinks {
  claimUrl: string
  claimStatusUrl: string
}

/** What is spent, and what an agent does now, step by step. */
export function paymentGuidance(
  config: Pick<Config, "freeDaily" | "signup" | "signupCredits">,
  payer: "caller" | "account",
  { claimUrl, claimStatusUrl }: ClaimLinks,
): { error: string; agentGuidance: string } {
  const error =
    payer === "caller"
      ? `The free allowance of ${config.freeDaily} calls a day is used up.`
      : "The account of this token has no credits left; the operator of this service can add some."
  const link =
    config.signup === "open"
      ? `1. Show your user this link to sign up for a free account with ${config.signupCredits} credits, or to sign in: ${claimUrl}`
      : `1. Show your user this link to sign in (new accounts are made by the operator of this service): ${claimUrl}`
  const agentGuidance = [
    error,
    link,
    `2. Poll ${claimStatusUrl} with GET about every 10 seconds until its status is "ready"; that answer carries apiKey, once. Keep it.`,
    "3. Repeat this same call with the query parameter token=<apiKey>, or with the header Authorization: Bearer <apiKey>.",
  ].join("\n")
  return { error, agentGuidance }
}
