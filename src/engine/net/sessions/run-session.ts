import type { CookieJar } from "tough-cookie"
import { abortable } from "../../../base/clock.ts"
import { Forbidden, ScrapeError, type UpstreamResponse } from "../../../catalogue/kit/index.ts"
import { refusalOf } from "../http/challenge/refusals.ts"
import { cookiesIn, layState, sessionJar } from "./session-jar.ts"
import {
  changeOf,
  hostOf,
  isNoChange,
  isWithin,
  type OriginStorage,
  type SessionState,
  type StateChange,
} from "./state.ts"

/** A session as a run receives it. */
export interface LoadedSession {
  id: string
  name: string
  hosts: string[]
  state: SessionState
  /** Increases with each log-in and import. */
  revision: number
}

/** Service of the main thread for workers: decrypts sessions, and logs in again. */
export interface SessionService {
  /** Loads a session. @throws BadInput if it does not exist, Forbidden if it has expired */
  load(accountId: string, name: string): Promise<LoadedSession>
  /** Stores changes by a site, unless there was another log-in in the meantime. */
  save(id: string, revision: number, change: StateChange): Promise<void>
  /**
   * Logs in again, once for all runs that ask. Returns null and notifies if that is not possible.
   */
  renew(id: string, revision: number, signal: AbortSignal): Promise<LoadedSession | null>
}

/** Local storage of a session for Chrome. */
export interface StorageToSet {
  origins: OriginStorage[]
  /** Local storage of an earlier log-in, which is replaced if a page has it. */
  stale: OriginStorage[]
}

/** Least time between two log-ins of a run. */
const againMs = 60_000

const isLoginRequired = (error: unknown): error is ScrapeError =>
  error instanceof ScrapeError && (error.code === "login_required" || error.statusCode === 401)

/** The session of a run: its cookies and storage, renewed once if the site requires signing in. */
export class RunSession {
  readonly jar: CookieJar
  private loaded: LoadedSession
  private stale: OriginStorage[] = []
  private renewing?: Promise<boolean>
  /** When the last log-in was requested. */
  private requestedAt = 0

  private constructor(
    loaded: LoadedSession,
    private readonly service: SessionService,
    private readonly now: () => number,
  ) {
    this.loaded = loaded
    this.jar = sessionJar(loaded.hosts)
  }

  /** @throws BadInput | Forbidden */
  static async open(
    service: SessionService,
    { accountId, name }: { accountId: string; name: string },
    now: () => number,
  ): Promise<RunSession> {
    const loaded = await service.load(accountId, name)
    const session = new RunSession(loaded, service, now)
    await layState(session.jar, loaded.state)
    return session
  }

  covers(url: string): boolean {
    return isWithin(hostOf(url), this.loaded.hosts)
  }

  get storage(): StorageToSet {
    return { origins: this.loaded.state.origins, stale: this.stale }
  }

  /** Records the local storage that a page had when it was left. */
  noteStorage(storage: OriginStorage | null): void {
    if (!storage || !this.covers(storage.origin)) return
    const { state } = this.loaded
    const isKnown = state.origins.some(({ origin }) => origin === storage.origin)
    const isStale = this.stale.some((one) => JSON.stringify(one) === JSON.stringify(storage))
    if (!isKnown || isStale) return
    const others = this.changes.filter(({ origin }) => origin !== storage.origin)
    this.changes = [...others, storage]
  }

  private changes: OriginStorage[] = []

  /**
   * Makes a request. If the site requires signing in, the session is renewed and the request
   * repeated. @throws Forbidden (login_required) with advice
   */
  async keeping<R>(url: string, signal: AbortSignal, load: () => Promise<R>): Promise<R> {
    if (!this.covers(url)) return load()
    const { revision } = this.loaded
    try {
      return await this.signedIn(load)
    } catch (error) {
      if (!isLoginRequired(error)) throw error
      if (!(await this.renewed(revision, signal))) throw this.expired(error)
      return this.signedIn(load)
    }
  }

  /** Recognises a sign-in page, whatever the scraper accepts. @throws Forbidden (login_required) */
  private async signedIn<R>(load: () => Promise<R>): Promise<R> {
    const result = await load()
    const response = result as UpstreamResponse | undefined
    if (response?.headers instanceof Headers && typeof response.text === "function") {
      const failure = this.refused(response)
      if (failure) throw failure
    }
    return result
  }

  private refused(response: UpstreamResponse): ScrapeError | null {
    const { url, requestedUrl, status, headers, contentType } = response
    if (!this.covers(requestedUrl)) return null
    if (status === 401) {
      const message = `${new URL(url).host} requires signing in (status 401).`
      return new Forbidden(message, { url, statusCode: status, code: "login_required" })
    }
    if (!/html/.test(contentType)) return null
    const refusal = refusalOf({ url, requestedUrl, status, headers, html: response.text() })
    return refusal?.code === "login_required" ? refusal : null
  }

  /**
   * Targets that ask at the same time share one log-in. A page that asks to sign in right after it is for
   * other members.
   */
  private async renewed(revision: number, signal: AbortSignal): Promise<boolean> {
    if (this.loaded.revision > revision) return true
    const now = this.now()
    if (!this.renewing || now - this.requestedAt > againMs) {
      this.requestedAt = now
      this.renewing = this.renew(signal)
    }
    return this.renewing
  }

  private async renew(signal: AbortSignal): Promise<boolean> {
    const before = this.loaded
    const renewing = this.service.renew(before.id, before.revision, signal)
    const loaded = await abortable(renewing, signal)
    if (!loaded) return false
    this.stale = before.state.origins
    this.changes = []
    this.loaded = loaded
    await layState(this.jar, loaded.state, before.state)
    return true
  }

  private expired(error: ScrapeError): ScrapeError {
    const { name } = this.loaded
    const { url, statusCode, message } = error
    const advice = `The session "${name}" has expired: import it again, or log in again.`
    return new Forbidden(`${message} ${advice}`, {
      ...(url === undefined ? {} : { url }),
      statusCode,
      code: "login_required",
      cause: error,
    })
  }

  /** Stores the changes by the site. */
  async close(): Promise<void> {
    const { id, revision, hosts, state } = this.loaded
    const changed = new Map(this.changes.map((one) => [one.origin, one]))
    const after: SessionState = {
      cookies: await cookiesIn(this.jar, hosts, this.now()),
      origins: state.origins.map((one) => changed.get(one.origin) ?? one),
    }
    const change = changeOf(state, after)
    if (!isNoChange(change)) await this.service.save(id, revision, change)
  }
}

/** Removes the cookies of a response, because a log-in must not be part of a run's items. */
export function withoutCookies<R extends UpstreamResponse>(response: R): R {
  response.headers.delete("set-cookie")
  for (const captured of (response as { captured?: UpstreamResponse[] }).captured ?? []) {
    captured.headers.delete("set-cookie")
  }
  return response
}
