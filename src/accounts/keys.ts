import type { NewKey } from "../store/accounts/keys.ts"
import { newId } from "../store/db/ids.ts"
import { newSecret, sha256 } from "./secrets.ts"

export const keyPrefix = "trawl_live_"

/** Rights of a key: start and change things, read them, administer the service. */
export const scopes = ["run", "read", "admin"] as const
export type Scope = (typeof scopes)[number]

export function scopesOf(key: { scopes: string }): Scope[] {
  return key.scopes.split(" ") as Scope[]
}

/** Limits of a key compared with its account. */
export interface KeyTerms {
  /** Default: run and read. */
  scopes?: readonly Scope[] | undefined
  /** ISO 8601. */
  expiresAt?: string | null | undefined
  /** Maximum credits to spend. */
  creditLimit?: number | null | undefined
}

export interface FreshKey {
  /** API key, returned only once. */
  apiKey: string
  row: Omit<NewKey, "accountId">
}

export function freshKey(
  name: string,
  at: Date,
  id: string = newId("key"),
  { scopes: allowed, expiresAt = null, creditLimit = null }: KeyTerms = {},
): FreshKey {
  const apiKey = keyPrefix + newSecret()
  return {
    apiKey,
    row: {
      id,
      hash: sha256(apiKey),
      hint: `${keyPrefix}…${apiKey.slice(-4)}`,
      name,
      createdAt: at.toISOString(),
      expiresAt,
      creditLimit,
      ...(allowed && { scopes: scopes.filter((scope) => allowed.includes(scope)).join(" ") }),
    },
  }
}
