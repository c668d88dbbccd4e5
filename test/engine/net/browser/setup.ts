import { setDefaultTimeout } from "bun:test"
import { CookieJar } from "tough-cookie"
import { EgressDenied } from "../../../../src/catalogue/kit/index.ts"
import type { BrowserLease } from "../../../../src/engine/fetch/environment.ts"
import type { PoolSettings } from "../../../../src/engine/net/browser/pool/settings.ts"
import { leanChrome } from "../../../chrome.ts"
import { browserInThread } from "./in-thread.ts"

// Chrome may start slowly on a busy machine.
setDefaultTimeout(120_000)

const chrome = leanChrome()
/** Settings of a pool for tests that are not about Chrome itself. */
export const lean: Pick<PoolSettings, "chrome"> = chrome ? { chrome } : {}

/**
 * Returns a pool whose egress filter allows one loopback port and refuses all other loopback
 * addresses.
 */
export function testBrowser(openPorts: () => number[], settings: Partial<PoolSettings> = {}) {
  return browserInThread({
    ...(process.env.TRAWL_CHROME ? { chrome: process.env.TRAWL_CHROME } : {}),
    dataDir: "/nonexistent",
    tabs: 8,
    pagesPerChrome: 500,
    idleMs: 60_000,
    proxyUrls: [],
    async resolve(host, port) {
      if (openPorts().includes(port)) return ["127.0.0.1"]
      throw new EgressDenied(`${host} is a private address.`)
    },
    ...settings,
  })
}

export function lease(options: Partial<BrowserLease> = {}): BrowserLease {
  return {
    signal: new AbortController().signal,
    jar: new CookieJar(),
    unlocker: false,
    log: () => {},
    ...options,
  }
}

/** A local site: each path has a page's body, or a whole Response. */
export function site(
  pages: Record<string, string | ((request: Request) => Response | Promise<Response>)>,
) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 120,
    fetch(request) {
      const page = pages[new URL(request.url).pathname]
      if (page === undefined) return new Response("nothing here", { status: 404 })
      if (typeof page === "function") return page(request)
      return new Response(page, { headers: { "content-type": "text/html" } })
    },
  })
}

/**
 * Returns the error of a promise; undefined if it succeeds. (`rejects` would block the event loop.)
 */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error) => error,
  )
}
