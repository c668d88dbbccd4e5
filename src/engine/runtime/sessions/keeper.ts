import { messageOf } from "../../../base/error-message.ts"
import { Semaphore } from "../../../base/semaphore.ts"
import { BadInput, Forbidden } from "../../../catalogue/kit/index.ts"
import {
  type SiteSessionRow,
  siteSession,
  siteSessionByName,
} from "../../../store/accounts/site-sessions.ts"
import { storeTime } from "../../../store/db/dialect.ts"
import type { OwnStore } from "../../../store/store.ts"
import { KeyLost } from "../../../store/upkeep/secret-box.ts"
import type { Browser } from "../../fetch/environment.ts"
import type { RateLimitBroker } from "../../net/rate-limits/channel.ts"
import { type LoginRecipe, logIn } from "../../net/sessions/login.ts"
import type { LoadedSession, SessionService } from "../../net/sessions/run-session.ts"
import {
  changed,
  current,
  endOf,
  isEmpty,
  type SessionState,
  type StateChange,
  withinHosts,
} from "../../net/sessions/state.ts"

export interface KeeperParts {
  store: OwnStore
  /** Returns undefined without a Chrome. */
  browser(): Browser | undefined
  /** Rate limits of hosts. Default: none. */
  broker?: RateLimitBroker
}

/** Maximum milliseconds of a log-in, after which another process may try. */
const loginMs = 150_000
const pollMs = 500
/** Log-ins of all accounts at the same time: each has a tab of Chrome. */
const loginsAtOnce = 2
const saveAttempts = 5

/** Decrypts sessions for their account's runs, stores changes by sites, and logs in again. */
export class SessionKeeper implements SessionService {
  private readonly slots = new Semaphore(loginsAtOnce)
  private readonly logins = new Map<string, Promise<LoadedSession | null>>()

  constructor(private readonly parts: KeeperParts) {}

  async load(accountId: string, name: string): Promise<LoadedSession> {
    const { store } = this.parts
    const row = await siteSessionByName(store.db, accountId, name)
    if (!row)
      throw new BadInput(
        `session: there is no session "${name}" in this account. Create it in the console or with POST /api/v1/sessions.`,
      )
    if (row.expired === 1) throw this.expired(row)
    const at = (await this.now()).toISOString()
    await store.write("siteSessions.use", { id: row.id, at, soft: true })
    const loaded = row.state === null ? null : this.loaded(row, Date.parse(at))
    if (loaded && !isEmpty(loaded.state)) return loaded
    const renewed = await this.renew(row.id, row.revision, new AbortController().signal)
    if (renewed) return renewed
    throw this.expired((await siteSession(store.db, row.id)) ?? row)
  }

  private expired({ name, expired_reason: reason }: SiteSessionRow): Forbidden {
    const why = reason ? ` (${reason})` : ""
    return new Forbidden(
      `The session "${name}" has expired${why}. Log in again, or import it again.`,
      { code: "login_required" },
    )
  }

  private now(): Promise<Date> {
    return storeTime(this.parts.store.db)
  }

  private loaded(row: SiteSessionRow, now: number): LoadedSession {
    const { id, name, revision } = row
    const state = current(this.stateOf(row), now)
    return { id, name, revision, hosts: JSON.parse(row.hosts), state }
  }

  /** @throws Forbidden if the key is not in the key file */
  private stateOf({ id, state }: Pick<SiteSessionRow, "id" | "state">): SessionState {
    if (state === null) return { cookies: [], origins: [] }
    return JSON.parse(this.decrypted(state, stateName(id)))
  }

  /** A data folder that was restored without its key file has sessions that cannot be read. */
  private decrypted(text: string, of: string): string {
    try {
      return this.parts.store.secrets.open(text, of)
    } catch (error) {
      if (!(error instanceof KeyLost)) throw error
      throw new Forbidden(
        "The session cannot be decrypted: its key is not in the key file (trawl.key). Import it again.",
        { code: "login_required", cause: error },
      )
    }
  }

  /** Returns whether the key file has the key of a session. */
  isReadable({ state, login }: Pick<SiteSessionRow, "state" | "login">): boolean {
    const { secrets } = this.parts.store
    return [state, login].every((text) => text === null || secrets.opens(text))
  }

  /** Encrypts a state for storage. */
  encrypted(id: string, state: SessionState): string {
    return this.parts.store.secrets.close(JSON.stringify(state), stateName(id))
  }

  loginOf({ id, login }: Pick<SiteSessionRow, "id" | "login">): LoginRecipe | null {
    if (login === null) return null
    return JSON.parse(this.decrypted(login, loginName(id)))
  }

  encryptedLogin(id: string, login: LoginRecipe): string {
    return this.parts.store.secrets.close(JSON.stringify(login), loginName(id))
  }

  async save(id: string, revision: number, change: StateChange): Promise<void> {
    const { store } = this.parts
    for (let attempt = 0; attempt < saveAttempts; attempt++) {
      const row = await siteSession(store.db, id)
      if (!row || row.revision !== revision || row.state === null) return
      const now = await this.now()
      const state = changed(
        current(this.stateOf(row), now.getTime()),
        change,
        JSON.parse(row.hosts),
      )
      const isStored = await store.write("siteSessions.update", {
        id,
        before: row.state,
        state: this.encrypted(id, state),
        expiresAt: endOf(state),
        at: now.toISOString(),
      })
      if (isStored) return
    }
  }

  /** Limits a stored state to these hosts, as a change. */
  narrowed(row: SiteSessionRow, hosts: readonly string[]): Pick<SiteSessionRow, "state"> | null {
    if (row.state === null) return null
    return { state: this.encrypted(row.id, withinHosts(this.stateOf(row), hosts)) }
  }

  /** Logs in with the recipe, whatever the state of the session. */
  async logInAgain(id: string, signal: AbortSignal): Promise<void> {
    const row = await siteSession(this.parts.store.db, id)
    if (row) await this.once(row.id, row.revision, signal, true)
  }

  renew(id: string, revision: number, signal: AbortSignal): Promise<LoadedSession | null> {
    return this.once(id, revision, signal, false)
  }

  /** All runs of this process that ask at the same time share one log-in. */
  private once(
    id: string,
    revision: number,
    signal: AbortSignal,
    isRequested: boolean,
  ): Promise<LoadedSession | null> {
    signal.throwIfAborted()
    const running = this.logins.get(id) ?? this.renewed(id, revision, isRequested)
    this.logins.set(id, running)
    const forget = () => {
      if (this.logins.get(id) === running) this.logins.delete(id)
    }
    running.then(forget, forget)
    return running
  }

  /** Waits for the log-in of another process, or logs in. */
  private async renewed(
    id: string,
    revision: number,
    isRequested: boolean,
  ): Promise<LoadedSession | null> {
    const { store } = this.parts
    const owner = crypto.randomUUID()
    for (let waited = 0; waited <= loginMs; waited += pollMs) {
      const row = await siteSession(store.db, id)
      if (!row) return null
      const now = await this.now()
      if (row.revision > revision && row.expired === 0) return this.loaded(row, now.getTime())
      // A log-in that failed is repeated only on request: sites lock accounts after wrong passwords.
      if (row.expired === 1 && (waited > 0 || !isRequested)) return null
      if (row.login === null) {
        await this.expire(row, now, "The site requires signing in.")
        return null
      }
      // With the wait for a place.
      const until = new Date(now.getTime() + 2 * loginMs).toISOString()
      const claim = { id, owner, now: now.toISOString(), until }
      if (await store.write("siteSessions.claimLogin", claim)) return this.logIn(row, owner)
      await Bun.sleep(pollMs)
    }
    return null
  }

  private async expire({ id, revision }: SiteSessionRow, now: Date, reason: string) {
    const at = now.toISOString()
    await this.parts.store.write("siteSessions.expire", { id, revision, reason, at })
  }

  private async logIn(row: SiteSessionRow, owner: string): Promise<LoadedSession | null> {
    const { store } = this.parts
    const { id } = row
    const leave = await this.slots.take()
    const result = await this.attempt(row)
      .finally(leave)
      .then(
        (state) => ({ state: this.encrypted(id, state), expiresAt: endOf(state) }),
        (error) => ({ failure: messageOf(error) }),
      )
    const now = await this.now()
    await store.write("siteSessions.endLogin", { id, owner, at: now.toISOString(), ...result })
    const after = await siteSession(store.db, id)
    return after && after.expired === 0 && "state" in result
      ? this.loaded(after, now.getTime())
      : null
  }

  private async attempt(row: SiteSessionRow): Promise<SessionState> {
    const { broker } = this.parts
    const browser = this.parts.browser()
    if (!browser || browser.available?.() === false) {
      throw new Forbidden(
        "A log-in recipe needs Chrome, which is not installed. The operator can run `trawl browser install`.",
        {
          code: "browser_unavailable",
        },
      )
    }
    const { id, account_id: account } = row
    return logIn(this.loginOf(row)!, JSON.parse(row.hosts), {
      browser,
      ...(broker ? { pacing: { broker, owner: "sessions", fetchMethod: "browser" } } : {}),
      exit: { run: id, account },
      signal: AbortSignal.timeout(loginMs),
      now: Date.now,
    })
  }
}

const stateName = (id: string) => `${id} state`
const loginName = (id: string) => `${id} login`
