import { dayMs } from "../base/time.ts"
import type { Config } from "../config/config.ts"
import { type AccountRow, accountByEmail, accountById } from "../store/accounts/accounts.ts"
import { accountOfSession } from "../store/accounts/sessions.ts"
import { newId } from "../store/db/ids.ts"
import type { Store } from "../store/store.ts"
import type { Role } from "../store/tables/account-tables.ts"
import { Passwords } from "./passwords.ts"
import { newSecret, sha256 } from "./secrets.ts"

const sessionDays = 30

export interface Session {
  /** Session token for the browser; the store has only its hash. */
  token: string
  expiresAt: Date
}

/** Sign-up, sign-in and sessions. */
export class Accounts {
  constructor(
    private readonly store: Store,
    private readonly config: Pick<Config, "signupCredits">,
    readonly passwords = new Passwords(),
  ) {}

  /**
   * Creates an account; returns undefined if the email address already has one. Without a
   * `password`, only API keys give access.
   */
  async create(account: {
    email: string
    password: string | null
    unlimited?: boolean
    role?: Role
    /** Initial credits. Default: those of a first sign-up. */
    credits?: number
  }): Promise<AccountRow | undefined> {
    const passwordHash =
      account.password === null ? null : await this.passwords.hash(account.password)
    return this.store.write("accounts.create", { ...this.row(account), passwordHash })
  }

  /**
   * Signs up by an invitation link. "over": the link has expired. "known": the email address has an
   * account.
   */
  async join(link: string, account: { email: string; password: string }) {
    const passwordHash = await this.passwords.hash(account.password)
    return this.store.write("links.join", {
      hash: sha256(link),
      account: { ...this.row(account), passwordHash },
    })
  }

  /** Returns undefined if the link has expired. Signs out every browser. */
  async setPasswordByLink(link: string, password: string): Promise<AccountRow | undefined> {
    const passwordHash = await this.passwords.hash(password)
    const at = new Date().toISOString()
    return this.store.write("links.setPassword", { hash: sha256(link), passwordHash, at })
  }

  /** Signs out every browser but the one of this session. */
  async setPassword(accountId: string, password: string | null, session?: string): Promise<void> {
    await this.store.write("accounts.setPassword", {
      accountId,
      passwordHash: password === null ? null : await this.passwords.hash(password),
      but: session && sha256(session),
    })
  }

  /** Whether the password belongs to the account. */
  passwordFits(account: AccountRow, password: string): Promise<boolean> {
    return this.passwords.fits(password, account.password_hash)
  }

  private row(account: { email: string; unlimited?: boolean; role?: Role; credits?: number }) {
    return {
      id: newId("acc"),
      email: normalEmail(account.email),
      role: account.role ?? "member",
      unlimited: account.unlimited ?? false,
      credits: account.unlimited ? 0 : (account.credits ?? this.config.signupCredits),
      createdAt: new Date().toISOString(),
    }
  }

  /** Returns undefined if the email address or password is wrong. */
  async signIn(email: string, password: string): Promise<AccountRow | undefined> {
    const account = await accountByEmail(this.store.db, normalEmail(email))
    const fits = await this.passwords.fits(password, account?.password_hash ?? null)
    return fits ? account : undefined
  }

  async startSession(accountId: string, now = new Date()): Promise<Session> {
    const token = newSecret()
    const expiresAt = new Date(now.getTime() + sessionDays * dayMs)
    await this.store.write("sessions.create", {
      hash: sha256(token),
      accountId,
      createdAt: now.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })
    return { token, expiresAt }
  }

  endSession(token: string): Promise<void> {
    return this.store.write("sessions.end", { hash: sha256(token) })
  }

  /** Returns the account of a session token. */
  async bySession(token: string): Promise<AccountRow | undefined> {
    const id = await accountOfSession(this.store.db, sha256(token), new Date().toISOString())
    return id === undefined ? undefined : accountById(this.store.db, id)
  }
}

/** Email addresses are compared case-insensitively. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}
