import type { Cookie } from "puppeteer-core"
import type { CookieJar } from "tough-cookie"
import { type Answer, Outcome, type RenderedAnswer, type Tab } from "../../catalogue/kit/index.ts"
import { abortable } from "../environment/clock.ts"
import type { Browser, BrowserLease } from "../environment/environment.ts"
import { cookiesForChrome, keepChromeCookies } from "./cookies.ts"
import { chromeGone } from "./lease-end.ts"
import type { Link } from "./link.ts"
import {
  answerFromMessage,
  type BrowserReply,
  type BrowserRequest,
  isAnswerMessage,
  outcomeFromMessage,
} from "./protocol.ts"
import type { Port } from "./service.ts"

const defaultDeadlineMs = 90_000
const attempts = 2

type Question = BrowserRequest extends infer R
  ? R extends { id: number }
    ? Omit<R, "id">
    : never
  : never

/** Chrome as a run's thread has it: every step is asked of the browser thread. */
export class RemoteBrowser implements Browser {
  private readonly pending = new Map<
    number,
    { resolve(value: unknown): void; reject(reason: unknown): void }
  >()
  private readonly owners = new WeakMap<CookieJar, string>()
  private readonly screenshots = new Map<number, (png: Uint8Array) => void>()
  private nextId = 1
  private nextLease = 1

  private port?: Promise<Port>

  constructor(
    private readonly link: Link,
    private readonly isAvailable: boolean,
  ) {}

  available(): boolean {
    return this.isAvailable
  }

  private receive(reply: BrowserReply): void {
    if ("screenshot" in reply) {
      this.screenshots.get(reply.lease)?.(reply.screenshot)
      return
    }
    const waiting = this.pending.get(reply.id)
    this.pending.delete(reply.id)
    if ("failure" in reply) waiting?.reject(outcomeFromMessage(reply.failure))
    else waiting?.resolve(reply.value)
  }

  private async ask(question: Question): Promise<unknown> {
    this.port ??= this.link({ receive: (reply) => this.receive(reply), lost: () => this.lose() })
    const id = this.nextId++
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.pending.set(id, { resolve, reject })
    const port = await this.port
    port.postMessage({ ...question, id })
    return promise
  }

  /** The browser thread is gone, and with it all that was asked of it. */
  private lose(): void {
    this.port = undefined
    for (const { reject } of this.pending.values()) reject(chromeGone())
    this.pending.clear()
  }

  /** Asks for what has no reply of use. */
  private tell(question: Question): void {
    this.ask(question).catch(() => {})
  }

  async lease<R>(lease: BrowserLease, steps: (tab: Tab) => Promise<R>): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(lease, steps)
      } catch (error) {
        const lost = error instanceof Outcome && error.code === "browser_gone"
        if (!lost || attempt >= attempts || lease.signal.aborted) throw error
        lease.log("Chrome ended; opening the page again in another.")
      }
    }
  }

  private async once<R>(lease: BrowserLease, steps: (tab: Tab) => Promise<R>): Promise<R> {
    const { signal } = lease
    const cookies = await cookiesForChrome(lease.jar)
    signal.throwIfAborted()
    const number = this.nextLease++
    if (lease.onScreenshot) this.screenshots.set(number, lease.onScreenshot)
    const work = async () => {
      await this.ask({
        ask: "open",
        lease: number,
        owner: this.owner(lease.jar),
        unlocker: lease.unlocker,
        cookies,
        deadlineMs: lease.deadlineMs ?? defaultDeadlineMs,
        screenshots: lease.onScreenshot !== undefined,
      })
      try {
        return await steps(this.tab(number))
      } finally {
        if (!signal.aborted) await this.close(number, lease.jar)
      }
    }
    try {
      return await abortable(work(), signal)
    } catch (error) {
      // Nobody waits for the end of a lease whose run is over.
      if (signal.aborted) this.tell({ ask: "cancel", lease: number })
      throw error
    } finally {
      this.screenshots.delete(number)
    }
  }

  private async close(lease: number, jar: CookieJar): Promise<void> {
    const cookies = (await this.ask({ ask: "close", lease })) as Cookie[]
    await keepChromeCookies(jar, cookies)
  }

  private tab(lease: number): Tab {
    const step = async (name: string, ...args: unknown[]) => {
      const value = await this.ask({ ask: "step", lease, step: name, args })
      return isAnswerMessage(value) ? answerFromMessage(value) : value
    }
    return {
      goto: (url, options) => step("goto", url, options) as Promise<RenderedAnswer>,
      read: () => step("read") as Promise<RenderedAnswer>,
      waitFor: (selector, timeoutMs) => step("waitFor", selector, timeoutMs) as Promise<boolean>,
      click: (selector) => step("click", selector) as Promise<boolean>,
      scroll: (options) => step("scroll", options) as Promise<void>,
      fetch: (url, options) => step("fetch", url, options) as Promise<Answer>,
    }
  }

  private owner(jar: CookieJar): string {
    const known = this.owners.get(jar) ?? crypto.randomUUID()
    this.owners.set(jar, known)
    return known
  }

  async release(jar: CookieJar): Promise<void> {
    const owner = this.owners.get(jar)
    // Chrome may take its time to close what a page does not let go; the run is over all the same.
    if (owner) this.tell({ ask: "release", owner })
  }
}
