import { Cookie, type CookieJar, MemoryCookieStore } from "tough-cookie"
import type { CookieVisit } from "../../../store/runs/reused-cookies.ts"

/** A cookie's attributes, wherever it comes from. */
export interface CookieParts {
  name: string
  value: string
  host: string
  hostOnly: boolean
  path: string
  secure: boolean
  httpOnly: boolean
  expires?: Date
}

/** By which way a cookie came; cookies that the run itself brought have none. */
export interface Origin {
  fetchMethod: CookieVisit["fetchMethod"]
  /** Unset for Chrome's, whose agent is the run's. */
  agent?: string
  /** It was kept from an earlier run, and is as it was. */
  isStored?: boolean
}

const mark = "trawl"

/** Overwrites what the upstream may have written there itself. */
export function markOrigin(
  cookie: Cookie,
  { fetchMethod, agent = "", isStored = false }: Origin,
): void {
  cookie.extensions = [mark, fetchMethod, isStored ? "kept" : "new", agent]
}

export function originOf({ extensions }: Pick<Cookie, "extensions">): Origin | undefined {
  if (extensions?.[0] !== mark) return undefined
  const [, fetchMethod, state, agent] = extensions as [
    string,
    Origin["fetchMethod"],
    string,
    string,
  ]
  return { fetchMethod, isStored: state === "kept", ...(agent ? { agent } : {}) }
}

export function unmark(cookie: Cookie): void {
  cookie.extensions = null
}

/** Whether no cookie was ever laid into it. */
export function isUnused({ store }: CookieJar): boolean {
  return store instanceof MemoryCookieStore && Object.keys(store.idx).length === 0
}

/** Lays a cookie into the jar as it is, or leaves it, where the jar has it already. */
export async function layCookie(jar: CookieJar, parts: CookieParts, origin: Origin): Promise<void> {
  const { name, value, host, hostOnly, path, secure, httpOnly, expires } = parts
  const known = await jar.store.findCookie(host, path, name)
  if (known && (origin.isStored || known.value === value)) return
  const cookie = new Cookie({
    key: name,
    value,
    path,
    secure,
    httpOnly,
    ...(hostOnly ? {} : { domain: host }),
    ...(expires ? { expires } : {}),
  })
  markOrigin(cookie, origin)
  await jar.setCookie(cookie, `${secure ? "https" : "http"}://${host}${path}`, {
    ignoreError: true,
    loose: true,
  })
}
