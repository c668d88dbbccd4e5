import { join } from "node:path"
import { systemClock } from "./base/clock.ts"
import { messageOf } from "./base/error-message.ts"
import { type Config, ConfigError } from "./config.ts"
import { readCases } from "./engine/fetch/replay/case.ts"
import { overridesName } from "./engine/fetch/site-constants/overrides-file.ts"
import { type UpstreamOverrides, Upstreams } from "./engine/fetch/site-constants/site-constants.ts"
import { BrowserHost, supplyOf } from "./engine/net/browser/host.ts"
import { identityLocation } from "./engine/net/browser/identity-file.ts"
import { canHaveChrome } from "./engine/net/browser/supply/supply.ts"
import { DocumentHost } from "./engine/net/documents/host.ts"
import { serveRateLimit } from "./engine/net/rate-limits/channel.ts"
import { RateLimiter } from "./engine/net/rate-limits/rate-limiter.ts"
import { StoreRateLimit } from "./engine/net/rate-limits/shared-limits.ts"
import type { WorkerService } from "./engine/runtime/workers/supervisor.ts"
import type { LiveSettings } from "./live-environment.ts"
import type { OwnStore } from "./store/store.ts"

/** Chrome takes a second of a core to start: not while the service does. */
const learnAfterMs = 5000

/** What a worker makes its environment from; plain data. */
export interface WorkerSettings extends LiveSettings {
  chromeIsThere: boolean
  /** Folders of recorded cases that replace the network. */
  replay: string[]
  upstreams: UpstreamOverrides
}

export interface SharedServices {
  /** By the names under which a worker's environment asks for them (live.ts). */
  services: Record<string, WorkerService>
  settings: WorkerSettings
  rateLimiter: RateLimiter
  upstreams: Upstreams
  chromeStats: BrowserHost["stats"]
  /** The config has changed: workers that are started from now on get it as it is. */
  changed(): void
  stop(): Promise<void>
}

/**
 * Creates the services that all workers of one process share: the rate limits of hosts, and Chrome.
 * `onNote` reports to the operator. @throws ConfigError
 */
export function sharedServices(
  config: Config,
  onNote: (message: string) => void = console.error,
  store?: OwnStore,
): SharedServices {
  requireCases(config.replay)
  const rateLimiter = new RateLimiter(
    systemClock,
    store?.isShared ? new StoreRateLimit(store) : undefined,
  )
  const identity = identityLocation(config)
  const chrome = new BrowserHost(config, onNote, identity)
  const documents = new DocumentHost()
  // Recorded cases ask no Chrome: none is fetched for them.
  const chromeIsThere =
    identity !== undefined || (config.replay.length === 0 && canHaveChrome(supplyOf(config)))
  // The service answers first; recorded cases ask no Chrome.
  const learning =
    config.replay.length === 0 ? setTimeout(() => chrome.learn(), learnAfterMs) : undefined
  learning?.unref()
  const { env, replay, dataDir } = config
  const path = join(dataDir, overridesName)
  const upstreams = new Upstreams({ env, path, now: systemClock.now })
  const settings: WorkerSettings = {
    ...ofWorkers(config),
    chromeIsThere,
    ...(identity ? { identity } : {}),
    replay,
    // By reference: a worker started later gets what is valid by then.
    upstreams: { path, good: upstreams.good },
  }
  return {
    rateLimiter,
    upstreams,
    settings,
    chromeStats: () => chrome.stats(),
    changed() {
      Object.assign(settings, ofWorkers(config))
      chrome.changed()
    },
    services: {
      documents: (port) => documents.serve(port),
      rateLimit: (port) => serveRateLimit(rateLimiter, port, crypto.randomUUID()),
      // Without a Chrome, no thread is started for it.
      ...(chromeIsThere ? { chrome: (port: MessagePort) => chrome.serve(port) } : {}),
    },
    stop() {
      clearTimeout(learning)
      documents.stop()
      return chrome.stop()
    },
  }
}

function ofWorkers(config: Config) {
  const { egressAllow, reuseCookies, hostRateLimits, proxyUrls, proxyResolves, unlockerUrl } =
    config
  const { contact, keylessSecrets, scriptAccounts, pageWaitSeconds, env } = config
  const { llmUrl, llmKey, llmModel, llmTimeoutSeconds, llmInputTokens } = config
  return {
    egressAllow,
    reuseCookies,
    hostRateLimits,
    proxyUrls,
    proxyResolves,
    unlockerUrl,
    contact,
    keylessSecrets,
    scriptAccounts,
    pageWaitSeconds,
    llmUrl,
    llmKey,
    llmModel,
    llmTimeoutSeconds,
    llmInputTokens,
    env: { ...env },
  }
}

/** A worker that cannot read its cases would end again and again. */
function requireCases(folders: string[]): void {
  try {
    readCases(folders)
  } catch (error) {
    throw new ConfigError(`TRAWL_REPLAY: ${messageOf(error)}`)
  }
}
