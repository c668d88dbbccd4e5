import type { Config } from "../../config.ts"
import { threadUrl } from "../../store/thread-url.ts"
import type { BrowserThreadMessage } from "./browser-thread.ts"
import type { PoolSettings } from "./pool.ts"
import type { BrowserRequest } from "./protocol.ts"

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

/** The browser thread as the main thread has it: started at the first need of any worker. */
export class BrowserHost {
  private thread?: Worker
  private clients = 0

  constructor(
    private readonly config: Parameters<typeof poolSettings>[0] & Pick<Config, "egressAllow">,
  ) {}

  /**
   * Connects a worker when it first asks for something, so that a service whose runs need no Chrome
   * has no thread for it; gives back how to close all that the worker had open.
   */
  serve(port: MessagePort): () => void {
    const client = this.clients++
    let connected = false
    port.onmessage = ({ data }: MessageEvent<BrowserRequest>) => {
      port.onmessage = null
      connected = true
      this.post({ type: "connect", client, port, first: data }, [port])
    }
    return () => {
      if (connected) this.post({ type: "disconnect", client })
    }
  }

  private post(message: BrowserThreadMessage, transfer: MessagePort[] = []): void {
    this.thread ??= this.start()
    this.thread.postMessage(message, transfer)
  }

  private start(): Worker {
    const thread = new Worker(threadUrl("engine/browser/browser-thread.ts"))
    thread.postMessage({
      type: "start",
      settings: poolSettings(this.config),
      egressAllow: this.config.egressAllow,
    } satisfies BrowserThreadMessage)
    return thread
  }

  async stop(): Promise<void> {
    const { thread } = this
    if (!thread) return
    this.thread = undefined
    const stopped = new Promise((resolve) => {
      thread.onmessage = resolve
      thread.addEventListener("close", resolve)
    })
    thread.postMessage({ type: "stop" } satisfies BrowserThreadMessage)
    await Promise.race([stopped, Bun.sleep(stopMs)])
    thread.terminate()
  }
}
