import type { CookieJar } from "tough-cookie"
import { abortable } from "../../../base/clock.ts"
import type { Connection } from "../../../base/rpc.ts"
import { ScrapeError } from "../../../catalogue/kit/index.ts"
import type { Browser, BrowserLease, LeasedTab } from "../../fetch/environment.ts"
import type { WireRequest, WireResponse } from "../http/exchange.ts"
import { isBrowserLost } from "./lease/lease-end.ts"
import type { Link } from "./lease/link.ts"
import type { BrowserPort } from "./lease/protocol.ts"
import { netRequest } from "./net/net-transport.ts"
import { cookiesForChrome, keepChromeCookies } from "./page/cookies.ts"
import { tabOf } from "./pool/steps.ts"

const defaultDeadlineMs = 90_000
/**
 * Attempts if Chrome ends: a page may be the cause locally, but hardly of a lost connection to
 * another machine.
 */
const attempts = { here: 2, elsewhere: 4 }

function triesAfter(error: unknown): number {
  if (!(error instanceof ScrapeError) || error.code !== "browser_crashed") return 1
  return isBrowserLost(error) ? attempts.elsewhere : attempts.here
}

/** Chrome in a run's thread: every step is sent to the browser thread. */
export class RemoteBrowser implements Browser {
  private readonly owners = new WeakMap<CookieJar, string>()
  private nextLease = 1
  private connection?: Promise<Connection<BrowserPort>> | undefined

  constructor(
    private readonly link: Link,
    private readonly isAvailable: boolean,
  ) {}

  available(): boolean {
    return this.isAvailable
  }

  private chrome(): Promise<Connection<BrowserPort>> {
    this.connection ??= this.link(() => {
      this.connection = undefined
    })
    return this.connection
  }

  lease<R>(lease: BrowserLease, steps: (tab: LeasedTab) => Promise<R>): Promise<R> {
    return this.again(lease, () => this.once(lease, steps))
  }

  /** A call that may already have had an effect is not repeated. */
  fetch(lease: BrowserLease, request: WireRequest): Promise<WireResponse> {
    if (request.method === "POST") return this.exchange(lease, request)
    return this.again(lease, () => this.exchange(lease, request))
  }

  private async again<R>(lease: BrowserLease, work: () => Promise<R>): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        const tries = triesAfter(error)
        if (attempt >= tries || lease.signal.aborted) throw error
        lease.log("Chrome ended; opening the page in another Chrome.")
      }
    }
  }

  private async exchange(lease: BrowserLease, request: WireRequest): Promise<WireResponse> {
    const { signal, jar, unlocker, exit: egress } = lease
    const cookies = await cookiesForChrome(jar)
    signal.throwIfAborted()
    const { calls } = await abortable(this.chrome(), signal)
    const exchange = calls.fetch(
      { owner: this.owner(jar), unlocker, exit: egress, cookies, request: netRequest(request) },
      signal,
    )
    const { response, cookies: stored } = await abortable(exchange, signal)
    await keepChromeCookies(jar, stored, unlocker ? "unlocker" : "chrome")
    return { ...response, headers: new Headers(response.headers), via: "browser-http" }
  }

  private async once<R>(lease: BrowserLease, steps: (tab: LeasedTab) => Promise<R>): Promise<R> {
    const { signal } = lease
    const cookies = await cookiesForChrome(lease.jar)
    signal.throwIfAborted()
    const number = this.nextLease++
    const { calls, tells: notify } = await abortable(this.chrome(), signal)
    const work = async () => {
      await calls.open(number, {
        owner: this.owner(lease.jar),
        unlocker: lease.unlocker,
        exit: lease.exit,
        cookies,
        ...(lease.storage ? { storage: lease.storage } : {}),
        deadlineMs: lease.deadlineMs ?? defaultDeadlineMs,
        screenshots: lease.onScreenshot !== undefined,
      })
      try {
        return await steps(tabOf(calls, number, lease.onScreenshot))
      } finally {
        if (!signal.aborted) {
          const fetchMethod = lease.unlocker ? "unlocker" : "chrome"
          await keepChromeCookies(lease.jar, await calls.close(number), fetchMethod)
        }
      }
    }
    try {
      return await abortable(work(), signal)
    } catch (error) {
      // The end of a lease is not awaited after its run has ended.
      if (signal.aborted) notify.cancel(number)
      throw error
    }
  }

  private owner(jar: CookieJar): string {
    const known = this.owners.get(jar) ?? crypto.randomUUID()
    this.owners.set(jar, known)
    return known
  }

  async release(jar: CookieJar): Promise<void> {
    const owner = this.owners.get(jar)
    // Chrome may be slow to close a page that refuses to unload, so the run does not wait.
    const connection = await this.connection?.catch(() => undefined)
    if (owner) connection?.tells.release(owner)
  }
}
