import { CookieJar } from "tough-cookie"
import { browserInThread } from "../../test/engine/net/browser/in-thread.ts"

export const tabs = 8

/** Returns a pool of this thread with its own Chrome, and a lease for it. */
export function startChrome(hangMs: number, chromeArgs: string[] = []) {
  const chrome = browserInThread({
    ...(process.env.TRAWL_CHROME ? { chrome: process.env.TRAWL_CHROME } : {}),
    dataDir: "/nonexistent",
    chromeArgs,
    tabs,
    pagesPerChrome: 100_000,
    idleMs: 600_000,
    hangMs,
    proxyUrls: [],
    resolve: async () => ["127.0.0.1"],
  })
  const lease = {
    signal: new AbortController().signal,
    jar: new CookieJar(),
    unlocker: false,
    log: () => {},
  }
  return { ...chrome, lease }
}

/** Runs `count` tasks, eight at a time. Returns how many finish in a second. */
export async function inParallel(
  count: number,
  work: (page: number) => Promise<void>,
): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: tabs }, async () => {
      while (next < count) await work(next++)
    }),
  )
  return count / ((performance.now() - started) / 1000)
}
