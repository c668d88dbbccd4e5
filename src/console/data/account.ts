import type { Part } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"

export interface Account {
  id: string
  email: string | null
  plan: "free" | "unlimited"
  credits: { balance: number; unlimited: boolean }
  usage: { today: number; thisMonth: number }
  createdAt: string
}

export interface Key {
  id: string
  name: string
  hint: string
  scopes: Scope[]
  creditLimit: number | null
  creditsUsed: number | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
}

export type Scope = "run" | "read" | "admin"

export interface KeyTerms {
  name: string
  scopes: Scope[]
  expiresAt?: string
  creditLimit?: number
}

export interface Sum {
  pages: number
  items: number
  credits: number
  bytes: number
}

export interface UsageList {
  from: string
  to: string
  total: Sum
  items: (Sum & { day?: string; key?: string | null; scraper?: string })[]
  truncated: boolean
}

export interface LedgerEntry {
  at: string
  amount: number
  reason: "sign_up" | "grant" | "run"
  runId: string | null
  note: string | null
}

export const mePath = "/api/v1/me"
export const me = (signal: AbortSignal) => requestJson<Account>(mePath, signal)

/** An account has at most 100 keys. */
export const keysPath = "/api/v1/keys?limit=1000"
export const keys = (signal?: AbortSignal) => requestJson<Part<Key>>(keysPath, signal)
export const makeKey = (terms: KeyTerms) =>
  sendChange<Key & { apiKey: string }>("/api/v1/keys", terms)
export const revokeKey = (id: string) => remove(`/api/v1/keys/${id}`)

export const usage = (by: "day|scraper" | "key" | "scraper", days: number, signal: AbortSignal) =>
  requestJson<UsageList>(usagePath(by, days), signal)

export function usagePath(by: "day|scraper" | "key" | "scraper", days: number): string {
  return `/api/v1/usage?by=${encodeURIComponent(by)}&from=${daysAgo(days - 1)}`
}

/** Returns a date some days ago, in UTC like the days of the service. */
export const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export const ledger = (signal: AbortSignal) =>
  requestJson<Part<LedgerEntry>>("/api/v1/me/ledger?limit=50", signal)

/** Requires the password of the account. */
export const changePassword = (password: string, newPassword: string) =>
  sendChange<void>("/api/account/password", { password, newPassword })
export const signOut = () => remove("/api/session")
export const signOutEverywhere = () => remove("/api/sessions")
export const deleteAccount = (password: string) =>
  sendChange<void>("/api/account", { password }, "DELETE")

/** Returns the number of MCP tools and the tokens of their definitions. */
export const toolCost = (query: string, signal: AbortSignal) =>
  requestJson<{ tools: number; tokens: number }>(`/console/tools?${query}`, signal)
