import { type Cookie, CookieJar, getPublicSuffix } from "tough-cookie"
import { dayMs, minuteMs } from "../../../base/time.ts"
import type { RequestOptions } from "../../../catalogue/kit/index.ts"
import type { CookieVisit, StoredCookie } from "../../../store/runs/reused-cookies.ts"
import { layCookie, originOf, unmark } from "../http/cookie-jar.ts"
import { personalHeader } from "../http/request.ts"
import type { RunSession } from "../sessions/run-session.ts"
import { cookieRule } from "./names.ts"

/** Where cookies outlive their run. */
export interface CookieStore {
  load(visit: CookieVisit): Promise<StoredCookie[]>
  keep(visits: (CookieVisit & { cookies: StoredCookie[] })[]): Promise<void>
  drop(visits: CookieVisit[]): Promise<void>
}

export interface RunCookiesOptions {
  /** None: nothing outlives the run. */
  cookieStore?: CookieStore | undefined
  now(): number
  /** The operator's proxies change the address from which the run asks. */
  addressChanges?: boolean
  /** The account's session, whose cookies the run sends. */
  session?: RunSession | undefined
}

/** A run that sees more sites than this keeps nothing of the others. */
const maxSites = 500
/** Assumed lifetime of a session cookie, which states none. */
const sessionMs = 30 * minuteMs
const maxMs = 30 * dayMs

/** The cookies of one run: its jar, and what of it outlives the run. */
export class RunCookies {
  readonly jar: CookieJar
  private readonly loaded = new Map<string, Promise<CookieVisit[]>>()
  /** Sites to which the run said who it is. */
  private readonly own = new Set<string>()
  private worksWithKeys = false

  constructor(private readonly options: RunCookiesOptions) {
    this.jar = options.session?.jar ?? new CookieJar(undefined, { looseMode: true })
    if (options.session) this.personal()
  }

  get session(): RunSession | undefined {
    return this.options.session
  }

  /** The run works with a key or session of the operator: nothing that it is given is anonymous. */
  personal(): void {
    this.worksWithKeys = true
  }

  get isPersonal(): boolean {
    return this.worksWithKeys
  }

  /** Notes what a request says of who asks. */
  carries(url: string, { cookies = {}, headers = {} }: RequestOptions): void {
    const names = Object.keys(cookies)
    const isNamed = Object.keys(headers).some((name) => personalHeader.test(name))
    // A user's name in an address ends in this sign.
    if (names.length === 0 && !isNamed && !url.includes("@")) return
    if (!URL.canParse(url)) return
    const site = siteOf(url)
    const mayIdentify = names.some((name) => cookieRule(name, site)?.as !== "preference")
    if (!mayIdentify && !isNamed && !new URL(url).username) return
    if (this.own.size < maxSites) this.own.add(site)
    else this.worksWithKeys = true
  }

  /** Puts the stored cookies of a site into the jar, before the first request of a visit. */
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

  /** Puts the stored cookies of a visit into the jar. Returns the visits that had some. */
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

  /** Plain HTTP goes without what Chrome was given for its own hello. */
  sends(cookie: Cookie, fetchMethod: CookieVisit["fetchMethod"]): boolean {
    if (fetchMethod !== "http" || originOf(cookie)?.fetchMethod !== "chrome") return true
    const rule = cookieRule(cookie.key, siteOfHost(cookie.domain ?? ""))
    return rule?.boundTo === undefined
  }

  /** Drops the stored cookies of a host that blocked this client. Those of other hosts remain valid. */
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

  /** Stores the reusable cookies when the run has ended. `chromeAgent`: Chrome's user agent in it. */
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
