import { join } from "node:path"
import { systemClock } from "../base/clock.ts"
import { messageOf } from "../base/error-message.ts"
import { serve } from "../base/rpc.ts"
import { type Config, ConfigError } from "../config/config.ts"
import type { Browser } from "../engine/fetch/environment.ts"
import { readCases } from "../engine/fetch/replay/case.ts"
import { overridesName } from "../engine/fetch/site-constants/overrides-file.ts"
import { type UpstreamOverrides, Upstreams } from "../engine/fetch/site-constants/site-constants.ts"
import { identityLocation } from "../engine/net/browser/chrome/identity-file.ts"
import { BrowserHost, supplyOf } from "../engine/net/browser/host.ts"
import { linkByHost } from "../engine/net/browser/lease/link.ts"
import { RemoteBrowser } from "../engine/net/browser/remote-browser.ts"
import { canHaveChrome } from "../engine/net/browser/supply/supply.ts"
import { DocumentHost } from "../engine/net/documents/host.ts"
import { serveRateLimit } from "../engine/net/rate-limits/channel.ts"
import { RateLimiter } from "../engine/net/rate-limits/rate-limiter.ts"
import { StoreRateLimit } from "../engine/net/rate-limits/shared-limits.ts"
import type { SessionService } from "../engine/net/sessions/run-session.ts"
import { SessionKeeper } from "../engine/runtime/sessions/keeper.ts"
import type { WorkerService } from "../engine/runtime/workers/supervisor.ts"
import type { OwnStore } from "../store/store.ts"
import type { LiveSettings } from "./live-environment.ts"

/**
 * Delay in milliseconds. Starting Chrome takes a second of a core, which the start of the service
 * needs.
 */
const learnAfterMs = 5000

/** Settings from which a worker creates its environment; plain data. */
export interface WorkerSettings extends LiveSettings {
  chromeIsThere: boolean
  /** Folders of recorded cases that replace the network. */
  replay: string[]
  upstreams: UpstreamOverrides
}

export interface SharedServices {
  /**
   * Services by the names under which a worker's environment requests them (live-environment.ts).
   */
  services: Record<string, WorkerService>
  settings: WorkerSettings
  rateLimiter: RateLimiter
  upstreams: Upstreams
  chromeStats: BrowserHost["stats"]
  /** Chrome for the main thread; undefined if there is none. */
  browser(): Browser | undefined
  /** Applies a changed config to workers that start from now on. */
  changed(): void
  /** Sessions of accounts; undefined without a store. */
  sessions: SessionKeeper | undefined
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
  // Recorded cases do not use Chrome, so it is not downloaded for them.
  const chromeIsThere =
    identity !== undefined || (config.replay.length === 0 && canHaveChrome(supplyOf(config)))
  // Starts after the service accepts calls. Recorded cases do not use Chrome.
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
    // By reference, so that a worker started later gets the current values.
    upstreams: { path, good: upstreams.good },
  }
  let own: Browser | undefined
  const browser = () => {
    if (!chromeIsThere) return undefined
    own ??= browserOf(chrome)
    return own
  }
  const sessions = store && new SessionKeeper({ store, browser, broker: rateLimiter })
  return {
    rateLimiter,
    upstreams,
    settings,
    browser,
    sessions,
    chromeStats: () => chrome.stats(),
    changed() {
      Object.assign(settings, ofWorkers(config))
      chrome.changed()
    },
    services: {
      documents: (port) => documents.serve(port),
      rateLimit: (port) => serveRateLimit(rateLimiter, port, crypto.randomUUID()),
      ...(sessions && {
        sessions: (port: MessagePort) => serve<SessionService>(port, sessions),
      }),
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

/** Returns a browser whose pages are opened in the browser thread, as for workers. */
function browserOf(chrome: BrowserHost): Browser {
  const { port1, port2 } = new MessageChannel()
  chrome.serve(port2)
  return new RemoteBrowser(linkByHost(port1), true)
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

/**
 * Checks that the cases can be read; otherwise each worker would fail and be restarted again.
 * @throws ConfigError
 */
function requireCases(folders: string[]): void {
  try {
    readCases(folders)
  } catch (error) {
    throw new ConfigError(`TRAWL_REPLAY: ${messageOf(error)}`)
  }
}
