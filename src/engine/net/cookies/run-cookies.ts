import { type Cookie, CookieJar, getPublicSuffix } from "tough-cookie"
import { dayMs, minuteMs } from "../../../base/time.ts"
import type { RequestOptions } from "../../../catalogue/kit/index.ts"
import type { CookieVisit, StoredCookie } from "../../../store/runs/reused-cookies.ts"
import { layCookie, originOf, unmark } from "../http/cookie-jar.ts"
import { personalHeader } from "../http/request.ts"
import type { RunSession } from "../sessions/run-session.ts"
import { cookieRule } from "./names.ts"

/** Storage of cookies that outlive their run. */
export interface CookieStore {
  load(visit: CookieVisit): Promise<StoredCookie[]>
  keep(visits: (CookieVisit & { cookies: StoredCookie[] })[]): Promise<void>
  drop(visits: CookieVisit[]): Promise<void>
}

export interface RunCookiesOptions {
  /** Without it, no cookie outlives the run. */
  cookieStore?: CookieStore | undefined
  now(): number
  /** Whether the run's IP address may change, because of the operator's proxies. */
  addressChanges?: boolean
  /** The account's session, whose cookies the run sends. */
  session?: RunSession | undefined
}

/** Maximum sites of a run whose cookies are stored. */
const maxSites = 500
/** Assumed lifetime of cookies without an expiry time. */
const sessionMs = 30 * minuteMs
const maxMs = 30 * dayMs

/** The cookies of a run: its jar, and the part that outlives the run. */
export class RunCookies {
  readonly jar: CookieJar
  private readonly loaded = new Map<string, Promise<CookieVisit[]>>()
  /** Sites that the run has identified itself to. */
  private readonly own = new Set<string>()
  private worksWithKeys = false

  constructor(private readonly options: RunCookiesOptions) {
    this.jar = options.session?.jar ?? new CookieJar(undefined, { looseMode: true })
    if (options.session) this.personal()
  }

  get session(): RunSession | undefined {
    return this.options.session
  }

  /**
   * Called if the run uses a key or session of the operator, so that none of its cookies is
   * anonymous.
   */
  personal(): void {
    this.worksWithKeys = true
  }

  get isPersonal(): boolean {
    return this.worksWithKeys
  }

  /** Records whether a request identifies its user. */
  carries(url: string, { cookies = {}, headers = {} }: RequestOptions): void {
    const names = Object.keys(cookies)
    const isNamed = Object.keys(headers).some((name) => personalHeader.test(name))
    // A user name in a URL ends with "@".
    if (names.length === 0 && !isNamed && !url.includes("@")) return
    if (!URL.canParse(url)) return
    const site = siteOf(url)
    const mayIdentify = names.some((name) => cookieRule(name, site)?.as !== "preference")
    if (!mayIdentify && !isNamed && !new URL(url).username) return
    if (this.own.size < maxSites) this.own.add(site)
    else this.worksWithKeys = true
  }

  /** Loads the stored cookies of a site before the first request of a visit. */
  async open(url: string, fetchMethod: CookieVisit["fetchMethod"], agent: string): Promise<void> {
    if (!this.options.cookieStore) return
    const site = siteOf(url)
    if (!this.isAnonymous(site)) return
    const key = `${site} ${fetchMethod} ${agent}`
    if (!this.loaded.has(key) && this.loaded.size >= maxSites) return
    const loading = this.loaded.get(key) ?? this.lay({ site, fetchMethod, agent })
    this.loaded.set(key, loading)
    await loading
  }

  private isAnonymous(site: string): boolean {
    return !this.isPersonal && !this.own.has(site)
  }

  /** Loads the stored cookies of a visit, and returns the visits that had some. */
  private async lay(visit: CookieVisit): Promise<CookieVisit[]> {
    const used: CookieVisit[] = []
    const { site, fetchMethod } = visit
    const sources: CookieVisit[] =
      fetchMethod === "http" ? [visit, { ...visit, fetchMethod: "chrome" }] : [visit]
    for (const source of sources) {
      const cookies = (await this.options.cookieStore!.load(source)).filter(
        ({ name }) => source.fetchMethod === fetchMethod || cookieRule(name, site)?.servesHttp,
      )
      for (const cookie of cookies) {
        const origin = { fetchMethod: source.fetchMethod, agent: source.agent, isStored: true }
        await layCookie(this.jar, { ...cookie, expires: new Date(cookie.expiresAt) }, origin)
      }
      if (cookies.length > 0) used.push(source)
    }
    return used
  }

  /** Plain HTTP does not send cookies that are bound to Chrome's TLS hello. */
  sends(cookie: Cookie, fetchMethod: CookieVisit["fetchMethod"]): boolean {
    if (fetchMethod !== "http" || originOf(cookie)?.fetchMethod !== "chrome") return true
    const rule = cookieRule(cookie.key, siteOfHost(cookie.domain ?? ""))
    return rule?.boundTo === undefined
  }

  /**
   * Deletes the stored cookies of a host that blocked this client. Those of other hosts remain
   * valid.
   */
  async blocked(url: string, fetchMethod: CookieVisit["fetchMethod"]): Promise<void> {
    const { cookieStore } = this.options
    if (!cookieStore || !URL.canParse(url)) return
    const site = siteOf(url)
    const burnt: CookieVisit[] = []
    for (const [key, loading] of this.loaded) {
      if (!key.startsWith(`${site} ${fetchMethod} `)) continue
      burnt.push(...(await loading))
      this.loaded.set(key, Promise.resolve([]))
    }
    const { hostname } = new URL(url)
    const isBurnt = (origin: ReturnType<typeof originOf>) =>
      origin?.fetchMethod === fetchMethod ||
      (origin?.isStored && burnt.some((visit) => visit.fetchMethod === origin.fetchMethod))
    for (const cookie of await this.jar.store.getAllCookies()) {
      const origin = originOf(cookie)
      const { domain, hostOnly } = cookie
      if (!isSentTo(hostname, domain ?? "", hostOnly ?? true) || !isBurnt(origin)) continue
      if (origin?.isStored)
        await this.jar.store.removeCookie(cookie.domain, cookie.path, cookie.key)
      else unmark(cookie)
    }
    for (const visit of burnt) {
      const others = (await cookieStore.load(visit)).filter(
        ({ host, hostOnly }) => !isSentTo(hostname, host, hostOnly),
      )
      await cookieStore.drop([visit])
      if (others.length > 0) await cookieStore.keep([{ ...visit, cookies: others }])
    }
  }

  /**
   * Stores the reusable cookies at the end of the run. `chromeAgent`: Chrome's user agent in this
   * run.
   */
  async close(chromeAgent?: string): Promise<void> {
    const { cookieStore } = this.options
    if (!cookieStore || this.isPersonal) return
    const visits = new Map<string, CookieVisit & { cookies: StoredCookie[]; isNew: boolean }>()
    for (const cookie of await this.jar.store.getAllCookies()) {
      const origin = originOf(cookie)
      const agent = origin?.agent ?? chromeAgent
      const reusable = origin && agent ? this.worthKeeping(cookie, origin.fetchMethod) : null
      if (!reusable || !origin || !agent) continue
      const site = siteOfHost(reusable.host)
      const key = `${site} ${origin.fetchMethod} ${agent}`
      const visit = visits.get(key) ?? {
        site,
        fetchMethod: origin.fetchMethod,
        agent,
        cookies: [],
        isNew: false,
      }
      visit.cookies.push(reusable)
      visit.isNew ||= !origin.isStored
      if (visits.size < maxSites) visits.set(key, visit)
    }
    const changed = [...visits.values()].filter(({ isNew }) => isNew)
    if (changed.length > 0) await cookieStore.keep(changed.map(({ isNew: _, ...visit }) => visit))
  }

  private worthKeeping(
    cookie: Cookie,
    fetchMethod: CookieVisit["fetchMethod"],
  ): StoredCookie | null {
    const { key: name, value, domain, path, hostOnly, secure, httpOnly } = cookie
    const site = siteOfHost(domain ?? "")
    const rule = cookieRule(name, site)
    if (!domain || !path || rule?.as !== "stored" || !this.isAnonymous(site)) return null
    const moves = this.options.addressChanges || fetchMethod === "unlocker"
    if (moves && rule.boundTo === "address") return null
    const now = this.options.now()
    const end = Math.min(now + maxMs, endOf(cookie, now))
    if (end <= now) return null
    return {
      host: domain,
      path,
      name,
      value,
      hostOnly: hostOnly ?? true,
      secure,
      httpOnly,
      expiresAt: new Date(end).toISOString(),
    }
  }
}

function endOf({ maxAge, expires, creation }: Cookie, now: number): number {
  if (typeof maxAge === "number") {
    return (creation instanceof Date ? creation.getTime() : now) + maxAge * 1000
  }
  return expires instanceof Date ? expires.getTime() : now + sessionMs
}

const isSentTo = (host: string, domain: string, hostOnly: boolean) =>
  host === domain || (!hostOnly && host.endsWith(`.${domain}`))

const siteOf = (url: string) => siteOfHost(new URL(url).hostname)

function siteOfHost(host: string): string {
  const name = host.toLowerCase()
  return getPublicSuffix(name, { ignoreError: true }) ?? name
}
