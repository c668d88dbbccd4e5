import { type Cookie, CookieJar, MemoryCookieStore } from "tough-cookie"
import { layCookie } from "../http/cookie-jar.ts"
import { isWithin, type SessionCookie, type SessionState } from "./state.ts"

/**
 * The cookies of a run with a session. Cookies for a parent domain are stored only for the
 * session's hosts, because the log-in is for no other host.
 */
class NarrowStore extends MemoryCookieStore {
  /** Cookies of an earlier log-in, which an open page of Chrome may still return. */
  private readonly retired = new Set<string>()

  constructor(private readonly hosts: readonly string[]) {
    super()
  }

  retire(cookies: readonly SessionCookie[], current: readonly SessionCookie[]): void {
    const there = new Set(current.map(partsOf))
    for (const one of cookies.map(partsOf)) if (!there.has(one)) this.retired.add(one)
  }

  // biome-ignore lint/suspicious/noExplicitAny: tough-cookie overloads it with a callback
  override putCookie(cookie: Cookie, callback?: any): any {
    const { domain, hostOnly, path, key: name, value } = cookie
    if (this.retired.has(partsOf({ host: domain ?? "", path: path ?? "/", name, value })))
      return callback ? callback(null) : Promise.resolve()
    if (domain && !hostOnly && !isWithin(domain, this.hosts)) {
      const [first, ...rest] = this.hosts.filter((host) => host.endsWith(`.${domain}`))
      for (const host of rest) {
        const copy = cookie.clone()
        if (copy) void super.putCookie(Object.assign(copy, { domain: host }))
      }
      if (first) cookie.domain = first
    }
    return super.putCookie(cookie, callback)
  }
}

const partsOf = ({
  host,
  path,
  name,
  value,
}: Omit<SessionCookie, "hostOnly" | "secure" | "httpOnly" | "expires">) =>
  `${host} ${path} ${name} ${value}`

/** Returns a jar for the cookies of a session with these hosts. */
export const sessionJar = (hosts: readonly string[]): CookieJar =>
  new CookieJar(new NarrowStore(hosts), { looseMode: true })

/** Replaces the cookies in a jar by those of a state. */
export async function layState(
  jar: CookieJar,
  { cookies }: SessionState,
  before?: SessionState,
): Promise<void> {
  if (before && jar.store instanceof NarrowStore) jar.store.retire(before.cookies, cookies)
  for (const { expires, ...parts } of cookies) {
    const known = await jar.store.findCookie(parts.host, parts.path, parts.name)
    if (known) await jar.store.removeCookie(parts.host, parts.path, parts.name)
    const end = expires === null ? {} : { expires: new Date(expires) }
    await layCookie(jar, { ...parts, ...end }, { fetchMethod: "http" })
  }
}

/** Returns the cookies of a jar for these hosts. */
export async function cookiesIn(
  jar: CookieJar,
  hosts: readonly string[],
  now: number,
): Promise<SessionCookie[]> {
  const cookies = await jar.store.getAllCookies()
  return cookies.flatMap((cookie) => {
    const { key: name, value, domain, path, hostOnly, secure, httpOnly } = cookie
    if (!domain || !isWithin(domain, hosts)) return []
    const expires = endOf(cookie, now)
    if (expires !== null && expires <= now) return []
    return [
      {
        name,
        value,
        host: domain,
        hostOnly: hostOnly ?? true,
        path: path ?? "/",
        secure,
        httpOnly,
        expires,
      },
    ]
  })
}

function endOf({ maxAge, expires, creation }: Cookie, now: number): number | null {
  if (typeof maxAge === "number") {
    return (creation instanceof Date ? creation.getTime() : now) + maxAge * 1000
  }
  return expires instanceof Date ? expires.getTime() : null
}
