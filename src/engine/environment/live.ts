import type { CookieJar } from "tough-cookie"
import { connect } from "../../base/rpc.ts"
import type { Config } from "../../config.ts"
import { IdentityFile, type IdentityPlace } from "../browser/identity-file.ts"
import { linkByHost } from "../browser/link.ts"
import { RemoteBrowser } from "../browser/remote-browser.ts"
import type { DocumentReader } from "../documents/reader.ts"
import { EgressGuard } from "../egress/guard.ts"
import { WayMemory } from "../fetch/way-memory.ts"
import { sendingTally } from "../health/channel.ts"
import type { Tally } from "../health/tally.ts"
import type { BrowserHeaders } from "../http/identity.ts"
import { LiveTransport } from "../http/live.ts"
import { ProxyTransport, RotatingTransport } from "../http/proxies.ts"
import { readProxyRule } from "../http/proxy-rules.ts"
import { Robots } from "../http/robots.ts"
import { ModelClient, type ModelSettings } from "../model/client.ts"
import { resolveRecords } from "../network/dns.ts"
import { inspectTls } from "../network/tls.ts"
import { connectPace, type PaceBroker } from "../pace/channel.ts"
import { readPace } from "../pace/operator-pace.ts"
import { Pacer } from "../pace/pacer.ts"
import type { HostMemory } from "../shared/host-memory.ts"
import { type UpstreamOverrides, Upstreams } from "../upstreams/upstreams.ts"
import { systemClock } from "./clock.ts"
import type { Browser, Environment } from "./environment.ts"

export type LiveSettings = Pick<
  Config,
  | "egressAllow"
  | "keepCookies"
  | "pace"
  | "proxyUrls"
  | "proxyResolves"
  | "unlockerUrl"
  | "contact"
  | keyof ModelSettings
  | "keylessSecrets"
  | "scriptAccounts"
  | "pageWaitSeconds"
  | "env"
> & {
  upstreams?: UpstreamOverrides
  /** Where the installed Chrome's identity is kept; undefined without a Chrome. */
  identity?: IdentityPlace
}

export interface LiveParts {
  pace?: PaceBroker
  browser?: Browser
  documents?: DocumentReader
  tally?: Tally
  /** What other processes know of hosts. */
  hosts?: HostMemory | undefined
}

/** The live world: the guarded network, the machine's clock, the operator's settings. */
export function liveEnvironment(settings: LiveSettings, parts: LiveParts = {}): Environment {
  const guard = EgressGuard.of(settings)
  const direct = new LiveTransport(guard)
  const http =
    settings.proxyUrls.length > 0
      ? new RotatingTransport(
          settings.proxyUrls.map(readProxyRule),
          (url) => (url ? new ProxyTransport(guard, url) : direct),
          systemClock,
        )
      : direct
  return {
    clock: systemClock,
    http,
    ...(settings.unlockerUrl
      ? { unlocker: new ProxyTransport(guard, settings.unlockerUrl, true) }
      : {}),
    ...(parts.browser ? { browser: parts.browser } : {}),
    ...(parts.documents ? { documents: parts.documents } : {}),
    ...(parts.tally ? { tally: parts.tally } : {}),
    pace: parts.pace ?? new Pacer(systemClock),
    hostPace: readPace(settings.pace),
    paceOwner: crypto.randomUUID(),
    pageWaitMs: settings.pageWaitSeconds * 1000,
    ways: new WayMemory(systemClock.now, parts.hosts),
    ...(settings.keepCookies
      ? { keepCookies: { addressChanges: settings.proxyUrls.length > 0 } }
      : {}),
    ...(settings.identity ? { chromeHeaders: headersByJar(settings.identity) } : {}),
    robots: new Robots(http, systemClock, settings.contact, parts.hosts),
    dns: (name, type, signal) => resolveRecords(name, type, signal),
    tls: (host, port, servername, signal) => inspectTls(guard, host, port, servername, signal),
    env: settings.env,
    upstreams: new Upstreams({ env: settings.env, ...settings.upstreams, now: systemClock.now }),
    keylessSecrets: settings.keylessSecrets,
    scriptAccounts: settings.scriptAccounts,
    model: ModelClient.of(settings),
  }
}

/** A run keeps one identity from first request to last: its cookies are one visitor's. */
function headersByJar(place: IdentityPlace): NonNullable<Environment["chromeHeaders"]> {
  const file = new IdentityFile(place)
  const said = new WeakMap<CookieJar, { headers: BrowserHeaders | undefined }>()
  return (jar) => {
    const known = said.get(jar) ?? { headers: file.load()?.headers }
    said.set(jar, known)
    return known.headers
  }
}

/** The live world of a worker: pace and Chrome are shared with the others, over ports. */
export function workerEnvironment(
  settings: LiveSettings & { chromeIsThere: boolean },
  services: Record<string, MessagePort>,
  hosts?: HostMemory,
): Environment {
  const { pace, chrome, documents, health } = services
  return liveEnvironment(settings, {
    hosts,
    ...(health ? { tally: sendingTally(health) } : {}),
    ...(pace ? { pace: connectPace(pace) } : {}),
    ...(documents ? { documents: connect<DocumentReader>(documents).calls } : {}),
    ...(chrome ? { browser: new RemoteBrowser(linkByHost(chrome), settings.chromeIsThere) } : {}),
  })
}
