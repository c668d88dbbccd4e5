import type { Generated } from "kysely"

/** Tables of accounts and of data of anonymous callers. Times are ISO 8601 UTC. */
export interface AccountTables {
  accounts: AccountsTable
  ledger: LedgerTable
  usage_days: UsageDaysTable
  keys: KeysTable
  sessions: SessionsTable
  account_links: AccountLinksTable
  allowance: AllowanceTable
  claims: ClaimsTable
  keyless_results: KeylessResultsTable
  settings: SettingsTable
  /** Random secrets that this installation generated. */
  secrets: { name: string; value: string }
}

export interface AccountsTable {
  /** `acc_…` */
  id: string
  /** Lower case. Null for an account without an email address. */
  email: string | null
  password_hash: string | null
  unlimited: number
  /** Sum of the account's ledger; never below zero. */
  balance: number
  created_at: string
  role: Generated<Role>
  /** Time since which an administrator has locked the account; null if it is not locked. */
  locked_at: string | null
  /** Time of deletion. Only the ID and the ledger of a deleted account remain. */
  deleted_at: string | null
  /** JSON of the settings that differ for this account. */
  limits: string | null
}

export const roles = ["member", "owner"] as const
/** An `owner` is an administrator of the service. */
export type Role = (typeof roles)[number]

/** Single-use links: for the first administrator, for an invitation, and for a lost password. */
export interface AccountLinksTable {
  /** SHA-256 of the link's secret. */
  hash: string
  kind: "owner" | "invitation" | "password"
  /** The account whose password may be set. */
  account_id: string | null
  /** Email of the invited person; null if anyone with the link may use it. */
  email: string | null
  /** Role of the new account. */
  role: Role
  /** Initial credits of the new account; null for those of a sign-up. */
  credits: number | null
  created_at: string
  expires_at: string
  used_at: string | null
}

/** Append-only list of changes of credits. */
export interface LedgerTable {
  n: Generated<number>
  account_id: string
  at: string
  amount: number
  reason: "sign_up" | "grant" | "run"
  run_id: string | null
  note: string | null
}

interface UsageDaysTable {
  /** "" for anonymous callers. */
  account_id: string
  /** UTC, `2026-01-31`. */
  day: string
  slug: string
  /** "" if no key started the run: a browser, a schedule or an anonymous caller did. */
  key_id: string
  /** Charged pages. */
  pages: number
  items: number
  credits: number
  /** Bytes of all pages, charged or not, as they were received. */
  bytes: number
}

export interface KeysTable {
  /** `key_…` */
  id: string
  account_id: string
  /** SHA-256 of the key, hexadecimal. */
  hash: string
  /** The key without its middle, to distinguish keys. */
  hint: string
  name: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
  expires_at: string | null
  /** Scopes, separated by spaces. */
  scopes: Generated<string>
  /** Maximum credits that the key may spend in total; null means no limit of its own. */
  credit_limit: number | null
  credits_used: Generated<number>
}

interface SessionsTable {
  hash: string
  account_id: string
  created_at: string
  expires_at: string
}

interface AllowanceTable {
  /** A hashed IP address (`ip:…`) or agent ID (`agent:…`). */
  subject: string
  day: string
  used: number
}

export interface ClaimsTable {
  /** Hash of the secret in the URL that the person opens. */
  claim_hash: string
  /** Hash of the secret with which the agent polls. */
  status_hash: string
  created_at: string
  expires_at: string
  /** Account of the agent's key; null until the sign-up is finished. */
  account_id: string | null
  delivered_at: string | null
  /** The agent's IP address, the name it gave itself, and the run that it requested. */
  address: string | null
  agent: string | null
  requested: string | null
  refused_at: string | null
  /** Hash of the agent's identity, if no other client can know it. */
  agent_hash: Generated<string | null>
  /** Both secrets, encrypted (secret-box.ts), for a repeated request of the agent. */
  secrets: Generated<string | null>
  /** JSON of the limits that the person sets for the key. */
  key_terms: string | null
}

export interface SettingsTable {
  /** Name of the environment variable, which overrides this value. */
  name: string
  /** The value of the environment variable; encrypted (secret-box.ts) if it is a secret. */
  value: string
  encrypted: number
  changed_at: string
}

export interface KeylessResultsTable {
  token_hash: string
  run_id: string
  /** JSON of the values that the response repeats: scraper, input, caller. */
  request: string
  expires_at: string
}
