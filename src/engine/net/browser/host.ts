import { messageOf } from "../../../base/error-message.ts"
import { serve, transfer } from "../../../base/rpc.ts"
import { startThread, type Thread } from "../../../base/thread.ts"
import { threadUrl } from "../../../base/thread-url.ts"
import type { Config } from "../../../config/config.ts"
import type { BrowserThread, ChromeStats } from "./browser-thread.ts"
import { killGroup, removeFolder } from "./chrome/chrome-folder.ts"
import type { ChromeIdentity } from "./chrome/identity.ts"
import { IdentityFile, type IdentityLocation } from "./chrome/identity-file.ts"
import type { ChromeProcess, OnChrome } from "./chrome/launch.ts"
import type { ChromeHost } from "./lease/link.ts"
import type { LeasingSettings } from "./pool/settings.ts"
import { builtInChrome } from "./supply/built-in.ts"
import type { SupplySettings } from "./supply/supply.ts"

const pagesPerChrome = 2000
const idleMs = 120_000
const stopMs = 5000
const statsMs = 1000

/** Returns the source of Chrome for the service's settings. */
export function supplyOf({
  chrome,
  chromeDownloadUrl,
  dataDir,
}: Pick<Config, "chrome" | "chromeDownloadUrl" | "dataDir">): SupplySettings {
  return {
    ...(chrome ? { chrome } : {}),
    ...(chromeDownloadUrl === "never" ? {} : { chromeDownloadUrl }),
    ...(builtInChrome ? { builtIn: builtInChrome } : {}),
    dataDir,
  }
}

/** Returns the pool's settings from the service's settings. */
export function poolSettings(
  config: Pick<
    Config,
    | "chrome"
    | "chromeDownloadUrl"
    | "chromeArgs"
    | "chromeHeaded"
    | "chromeWebdriver"
    | "chromeWs"
    | "dataDir"
    | "browserTabs"
    | "pageWaitSeconds"
    | "unlockerUrl"
    | "proxyUrls"
  >,
): Omit<LeasingSettings, "resolve"> {
  return {
    ...supplyOf(config),
    chromeArgs: config.chromeArgs,
    isHeaded: config.chromeHeaded,
    hidesWebdriver: !config.chromeWebdriver,
    chromeWs: config.chromeWs,
    tabs: config.browserTabs,
    pageWaitMs: config.pageWaitSeconds * 1000,
    pagesPerChrome,
    idleMs,
    ...(config.unlockerUrl ? { unlockerUrl: config.unlockerUrl } : {}),
    proxyUrls: config.proxyUrls,
  }
}

/**
 * The main thread's connection to the browser thread. It is started when a worker first needs it, and
 * restarted after a crash.
 */
export class BrowserHost {
  private thread?: Thread<BrowserThread> | undefined
  /** Settings of the running thread, as JSON. */
  private startedWith = ""
  private clients = 0
  private loss = Promise.withResolvers<void>()
  /** Chromes that the threads started and that may outlive them, by their folders. */
  private readonly chromes = new Map<string, number | undefined>()

  constructor(
    private readonly config: Parameters<typeof poolSettings>[0] &
      Pick<Config, "egressAllow" | "proxyResolves">,
    private readonly onNote: (message: string) => void = console.error,
    private readonly identity?: IdentityLocation,
  ) {}

  /** Returns Chrome's identity; starts Chrome. @throws if there is none */
  identify(): Promise<ChromeIdentity> {
    this.thread ??= this.start()
    return this.thread.calls.learn()
  }

  /** Starts Chrome once in the background if its identity is not yet known. */
  learn(): void {
    if (!this.identity || new IdentityFile(this.identity).load()) return
    this.thread ??= this.start()
    this.thread.calls.learn().catch((error) => {
      // If it was stopped meanwhile, there is nothing to report.
      if (this.thread) this.onNote(messageOf(error))
    })
  }

  /**
   * Connects a worker whenever it asks for it, so that a service whose runs need no Chrome has no
   * thread for it; the function that it returns closes all that the worker had open.
   */
  serve(worker: MessagePort): () => void {
    const client = this.clients++
    serve<ChromeHost>(worker, {
      link: (send) => {
        this.thread ??= this.start()
        const { port1, port2 } = new MessageChannel()
        this.thread.tells.connect(client, transfer(port1, [port1]))
        send(transfer(port2, [port2]))
        return this.loss.promise
      },
    })
    return () => this.thread?.tells.disconnect(client)
  }

  /** What is open; undefined if nothing was started or it does not answer. */
  async stats(): Promise<ChromeStats | undefined> {
    const stats = this.thread?.calls.stats().catch(() => undefined)
    return Promise.race([stats, Bun.sleep(statsMs).then(() => undefined)])
  }

  private start(): Thread<BrowserThread> {
    const thread = startThread<BrowserThread>(threadUrl("engine/net/browser/browser-thread.ts"), {
      smol: false,
      onFailure: (reason) => this.lose(thread, reason),
    })
    const settings = this.settings()
    this.startedWith = JSON.stringify(settings)
    thread.calls
      .start(settings, (...change) => this.note(...change), this.onNote)
      .catch((error) => thread.end(messageOf(error)))
    return thread
  }

  private settings() {
    const { egressAllow, proxyResolves } = this.config
    return {
      pool: poolSettings(this.config),
      ...(this.identity ? { identity: this.identity } : {}),
      egressAllow,
      proxyResolves,
    }
  }

  /**
   * The config may have changed. A thread with other settings is replaced at once, because its pages
   * would go on past proxies that were set meanwhile; pages that are open are opened again.
   */
  changed(): void {
    const { thread } = this
    if (!thread || JSON.stringify(this.settings()) === this.startedWith) return
    this.thread = undefined
    void this.endChromes()
    this.loss.resolve()
    this.loss = Promise.withResolvers()
    thread.end("The settings of Chrome have changed.")
  }

  /** The thread is gone: what was open in it fails, and the next page gets another thread. */
  private lose(thread: Thread<BrowserThread>, reason: string): void {
    if (this.thread !== thread) return
    this.thread = undefined
    void this.endChromes()
    this.loss.resolve()
    this.loss = Promise.withResolvers()
    this.onNote(`The thread of Chrome was lost (${reason}); the next page starts another.`)
  }

  private note({ folder, pid }: ChromeProcess, state: Parameters<OnChrome>[1]): void {
    if (state === "ended") this.chromes.delete(folder)
    else this.chromes.set(folder, pid)
  }

  /** One that was starting ends when its thread does, and with it the pipe between them. */
  private async endChromes(): Promise<void> {
    const chromes = [...this.chromes]
    this.chromes.clear()
    for (const [, pid] of chromes) if (pid) killGroup(pid)
    await Promise.all(chromes.map(([folder]) => removeFolder(folder)))
  }

  async stop(): Promise<void> {
    const { thread } = this
    if (!thread) return
    this.thread = undefined
    thread.tells.stop()
    await Promise.race([thread.ended, Bun.sleep(stopMs)])
    thread.end()
    await this.endChromes()
  }
}
