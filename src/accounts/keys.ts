import { newId } from "../store/ids.ts"
import { newSecret, sha256 } from "./secrets.ts"

export const keyPrefix = "trawl_live_"

/** What a key may be let do: start and change things, read them, operate the service. */
export const scopes = ["run", "read", "admin"] as const
export type Scope = (typeof scopes)[number]

export function scopesOf(key: { scopes: string }): Scope[] {
  return key.scopes.split(" ") as Scope[]
}

export interface FreshKey {
  /** Shown once. */
  apiKey: string
  row: { id: string; hash: string; hint: string; name: string; createdAt: string }
}

export function freshKey(name: string, at: Date, id: string = newId("key")): FreshKey {
  const apiKey = keyPrefix + newSecret()
  return {
    apiKey,
    row: {
      id,
      hash: sha256(apiKey),
      hint: `${keyPrefix}…${apiKey.slice(-4)}`,
      name,
      createdAt: at.toISOString(),
    },
  }
}
