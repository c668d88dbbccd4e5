import type { BrowserContext, Cookie as ChromeCookie } from "puppeteer-core"
import { Cookie, type CookieJar } from "tough-cookie"

/** The run's cookies in Chrome's form. */
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

/** Lays Chrome's cookies into the run's jar, so that plain calls go on with what Chrome was given. */
export async function keepChromeCookies(jar: CookieJar, cookies: ChromeCookie[]): Promise<void> {
  for (const cookie of cookies) {
    const domain = cookie.domain.replace(/^\./, "")
    const kept = new Cookie({
      key: cookie.name,
      value: cookie.value,
      path: cookie.path,
      secure: cookie.secure,
      httpOnly: cookie.httpOnly,
      ...(cookie.domain.startsWith(".") ? { domain } : {}),
      ...(cookie.expires && cookie.expires > 0 ? { expires: new Date(cookie.expires * 1000) } : {}),
    })
    const scheme = cookie.secure ? "https" : "http"
    await jar.setCookie(kept, `${scheme}://${domain}${cookie.path}`, {
      ignoreError: true,
      loose: true,
    })
  }
}

const same = (a: ChromeCookie, b: ChromeCookie) =>
  a.name === b.name && a.value === b.value && a.domain === b.domain && a.path === b.path

/** The cookies of one context of Chrome, asked for no more often than it takes. */
export class ContextCookies {
  private reading?: Promise<ChromeCookie[]>
  private next?: Promise<ChromeCookie[]>
  /** What Chrome last said that it has. */
  private known: ChromeCookie[] = []

  constructor(private readonly context: BrowserContext) {}

  /** Gives Chrome those that it does not have. */
  async give(cookies: ChromeCookie[]): Promise<void> {
    const fresh = cookies.filter((one) => !this.known.some((known) => same(known, one)))
    if (fresh.length > 0) await this.context.setCookie(...fresh)
  }

  /** Those that Chrome has now, and which are not among what it was given. */
  async beyond(given: ChromeCookie[]): Promise<ChromeCookie[]> {
    const now = await this.read()
    return now.filter((one) => !given.some((other) => same(one, other)))
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
    // What is under way may have been asked before the caller's answer came.
    this.next ??= this.reading
      .catch(() => {})
      .then(() => {
        this.next = undefined
        return this.read()
      })
    return this.next
  }
}
