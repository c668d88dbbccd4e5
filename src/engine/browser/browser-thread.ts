import { serve } from "../../base/rpc.ts"
import { EgressGuard } from "../egress/guard.ts"
import { IdentityFile, type IdentityPlace } from "./identity-file.ts"
import { BrowserPool } from "./pool/pool.ts"
import type { PoolSettings } from "./pool/settings.ts"
import type { BrowserPort } from "./protocol.ts"
import { BrowserService } from "./service.ts"

export interface BrowserThreadSettings {
  pool: Omit<PoolSettings, "resolve">
  /** Where Chrome's identity is kept. */
  identity?: IdentityPlace
  egressAllow: string[]
  proxyResolves: boolean
}

/** The thread that owns Chrome: every lease of every run goes through here. */
export interface BrowserThread {
  /**
   * Lasts as long as the thread.
   * @param onLaunch Whoever outlives this thread ends its Chromes.
   */
  start(
    settings: BrowserThreadSettings,
    onLaunch: (chrome: { pid: number; folder: string }) => void,
    onNote: (message: string) => void,
  ): Promise<never>
  /** Starts a Chrome to learn its identity, unless that is known. */
  learn(): Promise<void>
  /** Serves a worker at its end of a channel. */
  connect(client: number, port: MessagePort): void
  disconnect(client: number): Promise<void>
  stats(): ChromeStats
  /** Ends Chrome, and then the thread. */
  stop(): Promise<void>
}

/** What is open. */
export interface ChromeStats {
  chromes: number
  contexts: number
  leases: number
}

declare const self: Worker

let pool: BrowserPool
const clients = new Map<number, BrowserService>()

serve<BrowserThread>(self, {
  start(settings, onLaunch, onNote) {
    const guard = EgressGuard.of(settings)
    pool = new BrowserPool({
      ...settings.pool,
      ...(settings.identity ? { identity: new IdentityFile(settings.identity) } : {}),
      resolve: (host, port) => guard.resolve(host, port),
      checkProxied: (host, port) => guard.checkProxied(host, port),
      onLaunch,
      onNote,
    })
    return new Promise(() => {})
  },
  learn: () => pool.learn(),
  connect(client, port) {
    const service = new BrowserService(pool)
    clients.set(client, service)
    serve<BrowserPort>(port, service)
  },
  async disconnect(client) {
    const service = clients.get(client)
    clients.delete(client)
    await service?.drop()
  },
  stats() {
    const { chromes, contexts, leases } = pool.stats()
    return { chromes, contexts, leases }
  },
  async stop() {
    await pool.stop()
    process.exit(0)
  },
})
