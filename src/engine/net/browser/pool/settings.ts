import type { ResolveChecked } from "../guard-proxy.ts"
import type { InstanceSettings } from "../instance.ts"
import type { RemoteAddress } from "./addresses.ts"

export interface PoolSettings extends InstanceSettings {
  /** A remote browser, used instead of a local Chrome. */
  remote?: RemoteAddress
  /** Tabs open at once, over all runs. */
  tabs: number
  /** Pages after which a Chrome is ended and another started. */
  pagesPerChrome: number
  /** Chrome ends after this long without a lease. */
  idleMs: number
  /** A page whose event loop hangs for this long is given up. Default: 20 s. */
  hangMs?: number
  /** Maximum wait for a selector. Default: 12 s. */
  pageWaitMs?: number
  unlockerUrl?: string
  proxyUrls: string[]
  resolve: ResolveChecked
  /** Checks requests that continue through a proxy of the operator. Default: as for direct ones. */
  checkProxied?: ResolveChecked
}

/** The same with all browsers elsewhere, by their entries in TRAWL_CHROME_WS. */
export interface LeasingSettings extends Omit<PoolSettings, "remote"> {
  chromeWs: string[]
}
