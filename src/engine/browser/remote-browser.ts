import type { Cookie } from "puppeteer-core"
import type { CookieJar } from "tough-cookie"
import type { Answer, RenderedAnswer, Tab } from "../../catalogue/context.ts"
import { Outcome } from "../../catalogue/outcome.ts"
import type { Browser, BrowserLease } from "../environment.ts"
import { cookiesForChrome, keepChromeCookies } from "./cookies.ts"
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

  constructor(
    private readonly port: Port,
    private readonly isAvailable: boolean,
  ) {
    port.onmessage = (event) => this.receive(event.data as BrowserReply)
  }

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

  private ask(question: Question): Promise<unknown> {
    const id = this.nextId++
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject })
      this.port.postMessage({ ...question, id })
    })
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
    lease.signal.throwIfAborted()
    const number = (await this.ask({
      ask: "open",
      owner: this.owner(lease.jar),
      unlocker: lease.unlocker,
      cookies: await cookiesForChrome(lease.jar),
      deadlineMs: lease.deadlineMs ?? defaultDeadlineMs,
      screenshots: lease.onScreenshot !== undefined,
    })) as number
    if (lease.onScreenshot) this.screenshots.set(number, lease.onScreenshot)
    const aborted = new Promise<never>((_, reject) => {
      lease.signal.addEventListener("abort", () => reject(lease.signal.reason), { once: true })
    })
    aborted.catch(() => {})
    try {
      return await Promise.race([steps(this.tab(number)), aborted])
    } finally {
      this.screenshots.delete(number)
      const cookies = (await this.ask({ ask: "close", lease: number })) as Cookie[]
      await keepChromeCookies(lease.jar, cookies)
    }
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
    if (owner) await this.ask({ ask: "release", owner })
  }
}
