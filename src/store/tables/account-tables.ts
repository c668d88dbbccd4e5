import type { Generated } from "kysely"

/** Accounts and what belongs to them; and what keyless callers leave. Times are ISO 8601 UTC. */
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
  /** Random values that this installation made for itself. */
  secrets: { name: string; value: string }
}

export interface AccountsTable {
  /** `acc_…` */
  id: string
  /** Lower case. Null for an account made without one. */
  email: string | null
  password_hash: string | null
  unlimited: number
  /** The sum of the account's ledger; never below zero. */
  balance: number
  created_at: string
  role: Generated<Role>
  /** Set while the operator keeps the account out. */
  locked_at: string | null
  /** Of a deleted account nothing is left but its id and its ledger. */
  deleted_at: string | null
  /** JSON: settings of the service that are others for this account. */
  limits: string | null
}

export const roles = ["member", "owner"] as const
/** An owner operates the service. */
export type Role = (typeof roles)[number]

/** Single-use links: for the first owner, for an invitation, and for a lost password. */
export interface AccountLinksTable {
  /** SHA-256 of the link's secret. */
  hash: string
  kind: "owner" | "invitation" | "password"
  /** Whose password may be set. */
  account_id: string | null
  /** Email of the invited person; null if anyone with the link may use it. */
  email: string | null
  /** Of the account that is made. */
  role: Role
  /** That the account begins with; null for those of a sign-up. */
  credits: number | null
  created_at: string
  expires_at: string
  used_at: string | null
}

/** Append-only: what credits came and went. */
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
  /** "" for the keyless. */
  account_id: string
  /** UTC, `2026-01-31`. */
  day: string
  slug: string
  /** "" if no key started the run: a browser, a schedule or an anonymous caller did. */
  key_id: string
  /** That were charged. */
  pages: number
  items: number
  credits: number
  /** Of all pages, charged or not, as they were read. */
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
  /** Scopes with blanks between. */
  scopes: Generated<string>
  /** Credits that the key may spend in all; null for no limit of its own. */
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
  /** A hashed address (`ip:…`) or agent id (`agent:…`). */
  subject: string
  day: string
  used: number
}

export interface ClaimsTable {
  /** Of the secret that the human opens. */
  claim_hash: string
  /** Of the secret that the agent polls. */
  status_hash: string
  created_at: string
  expires_at: string
  /** Whose key the agent gets; null until the sign-up is finished. */
  account_id: string | null
  delivered_at: string | null
  /** The agent's IP address, its name by its own account, and the run that it requested. */
  address: string | null
  agent: string | null
  requested: string | null
  refused_at: string | null
  /** Hash of the agent's identity, if no other client can know it. */
  agent_hash: Generated<string | null>
  /** Both secrets, encrypted (secret-box.ts), for a repeated request of the agent. */
  secrets: Generated<string | null>
  /** JSON: what the human lets the key do. */
  key_terms: string | null
}

export interface SettingsTable {
  /** Of the variable of the environment, which wins over it. */
  name: string
  /** The value of the environment variable; encrypted (secret-box.ts) if it is a secret. */
  value: string
  encrypted: number
  changed_at: string
}

export interface KeylessResultsTable {
  token_hash: string
  run_id: string
  /** JSON of what the answer repeats: tool, input, caller. */
  request: string
  expires_at: string
}
