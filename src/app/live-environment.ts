import type { CookieJar } from "tough-cookie"
import { systemClock } from "../base/clock.ts"
import { connect } from "../base/rpc.ts"
import type { Config } from "../config/config.ts"
import type { Browser, Environment } from "../engine/fetch/environment.ts"
import { FetchMethodMemory } from "../engine/fetch/method-memory.ts"
import { type UpstreamOverrides, Upstreams } from "../engine/fetch/site-constants/site-constants.ts"
import { IdentityFile, type IdentityLocation } from "../engine/net/browser/chrome/identity-file.ts"
import { linkByHost } from "../engine/net/browser/lease/link.ts"
import { RemoteBrowser } from "../engine/net/browser/remote-browser.ts"
import type { DocumentReader } from "../engine/net/documents/reader.ts"
import { EgressFilter } from "../engine/net/egress/filter.ts"
import type { BrowserHeaders } from "../engine/net/http/identity.ts"
import { LiveTransport } from "../engine/net/http/live.ts"
import { ProxyTransport, RotatingTransport } from "../engine/net/http/proxies.ts"
import { readProxyRule } from "../engine/net/http/proxy-rules.ts"
import { Robots } from "../engine/net/http/robots.ts"
import { ModelClient, type ModelSettings } from "../engine/net/model/client.ts"
import { resolveRecords } from "../engine/net/network/dns.ts"
import { inspectTls } from "../engine/net/network/tls.ts"
import { connectRateLimit, type RateLimitBroker } from "../engine/net/rate-limits/channel.ts"
import { readRateLimit } from "../engine/net/rate-limits/configured-limits.ts"
import { RateLimiter } from "../engine/net/rate-limits/rate-limiter.ts"
import type { SessionService } from "../engine/net/sessions/run-session.ts"
import { sendingCounts } from "../engine/ops/health/channel.ts"
import type { Counters } from "../engine/ops/health/counters.ts"
import type { HostMemory } from "../engine/runtime/shared/host-memory.ts"

export type LiveSettings = Pick<
  Config,
  | "egressAllow"
  | "reuseCookies"
  | "hostRateLimits"
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
  /** Location of the installed Chrome's identity; undefined without Chrome. */
  identity?: IdentityLocation
}

export interface LiveParts {
  rateLimit?: RateLimitBroker
  browser?: Browser
  documents?: DocumentReader
  sessions?: SessionService
  counts?: Counters
  /** What other processes have learned about hosts. */
  hosts?: HostMemory | undefined
}

/**
 * Returns the live environment: the network behind the egress filter, the system clock and the
 * operator's settings.
 */
export function liveEnvironment(settings: LiveSettings, parts: LiveParts = {}): Environment {
  const egress = EgressFilter.of(settings)
  const direct = new LiveTransport(egress)
  const http =
    settings.proxyUrls.length > 0
      ? new RotatingTransport(
          settings.proxyUrls.map(readProxyRule),
          (url) => (url ? new ProxyTransport(egress, url) : direct),
          systemClock,
        )
      : direct
  return {
    clock: systemClock,
    http,
    ...(settings.unlockerUrl
      ? { unlocker: new ProxyTransport(egress, settings.unlockerUrl, true) }
      : {}),
    ...(parts.browser ? { browser: parts.browser } : {}),
    ...(parts.sessions ? { sessions: parts.sessions } : {}),
    ...(parts.documents ? { documents: parts.documents } : {}),
    ...(parts.counts ? { counts: parts.counts } : {}),
    rateLimit: parts.rateLimit ?? new RateLimiter(systemClock),
    hostRateLimit: readRateLimit(settings.hostRateLimits),
    rateLimitOwner: crypto.randomUUID(),
    pageWaitMs: settings.pageWaitSeconds * 1000,
    methods: new FetchMethodMemory(systemClock.now, parts.hosts),
    ...(settings.reuseCookies
      ? { reuseCookies: { addressChanges: settings.proxyUrls.length > 0 } }
      : {}),
    ...(settings.identity ? { chromeHeaders: headersByJar(settings.identity) } : {}),
    robots: new Robots(http, systemClock, settings.contact, parts.hosts),
    dns: (name, type, signal) => resolveRecords(name, type, signal),
    tls: (host, port, servername, signal) => inspectTls(egress, host, port, servername, signal),
    env: settings.env,
    upstreams: new Upstreams({ env: settings.env, ...settings.upstreams, now: systemClock.now }),
    keylessSecrets: settings.keylessSecrets,
    scriptAccounts: settings.scriptAccounts,
    model: ModelClient.of(settings),
  }
}

/**
 * Each run uses one identity from its first request to its last, because its cookies belong to one
 * visitor.
 */
function headersByJar(location: IdentityLocation): NonNullable<Environment["chromeHeaders"]> {
  const file = new IdentityFile(location)
  const headersOf = new WeakMap<CookieJar, { headers: BrowserHeaders | undefined }>()
  return (jar) => {
    const known = headersOf.get(jar) ?? { headers: file.load()?.headers }
    headersOf.set(jar, known)
    return known.headers
  }
}

/** The live environment of a worker, which shares rate limits and Chrome with the others over ports. */
export function workerEnvironment(
  settings: LiveSettings & { chromeIsThere: boolean },
  services: Record<string, MessagePort>,
  hosts?: HostMemory,
): Environment {
  const { rateLimit, chrome, documents, health, sessions } = services
  return liveEnvironment(settings, {
    hosts,
    ...(health ? { counts: sendingCounts(health) } : {}),
    ...(rateLimit ? { rateLimit: connectRateLimit(rateLimit) } : {}),
    ...(sessions ? { sessions: connect<SessionService>(sessions).calls } : {}),
    ...(documents ? { documents: connect<DocumentReader>(documents).calls } : {}),
    ...(chrome ? { browser: new RemoteBrowser(linkByHost(chrome), settings.chromeIsThere) } : {}),
  })
}
