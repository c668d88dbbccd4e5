import type { InstanceSettings } from "../chrome/instance.ts"
import type { RemoteAddress } from "../lease/remote-addresses.ts"
import type { ResolveChecked } from "./egress-proxy.ts"

export interface PoolSettings extends InstanceSettings {
  /** A remote browser, used instead of a local Chrome. */
  remote?: RemoteAddress
  /** Maximum open tabs over all runs. */
  tabs: number
  /** Pages after which a Chrome is replaced by a new one. */
  pagesPerChrome: number
  /** Milliseconds without a lease after which Chrome is ended. */
  idleMs: number
  /** Milliseconds after which a page with a hanging event loop is closed. Default: 20 s. */
  hangMs?: number
  /** Maximum wait for a selector. Default: 12 s. */
  pageWaitMs?: number
  unlockerUrl?: string
  proxyUrls: string[]
  resolve: ResolveChecked
  /** Checks requests that continue through an upstream proxy. Default: like direct ones. */
  checkProxied?: ResolveChecked
}

/** Settings with several remote browsers, by their entries in TRAWL_CHROME_WS. */
export interface LeasingSettings extends Omit<PoolSettings, "remote"> {
  chromeWs: string[]
}
