import type { BrowserContext, Cookie as ChromeCookie } from "puppeteer-core"
import type { CookieJar } from "tough-cookie"
import { layCookie } from "../../http/cookie-jar.ts"

/** Returns the run's cookies in Chrome's format. */
export async function cookiesForChrome(jar: CookieJar): Promise<ChromeCookie[]> {
  const { cookies } = (await jar.serialize()) as { cookies: Record<string, unknown>[] }
  return cookies.map((cookie) => {
    const expires = typeof cookie.expires === "string" ? Date.parse(cookie.expires) / 1000 : -1
    return {
      name: String(cookie.key ?? ""),
      value: String(cookie.value ?? ""),
      domain: `${cookie.hostOnly ? "" : "."}${String(cookie.domain)}`,
      path: String(cookie.path ?? "/"),
      expires: Number.isFinite(expires) ? expires : -1,
      secure: cookie.secure === true,
      httpOnly: cookie.httpOnly === true,
    } as ChromeCookie
  })
}

/** Stores Chrome's cookies in the run's jar, so that plain requests use them too. */
export async function keepChromeCookies(
  jar: CookieJar,
  cookies: ChromeCookie[],
  fetchMethod: "chrome" | "unlocker" = "chrome",
): Promise<void> {
  for (const { name, value, domain, path, secure, httpOnly, expires } of cookies) {
    const parts = {
      name,
      value,
      host: domain.replace(/^\./, ""),
      hostOnly: !domain.startsWith("."),
      path,
      secure,
      httpOnly: httpOnly ?? false,
      ...(expires && expires > 0 ? { expires: new Date(expires * 1000) } : {}),
    }
    await layCookie(jar, parts, { fetchMethod })
  }
}

const same = (a: ChromeCookie, b: ChromeCookie) =>
  a.name === b.name && a.value === b.value && a.domain === b.domain && a.path === b.path

/** The cookies of one Chrome context, read no more often than necessary. */
export class ContextCookies {
  private reading?: Promise<ChromeCookie[]>
  private next?: Promise<ChromeCookie[]>
  /** Cookies at the last read. */
  private known: ChromeCookie[] = []

  constructor(private readonly context: BrowserContext) {}

  /** Sets the cookies that Chrome does not have. */
  async set(cookies: ChromeCookie[]): Promise<void> {
    const fresh = cookies.filter((cookie) => !this.known.some((known) => same(known, cookie)))
    if (fresh.length > 0) await this.context.setCookie(...fresh)
  }

  /** Returns Chrome's current cookies that were not provided. */
  async beyond(provided: ChromeCookie[]): Promise<ChromeCookie[]> {
    const now = await this.read()
    return now.filter((cookie) => !provided.some((other) => same(cookie, other)))
  }

  private read(): Promise<ChromeCookie[]> {
    if (!this.reading) {
      this.reading = this.context
        .cookies()
        .then((cookies) => {
          this.known = cookies
          return cookies
        })
        .finally(() => {
          this.reading = undefined
        })
      return this.reading
    }
    // A running read may have started before the caller's response arrived.
    this.next ??= this.reading
      .catch(() => {})
      .then(() => {
        this.next = undefined
        return this.read()
      })
    return this.next
  }
}
