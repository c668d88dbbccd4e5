import { briefly } from "../../base/thread.ts"
import type { Config } from "../../config.ts"
import { threadUrl } from "../../thread-url.ts"
import type { BrowserThreadMessage, BrowserThreadReport } from "./browser-thread.ts"
import { killGroup, removeFolder } from "./chrome-folder.ts"
import type { LinkMessage } from "./link.ts"
import type { PoolSettings } from "./pool.ts"

const pagesPerChrome = 2000
const idleMs = 120_000
const stopMs = 5000

/** The pool's settings out of the service's. */
export function poolSettings(
  config: Pick<
    Config,
    "chrome" | "chromeWs" | "dataDir" | "browserTabs" | "unlockerUrl" | "proxyUrls"
  >,
): Omit<PoolSettings, "resolve"> {
  return {
    ...(config.chrome ? { chrome: config.chrome } : {}),
    chromeWs: config.chromeWs,
    dataDir: config.dataDir,
    tabs: config.browserTabs,
    pagesPerChrome,
    idleMs,
    ...(config.unlockerUrl ? { unlockerUrl: config.unlockerUrl } : {}),
    proxyUrls: config.proxyUrls,
  }
}

/**
 * The browser thread as the main thread has it: started at the first need of any worker, and anew
 * when it was lost.
 */
export class BrowserHost {
  private thread?: Worker
  private clients = 0
  /** Workers that have a channel to the thread, by the port over which they are told of its end. */
  private readonly connected = new Map<number, MessagePort>()
  /** Chromes of the thread, which would outlive it. */
  private readonly chromes = new Map<number, string>()

  constructor(
    private readonly config: Parameters<typeof poolSettings>[0] &
      Pick<Config, "egressAllow" | "proxyResolves">,
    private readonly onNote: (message: string) => void = console.error,
  ) {}

  /**
   * Connects a worker whenever it asks for it, so that a service whose runs need no Chrome has no
   * thread for it; gives back how to close all that the worker had open.
   */
  serve(worker: MessagePort): () => void {
    const client = this.clients++
    worker.onmessage = () => {
      const { port1, port2 } = new MessageChannel()
      this.thread ??= this.start()
      this.connected.set(client, worker)
      this.post({ type: "connect", client, port: port1 }, [port1])
      worker.postMessage({ port: port2 } satisfies LinkMessage, [port2])
    }
    return () => {
      if (this.connected.delete(client)) this.post({ type: "disconnect", client })
    }
  }

  private post(message: BrowserThreadMessage, transfer: MessagePort[] = []): void {
    this.thread?.postMessage(message, transfer)
  }

  private start(): Worker {
    const thread = new Worker(threadUrl("engine/browser/browser-thread.ts"))
    thread.onmessage = ({ data }: MessageEvent<BrowserThreadReport>) => {
      if (data.type === "launched") this.chromes.set(data.pid, data.folder)
      else if (data.type === "note") this.onNote(data.message)
    }
    thread.addEventListener("error", (event) => this.lose(thread, briefly(event.message)))
    thread.addEventListener("close", () => this.lose(thread, "it ended"))
    const { egressAllow, proxyResolves } = this.config
    thread.postMessage({
      type: "start",
      settings: poolSettings(this.config),
      egressAllow,
      proxyResolves,
    } satisfies BrowserThreadMessage)
    return thread
  }

  /** The thread is gone: what was open in it fails, and the next page gets another thread. */
  private lose(thread: Worker, reason: string): void {
    if (this.thread !== thread) return
    this.thread = undefined
    thread.terminate()
    this.endChromes()
    for (const worker of this.connected.values()) worker.postMessage("lost" satisfies LinkMessage)
    this.connected.clear()
    this.onNote(`The thread of Chrome was lost (${reason}); the next page starts another.`)
  }

  private endChromes(): void {
    for (const [pid, folder] of this.chromes) {
      killGroup(pid)
      void removeFolder(folder)
    }
    this.chromes.clear()
  }

  async stop(): Promise<void> {
    const { thread } = this
    if (!thread) return
    this.thread = undefined
    const stopped = new Promise<void>((resolve) => {
      thread.addEventListener("message", ({ data }: MessageEvent<BrowserThreadReport>) => {
        if (data.type === "stopped") resolve()
      })
      thread.addEventListener("close", () => resolve())
    })
    thread.postMessage({ type: "stop" } satisfies BrowserThreadMessage)
    await Promise.race([stopped, Bun.sleep(stopMs)])
    thread.terminate()
  }
}
