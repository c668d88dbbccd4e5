import { CookieJar } from "tough-cookie"
import { messageOf } from "../../../base/error-message.ts"
import { Forbidden, RateLimited, Timeout } from "../../../catalogue/kit/index.ts"
import type { Browser, LeasedTab } from "../../fetch/environment.ts"
import type { InputEvent, Picture } from "../../net/sessions/live-page.ts"
import { siteOfHost } from "../../net/sessions/login.ts"
import { cookiesIn } from "../../net/sessions/session-jar.ts"
import { hostOf, type SessionState } from "../../net/sessions/state.ts"

interface LiveLimits {
  /** Maximum live log-ins of all accounts; each uses a tab of Chrome. */
  max: number
  /** Maximum milliseconds from start to end. */
  totalMs: number
  /** Maximum milliseconds without input. */
  idleMs: number
  /** Maximum milliseconds without a watching client. */
  unwatchedMs: number
}

const liveLimits: LiveLimits = {
  max: 2,
  totalMs: 10 * 60_000,
  idleMs: 3 * 60_000,
  unwatchedMs: 10_000,
}

const frameMs = 1_000
/** Between two pictures: a page that moves all the time must not take the time of others. */
const pauseMs = 80
const view = { width: 1100, height: 720 }

/** Result of a live log-in. */
export interface LiveResult {
  state: SessionState
  /** Sites of the first and the last page. */
  sites: string[]
}

interface LiveLogin {
  id: string
  accountId: string
  control: AbortController
  tab: Promise<LeasedTab>
  save: PromiseWithResolvers<void>
  result: Promise<LiveResult>
  /** The stream that shows the page; a new stream replaces it. */
  watching?: AbortController | undefined
  /** The last screenshot, for a new stream of an unchanged page. */
  last?: Picture | undefined
  usedAt: number
  watchedAt: number
}

/** Pages of Chrome that users see in the console to log in. */
export class LiveLogins {
  private readonly logins = new Map<string, LiveLogin>()
  /** Distinguishes this process from others, which have browsers of their own. */
  private readonly token = crypto.randomUUID().slice(0, 8)
  private sweep?: ReturnType<typeof setInterval> | undefined

  constructor(
    private readonly browser: () => Browser | undefined,
    private readonly limits = liveLimits,
  ) {}

  /** Opens a page; an earlier one of the account is closed. @throws Forbidden | RateLimited */
  start(accountId: string, url: string): { id: string; expiresAt: string } {
    const browser = this.browser()
    if (!browser || browser.available?.() === false) {
      throw new Forbidden(
        "Chrome is not installed on this server. The operator can run `trawl browser install`.",
        {
          code: "browser_unavailable",
        },
      )
    }
    for (const login of this.logins.values()) {
      if (login.accountId === accountId) this.end(login, "Another log-in was started.")
    }
    if (this.logins.size >= this.limits.max) {
      throw new RateLimited(
        `${this.limits.max} other log-ins are in progress. Try again in a minute.`,
        60,
      )
    }
    const login = this.open(browser, accountId, url)
    this.logins.set(login.id, login)
    this.sweep ??= setInterval(() => this.endUnused(), 1_000)
    const expiresAt = new Date(Date.now() + this.limits.totalMs).toISOString()
    return { id: login.id, expiresAt }
  }

  private open(browser: Browser, accountId: string, url: string): LiveLogin {
    const { totalMs } = this.limits
    const control = new AbortController()
    const opened = Promise.withResolvers<LeasedTab>()
    const save = Promise.withResolvers<void>()
    const jar = new CookieJar(undefined, { looseMode: true })
    const id = `${this.token}-${crypto.randomUUID()}`
    const lease = {
      signal: control.signal,
      jar,
      exit: { run: id, account: accountId },
      unlocker: false,
      deadlineMs: totalMs,
      log: () => {},
    }
    const work = async (): Promise<LiveResult> => {
      const last = await browser.lease(lease, async (tab) => {
        const page = await tab.goto(url, { block: [], accept: "any", view })
        opened.resolve(tab)
        await save.promise
        const storage = await tab.storage?.()
        const { url: lastUrl } = await tab.read().catch(() => page)
        return { storage, lastUrl }
      })
      const sites = [...new Set([url, last.lastUrl].map((one) => siteOfHost(hostOf(one))))]
      const cookies = await cookiesIn(jar, sites, Date.now())
      return { sites, state: { cookies, origins: last.storage ? [last.storage] : [] } }
    }
    const result = work().finally(() => {
      this.logins.delete(id)
      if (this.logins.size === 0) {
        clearInterval(this.sweep)
        this.sweep = undefined
      }
      return browser.release?.(jar)
    })
    result.catch((error) => opened.reject(error))
    opened.promise.catch(() => {})
    const at = Date.now()
    return {
      ...{ id, accountId, control, save, result },
      tab: opened.promise,
      usedAt: at,
      watchedAt: at,
    }
  }

  private end({ control, save }: LiveLogin, reason: string): void {
    save.promise.catch(() => {})
    control.abort(new Timeout(reason))
  }

  private endUnused(): void {
    const now = Date.now()
    const { idleMs, unwatchedMs } = this.limits
    for (const login of this.logins.values()) {
      if (!login.watching && now - login.watchedAt > unwatchedMs)
        this.end(login, "The page was closed.")
      else if (now - login.usedAt > idleMs) {
        this.end(login, `The page was closed after ${idleMs / 1000} s without input.`)
      }
    }
  }

  private of(accountId: string, id: string): LiveLogin | undefined {
    const login = this.logins.get(id)
    return login?.accountId === accountId ? login : undefined
  }

  /** Whether a log-in was started by another process, or by this one before a restart. */
  isElsewhere(id: string): boolean {
    return !id.startsWith(`${this.token}-`)
  }

  has(accountId: string, id: string): boolean {
    return this.of(accountId, id) !== undefined
  }

  /** Yields screenshots when the page changes, otherwise null; ends with the log-in. */
  async *pictures(
    accountId: string,
    id: string,
    signal: AbortSignal,
  ): AsyncGenerator<Picture | null | { error: string }> {
    const login = this.of(accountId, id)
    if (!login) return
    login.watching?.abort()
    const watching = new AbortController()
    login.watching = watching
    const stopped = AbortSignal.any([signal, watching.signal, login.control.signal])
    try {
      const tab = await login.tab
      let latest: Picture | undefined
      while (!stopped.aborted && this.logins.has(id)) {
        const next = login.last === latest ? await tab.watch?.(frameMs) : null
        if (next) login.last = next
        if (stopped.aborted) break
        yield login.last === latest ? null : (login.last ?? null)
        if (login.last !== latest) await Bun.sleep(pauseMs)
        latest = login.last
      }
    } catch (error) {
      if (!signal.aborted && !watching.signal.aborted) yield { error: messageOf(error) }
    } finally {
      login.watchedAt = Date.now()
      if (login.watching === watching) login.watching = undefined
    }
  }

  async input(accountId: string, id: string, events: readonly InputEvent[]): Promise<boolean> {
    const login = this.of(accountId, id)
    if (!login) return false
    login.usedAt = Date.now()
    await (await login.tab).input?.(events)
    return true
  }

  /** Closes the page, and returns its cookies and storage. */
  async save(accountId: string, id: string): Promise<LiveResult | undefined> {
    const login = this.of(accountId, id)
    if (!login) return undefined
    await login.tab
    login.save.resolve()
    return login.result
  }

  close(accountId: string, id: string): boolean {
    const login = this.of(accountId, id)
    if (login) this.end(login, "The page was closed.")
    return login !== undefined
  }

  stop(): void {
    for (const login of this.logins.values()) this.end(login, "The service is shutting down.")
  }
}
