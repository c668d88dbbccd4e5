import type { RenderedAnswer, RenderOptions, Tab, TlsPeer } from "../catalogue/define.ts"
import type { Clock } from "./clock.ts"
import type { Transport } from "./http/exchange.ts"

/** Chrome, as a run sees it. */
export interface Browser {
  /** Runs steps on one tab of one lease; the lease ends with them. */
  lease<R>(lease: BrowserLease, steps: (tab: Tab) => Promise<R>): Promise<R>
}

export interface BrowserLease {
  signal: AbortSignal
  /** The run's cookies, given to Chrome before and taken back after. */
  jar: import("tough-cookie").CookieJar
  /** Go through the operator's unlocker. */
  unlocker: boolean
  log(message: string): void
}

export type { RenderedAnswer, RenderOptions }

/**
 * What a run is given from outside: the live world (live.ts) or a recorded case
 * (replay/environment.ts). Nothing in a scraper can tell which.
 */
export interface Environment {
  clock: Clock
  http: Transport
  /** The operator's unlocking proxy; undefined where none is set. */
  unlocker?: Transport
  browser?: Browser
  dns(name: string, type: string, signal: AbortSignal): Promise<unknown>
  tls(host: string, port: number, servername: string, signal: AbortSignal): Promise<TlsPeer>
  /** The operator's settings for upstreams. */
  env: Record<string, string | undefined>
  /** One target at a time, so that the order of items and frontier is the same each time. */
  sequential?: boolean
}
