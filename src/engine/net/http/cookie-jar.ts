import { Cookie, type CookieJar, MemoryCookieStore } from "tough-cookie"
import type { CookieVisit } from "../../../store/runs/reused-cookies.ts"

/** Attributes of a cookie from any source. */
export interface CookieParts {
  name: string
  value: string
  host: string
  /** The cookie is not sent to subdomains of its host. */
  hostOnly: boolean
  path: string
  secure: boolean
  httpOnly: boolean
  expires?: Date
}

/** The fetch method by which a cookie was received; missing for cookies from the run's input. */
export interface Origin {
  fetchMethod: CookieVisit["fetchMethod"]
  /** User agent; missing for Chrome's, which has the run's. */
  agent?: string
  /** Whether it was stored by an earlier run and is unchanged. */
  isStored?: boolean
}

const mark = "trawl"

/** Overwrites a mark that the upstream may have set itself. */
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

/** Whether the jar never had a cookie. */
export function isUnused({ store }: CookieJar): boolean {
  return store instanceof MemoryCookieStore && Object.keys(store.idx).length === 0
}

/** Adds a cookie unless the jar has it already. */
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
