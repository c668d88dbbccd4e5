import { serve } from "../../../base/rpc.ts"
import { EgressFilter } from "../egress/filter.ts"
import type { ChromeIdentity } from "./chrome/identity.ts"
import { IdentityFile, type IdentityLocation } from "./chrome/identity-file.ts"
import type { OnChrome } from "./chrome/launch.ts"
import type { BrowserPort } from "./lease/protocol.ts"
import { openLeasing } from "./open-leasing.ts"
import type { Leasing, LeasingStats } from "./pool/leasing.ts"
import type { LeasingSettings } from "./pool/settings.ts"
import { BrowserService } from "./service.ts"

export interface BrowserThreadSettings {
  pool: Omit<LeasingSettings, "resolve">
  /** Storage of Chrome's identity. */
  identity?: IdentityLocation
  egressAllow: string[]
  proxyResolves: boolean
}

/** The thread that owns Chrome. Every lease of every run uses it. */
export interface BrowserThread {
  /**
   * Runs until the thread ends.
   * @param onChrome Receives the state of each Chrome, so that the caller can end those that
   * outlive this thread.
   */
  start(
    settings: BrowserThreadSettings,
    onChrome: OnChrome,
    onNote: (message: string) => void,
  ): Promise<never>
  /** Returns Chrome's identity; starts a Chrome if it is unknown. */
  learn(): Promise<ChromeIdentity>
  /** Serves a worker over its message port. */
  connect(client: number, port: MessagePort): void
  disconnect(client: number): Promise<void>
  stats(): ChromeStats
  /** Ends Chrome, then the thread. */
  stop(): Promise<void>
}

export type ChromeStats = LeasingStats

declare const self: Worker

let pool: Leasing
const clients = new Map<number, BrowserService>()

serve<BrowserThread>(self, {
  start(settings, onChrome, onNote) {
    const egress = EgressFilter.of(settings)
    pool = openLeasing({
      ...settings.pool,
      ...(settings.identity ? { identity: new IdentityFile(settings.identity) } : {}),
      resolve: (host, port) => egress.resolve(host, port),
      checkProxied: (host, port) => egress.checkProxied(host, port),
      onChrome,
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
    const { chromes, contexts, leases, remotes } = pool.stats()
    return { chromes, contexts, leases, ...(remotes && { remotes }) }
  },
  async stop() {
    await pool.stop()
    process.exit(0)
  },
})
