import type { CookieParts } from "../http/cookie-jar.ts"

/** A cookie of a session; `host` has no leading dot. */
export interface SessionCookie extends Omit<CookieParts, "expires"> {
  /** Milliseconds since 1970; null for a session cookie. */
  expires: number | null
}

/** The local storage of one origin. */
export interface OriginStorage {
  origin: string
  entries: [name: string, value: string][]
}

/** Cookies and local storage of a signed-in browser. */
export interface SessionState {
  cookies: SessionCookie[]
  origins: OriginStorage[]
}

export const maxCookies = 500
/** Maximum characters of a state as JSON. */
const maxStateCharacters = 400_000

/** Returns whether a host is one of these hosts, or a subdomain of one. */
export const isWithin = (host: string, hosts: readonly string[]): boolean =>
  hosts.some((one) => host === one || host.endsWith(`.${one}`))

export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ""

/**
 * Returns the part of a state for these hosts. Cookies of a parent domain are limited to the hosts,
 * so that no other host of that domain receives them.
 */
export function withinHosts(state: SessionState, hosts: readonly string[]): SessionState {
  return {
    cookies: state.cookies.flatMap((cookie) => narrowed(cookie, hosts)),
    origins: state.origins.filter(({ origin }) => isWithin(hostOf(origin), hosts)),
  }
}

/** Returns a cookie for these hosts: unchanged, once per host, or not at all. */
function narrowed<C extends { host: string; hostOnly: boolean }>(
  cookie: C,
  hosts: readonly string[],
): C[] {
  if (isWithin(cookie.host, hosts)) return [cookie]
  if (cookie.hostOnly) return []
  return hosts
    .filter((host) => host.endsWith(`.${cookie.host}`))
    .map((host) => ({ ...cookie, host }))
}

/** Returns the hosts of a state's cookies and storage, each once, without subdomains of others. */
export function hostsOf({ cookies, origins }: SessionState): string[] {
  const all = new Set([
    ...cookies.map(({ host }) => host),
    ...origins.map(({ origin }) => hostOf(origin)),
  ])
  return [...all].filter(
    (host) => host !== "" && ![...all].some((other) => host.endsWith(`.${other}`)),
  )
}

/** Returns a state without expired cookies. */
export function current(state: SessionState, now: number): SessionState {
  const cookies = state.cookies.filter(({ expires }) => expires === null || expires > now)
  return { ...state, cookies }
}

export const isEmpty = ({ cookies, origins }: SessionState): boolean =>
  cookies.length === 0 && origins.every(({ entries }) => entries.length === 0)

/**
 * Returns the expiry of the last cookie (ISO 8601); null if a part of the state does not expire.
 */
export function endOf({ cookies, origins }: SessionState): string | null {
  const ends = cookies.map(({ expires }) => expires)
  if (ends.length === 0 || ends.includes(null)) return null
  if (origins.some(({ entries }) => entries.length > 0)) return null
  return new Date(Math.max(...(ends as number[]))).toISOString()
}

/** Changes of a session by a run. */
export interface StateChange {
  cookies: SessionCookie[]
  /** Cookies that the site has deleted. */
  removed: Pick<SessionCookie, "name" | "host" | "path">[]
  origins: OriginStorage[]
}

export const isNoChange = ({ cookies, removed, origins }: StateChange): boolean =>
  cookies.length + removed.length + origins.length === 0

const keyOf = ({ name, host, path }: Pick<SessionCookie, "name" | "host" | "path">) =>
  `${host} ${path} ${name}`

/** Returns the difference between an older and a newer state. */
export function changeOf(before: SessionState, after: SessionState): StateChange {
  const known = new Map(before.cookies.map((cookie) => [keyOf(cookie), JSON.stringify(cookie)]))
  const there = new Set(after.cookies.map(keyOf))
  const storage = new Map(before.origins.map((one) => [one.origin, JSON.stringify(one)]))
  return {
    cookies: after.cookies.filter((one) => known.get(keyOf(one)) !== JSON.stringify(one)),
    removed: before.cookies
      .filter((cookie) => !there.has(keyOf(cookie)))
      .map(({ name, host, path }) => ({ name, host, path })),
    origins: after.origins.filter((one) => storage.get(one.origin) !== JSON.stringify(one)),
  }
}

/** Applies a change to a state, limited to these hosts and the maximum size. */
export function changed(
  state: SessionState,
  change: StateChange,
  hosts: readonly string[],
): SessionState {
  const cookies = new Map(state.cookies.map((cookie) => [keyOf(cookie), cookie]))
  for (const gone of change.removed) cookies.delete(keyOf(gone))
  for (const cookie of change.cookies) cookies.set(keyOf(cookie), cookie)
  const origins = new Map(state.origins.map((one) => [one.origin, one]))
  for (const one of change.origins) origins.set(one.origin, one)
  const next = withinHosts(
    { cookies: [...cookies.values()], origins: [...origins.values()] },
    hosts,
  )
  return isTooLarge(next) ? state : next
}

export const isTooLarge = (state: SessionState): boolean =>
  state.cookies.length > maxCookies || JSON.stringify(state).length > maxStateCharacters
