import type { Cookie as ChromeCookie } from "puppeteer-core"
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
