import { type Cookie, CookieJar, getPublicSuffix } from "tough-cookie"
import { dayMs, minuteMs } from "../../base/time.ts"
import type { RequestOptions } from "../../catalogue/kit/index.ts"
import type { CookieVisit, KeptCookie } from "../../store/runs/kept-cookies.ts"
import { personalHeader } from "../http/request.ts"
import { layCookie, originOf, unmark } from "./jar.ts"
import { cookieRule } from "./names.ts"

/** Where cookies outlive their run. */
export interface CookieShelf {
  load(visit: CookieVisit): Promise<KeptCookie[]>
  keep(visits: (CookieVisit & { cookies: KeptCookie[] })[]): Promise<void>
  drop(visits: CookieVisit[]): Promise<void>
}

export interface RunCookiesOptions {
  /** None: nothing outlives the run. */
  shelf?: CookieShelf | undefined
  now(): number
  /** The operator's proxies change the address from which the run asks. */
  addressChanges?: boolean
}

/** A run that sees more sites than this keeps nothing of the others. */
const mostSites = 500
/** Assumed lifetime of a session cookie, which states none. */
const sessionMs = 30 * minuteMs
const longestMs = 30 * dayMs

/** The cookies of one run: its jar, and what of it outlives the run. */
export class RunCookies {
  readonly jar = new CookieJar(undefined, { looseMode: true })
  private readonly loaded = new Map<string, Promise<CookieVisit[]>>()
  /** Sites to which the run said who it is. */
  private readonly own = new Set<string>()
  private worksWithKeys = false

  constructor(private readonly options: RunCookiesOptions) {}

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
    const tells = names.some((name) => cookieRule(name, site)?.as !== "told")
    if (!tells && !isNamed && !new URL(url).username) return
    if (this.own.size < mostSites) this.own.add(site)
    else this.worksWithKeys = true
  }

  /** Lays what is kept for a site into the jar, before the first request of a visit. */
  async open(url: string, way: CookieVisit["way"], agent: string): Promise<void> {
    if (!this.options.shelf) return
    const site = siteOf(url)
    if (!this.isAnonymous(site)) return
    const key = `${site} ${way} ${agent}`
    if (!this.loaded.has(key) && this.loaded.size >= mostSites) return
    const loading = this.loaded.get(key) ?? this.lay({ site, way, agent })
    this.loaded.set(key, loading)
    await loading
  }

  private isAnonymous(site: string): boolean {
    return !this.isPersonal && !this.own.has(site)
  }

  /** Which visits have given something. */
  private async lay(visit: CookieVisit): Promise<CookieVisit[]> {
    const given: CookieVisit[] = []
    const { site, way } = visit
    const sources: CookieVisit[] = way === "http" ? [visit, { ...visit, way: "chrome" }] : [visit]
    for (const source of sources) {
      const cookies = (await this.options.shelf!.load(source)).filter(
        ({ name }) => source.way === way || cookieRule(name, site)?.servesHttp,
      )
      for (const cookie of cookies) {
        const origin = { way: source.way, agent: source.agent, isKept: true }
        await layCookie(this.jar, { ...cookie, expires: new Date(cookie.expiresAt) }, origin)
      }
      if (cookies.length > 0) given.push(source)
    }
    return given
  }

  /** Plain HTTP goes without what Chrome was given for its own hello. */
  sends(cookie: Cookie, way: CookieVisit["way"]): boolean {
    if (way !== "http" || originOf(cookie)?.way !== "chrome") return true
    const rule = cookieRule(cookie.key, siteOfHost(cookie.domain ?? ""))
    return rule?.boundTo === undefined
  }

  /** A wall turned the run away, with all that this host was sent by this way; other hosts' is as good as before. */
  async blocked(url: string, way: CookieVisit["way"]): Promise<void> {
    const { shelf } = this.options
    if (!shelf || !URL.canParse(url)) return
    const site = siteOf(url)
    const burnt: CookieVisit[] = []
    for (const [key, loading] of this.loaded) {
      if (!key.startsWith(`${site} ${way} `)) continue
      burnt.push(...(await loading))
      this.loaded.set(key, Promise.resolve([]))
    }
    const { hostname } = new URL(url)
    const isBurnt = (origin: ReturnType<typeof originOf>) =>
      origin?.way === way || (origin?.isKept && burnt.some((visit) => visit.way === origin.way))
    for (const cookie of await this.jar.store.getAllCookies()) {
      const origin = originOf(cookie)
      const { domain, hostOnly } = cookie
      if (!isSentTo(hostname, domain ?? "", hostOnly ?? true) || !isBurnt(origin)) continue
      if (origin?.isKept) await this.jar.store.removeCookie(cookie.domain, cookie.path, cookie.key)
      else unmark(cookie)
    }
    for (const visit of burnt) {
      const others = (await shelf.load(visit)).filter(
        ({ host, hostOnly }) => !isSentTo(hostname, host, hostOnly),
      )
      await shelf.drop([visit])
      if (others.length > 0) await shelf.keep([{ ...visit, cookies: others }])
    }
  }

  /** The run is over. `chromeAgent`: what Chrome said in it. */
  async close(chromeAgent?: string): Promise<void> {
    const { shelf } = this.options
    if (!shelf || this.isPersonal) return
    const visits = new Map<string, CookieVisit & { cookies: KeptCookie[]; isNew: boolean }>()
    for (const cookie of await this.jar.store.getAllCookies()) {
      const origin = originOf(cookie)
      const agent = origin?.agent ?? chromeAgent
      const kept = origin && agent ? this.worthKeeping(cookie, origin.way) : null
      if (!kept || !origin || !agent) continue
      const site = siteOfHost(kept.host)
      const key = `${site} ${origin.way} ${agent}`
      const visit = visits.get(key) ?? { site, way: origin.way, agent, cookies: [], isNew: false }
      visit.cookies.push(kept)
      visit.isNew ||= !origin.isKept
      if (visits.size < mostSites) visits.set(key, visit)
    }
    const changed = [...visits.values()].filter(({ isNew }) => isNew)
    if (changed.length > 0) await shelf.keep(changed.map(({ isNew: _, ...visit }) => visit))
  }

  private worthKeeping(cookie: Cookie, way: CookieVisit["way"]): KeptCookie | null {
    const { key: name, value, domain, path, hostOnly, secure, httpOnly } = cookie
    const site = siteOfHost(domain ?? "")
    const rule = cookieRule(name, site)
    if (!domain || !path || rule?.as !== "kept" || !this.isAnonymous(site)) return null
    const moves = this.options.addressChanges || way === "unlocker"
    if (moves && rule.boundTo === "address") return null
    const now = this.options.now()
    const end = Math.min(now + longestMs, endOf(cookie, now))
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
